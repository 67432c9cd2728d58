import type { AssistantPart, Conversation, Tool, Turn } from '../../../conversation/index.ts'
import type { CallWriting } from '../../render/assistant-messages.ts'
import { detectCapabilities, type TemplateCapabilities } from '../../render/capabilities.ts'
import { safeRenderTemplate } from '../../render/render.ts'
import type { ChatTemplate } from '../../source/chat-template.ts'
import { nonces } from './nonces.ts'
import { toolsFor } from './replies.ts'

/** A fixed date, so that a probe renders the same at any time. */
const moment = new Date(2026, 0, 1)
const limits = { steps: 500_000, output: 2_000_000 }
/** In characters. Probes are small: a longer text is rendered again rather than kept. */
const longestKept = 100_000

export interface ProbeOptions {
  tools?: readonly Tool[]
  /** True if the prompt continues to the beginning of the model's turn. */
  generation?: boolean
  variables?: Readonly<Record<string, unknown>>
}

export interface ProbeRendererOptions {
  /**
   * True if replies are rendered with another message after them: some templates treat a last reply as one to be
   * continued.
   */
  isFollowed?: boolean
  /** The form of calls for templates that have no place for them; by default as most models were taught. */
  writing?: CallWriting
}

/** Renders the conversations of probes, and cuts off the text before the reply. Each conversation is rendered once. */
export class ProbeRenderer {
  readonly template: ChatTemplate
  readonly can: TemplateCapabilities
  readonly isFollowed: boolean
  readonly #writing: CallWriting | undefined
  readonly #rendered = new Map<readonly Tool[], Map<string, string | undefined>>()
  readonly #toolLists = new Map<readonly Tool[], string>()

  constructor(template: ChatTemplate, { isFollowed, writing }: ProbeRendererOptions = {}) {
    this.template = template
    this.can = detectCapabilities(template)
    this.isFollowed = isFollowed ?? this.can.callsOnlyIfFollowed
    this.#writing = writing
  }

  /** The text after the user's text; undefined if the template refuses the turns, or does not show that text. */
  after(turns: readonly Turn[], options: ProbeOptions = {}): string | undefined {
    const rendered = this.render([userTurn(nonces.user), ...turns], options)
    const at = rendered?.lastIndexOf(nonces.user) ?? -1
    if (rendered === undefined || at < 0) return undefined
    const rest = rendered.slice(at + nonces.user.length)
    const tools = options.tools ?? toolsFor()
    // Most templates list the tools before the user's text: no names, no list.
    const list = tools.every(({ name }) => rest.includes(name)) ? this.#toolList(tools) : ''
    return rest.startsWith(list) ? rest.slice(list.length) : rest
  }

  /** The list of the tools, if the template writes it after the user's text: it holds their names, as calls do. */
  #toolList(tools: readonly Tool[]): string {
    const known = this.#toolLists.get(tools)
    if (known !== undefined) return known
    const rendered = this.render([userTurn(nonces.user)], { tools }) ?? ''
    const rest = rendered.slice(rendered.lastIndexOf(nonces.user) + nonces.user.length)
    const list = tools.some(({ name }) => rest.includes(name)) ? rest : ''
    this.#toolLists.set(tools, list)
    return list
  }

  /** The text after the user's text if the reply has these parts; undefined if the template refuses them. */
  reply(parts: readonly AssistantPart[], options: ProbeOptions = {}): string | undefined {
    const reply: Turn = { role: 'assistant', parts: [...parts] }
    if (!this.isFollowed) return this.after([reply], options)
    const text = this.after([reply, userTurn(nonces.laterUser)], options)
    const end = text?.lastIndexOf(nonces.laterUser) ?? -1
    return end < 0 ? undefined : text?.slice(0, end)
  }

  /** The end of a prompt, after the user's text, up to the beginning of the model's turn. */
  prompt(variables: Readonly<Record<string, unknown>> = {}): string | undefined {
    return this.after([], { generation: true, variables })
  }

  /** The whole text of a conversation; undefined if the template refuses it. */
  render(turns: readonly Turn[], options: ProbeOptions): string | undefined {
    const tools = options.tools ?? toolsFor()
    const texts = this.#rendered.get(tools) ?? new Map<string, string | undefined>()
    this.#rendered.set(tools, texts)
    const key = JSON.stringify([turns, options.generation, options.variables])
    if (texts.has(key)) return texts.get(key)
    const text = this.#render(turns, { ...options, tools })
    if ((text?.length ?? 0) <= longestKept) texts.set(key, text)
    return text
  }

  #render(turns: readonly Turn[], { tools, generation = false, variables }: ProbeOptions): string | undefined {
    const rendered = safeRenderTemplate(this.template, conversationOf(turns, tools ?? toolsFor()), {
      now: moment,
      limits,
      addGenerationPrompt: generation,
      ...(this.#writing && { writing: this.#writing }),
      ...(variables && { variables }),
    })
    return rendered.type === 'text' ? rendered.text : undefined
  }
}

export function userTurn(text: string): Turn {
  return { role: 'user', parts: [{ type: 'text', text }] }
}

export function conversationOf(turns: readonly Turn[], tools: readonly Tool[]): Conversation {
  return {
    model: '',
    system: '',
    turns: [...turns],
    tools: [...tools],
    toolChoice: { type: 'auto' },
    parallelCalls: true,
    stopSequences: [],
    sampling: {},
  }
}
