import type { AssistantPart, Conversation, Tool, Turn } from '../../../conversation/index.ts'
import type { CallWriting } from '../../render/assistant-messages.ts'
import { capabilities, type TemplateCapabilities } from '../../render/capabilities.ts'
import { renderTemplate } from '../../render/render.ts'
import type { ChatTemplate } from '../../source/chat-template.ts'
import { nonces } from './nonces.ts'
import { toolsFor } from './replies.ts'

/** A fixed moment, so that a probe is the same whenever it is made. */
const moment = new Date(2026, 0, 1)
/** A probe is small; a template that needs more for one is none to wait for. */
const longestKept = 100_000
const limits = { steps: 500_000, output: 2_000_000 }

export interface ProbeOptions {
  tools?: readonly Tool[]
  /** The prompt goes on where the model's turn begins. */
  generation?: boolean
  variables?: Readonly<Record<string, unknown>>
}

/** Renders the conversations of probes, and cuts off what stands before the reply that is looked at. */
export class ProbeRenderer {
  readonly template: ChatTemplate
  readonly can: TemplateCapabilities
  /** Replies are looked at where another message follows: some templates take the last one for one that goes on. */
  isFollowed = false
  /** How calls are written where the template has no place for them; as most models were taught where nothing is said. */
  writing: CallWriting | undefined

  constructor(template: ChatTemplate) {
    this.template = template
    this.can = capabilities(template)
    this.isFollowed = this.can.callsWhereFollowed
  }

  /** What is written after the user's text: undefined where the template refuses, or does not show that text. */
  after(turns: readonly Turn[], options: ProbeOptions = {}): string | undefined {
    const rendered = this.render([userTurn(nonces.user), ...turns], options)
    const at = rendered?.lastIndexOf(nonces.user) ?? -1
    if (rendered === undefined || at < 0) return undefined
    const rest = rendered.slice(at + nonces.user.length)
    const tools = options.tools ?? toolsFor()
    // Most templates list the tools before the user's text, which then need not be asked for.
    const list = tools.every(({ name }) => rest.includes(name)) ? this.#toolList(tools) : ''
    return rest.startsWith(list) ? rest.slice(list.length) : rest
  }

  /** What the template writes after the user's text by itself, where that is the list of the tools: it holds their names, as calls do. */
  #toolList(tools: readonly Tool[]): string {
    const known = this.#toolLists.get(tools)
    if (known !== undefined) return known
    const rendered = this.render([userTurn(nonces.user)], { tools }) ?? ''
    const rest = rendered.slice(rendered.lastIndexOf(nonces.user) + nonces.user.length)
    const list = tools.some(({ name }) => rest.includes(name)) ? rest : ''
    this.#toolLists.set(tools, list)
    return list
  }

  readonly #toolLists = new Map<readonly Tool[], string>()

  /** What is written after the user's text where the reply has these parts. */
  reply(parts: readonly AssistantPart[], options: ProbeOptions = {}): string | undefined {
    const reply: Turn = { role: 'assistant', parts: [...parts] }
    if (!this.isFollowed) return this.after([reply], options)
    const text = this.after([reply, userTurn(nonces.laterUser)], options)
    const end = text?.lastIndexOf(nonces.laterUser) ?? -1
    return end < 0 ? undefined : text?.slice(0, end)
  }

  /** How a prompt ends where the model's turn begins. */
  prompt(variables: Readonly<Record<string, unknown>> = {}): string | undefined {
    return this.after([], { generation: true, variables })
  }

  /** Probes share conversations, so that each is rendered once. */
  render(turns: readonly Turn[], options: ProbeOptions): string | undefined {
    const tools = options.tools ?? toolsFor()
    const texts = this.#rendered.get(tools) ?? new Map<string, string | undefined>()
    this.#rendered.set(tools, texts)
    const key = JSON.stringify([turns, options.generation, options.variables])
    if (texts.has(key)) return texts.get(key)
    const text = this.#render(turns, { ...options, tools })
    // What a template may write beyond that is not worth the room.
    if ((text?.length ?? 0) <= longestKept) texts.set(key, text)
    return text
  }

  readonly #rendered = new Map<readonly Tool[], Map<string, string | undefined>>()

  #render(turns: readonly Turn[], { tools, generation = false, variables }: ProbeOptions): string | undefined {
    const rendered = renderTemplate(this.template, conversationOf(turns, tools ?? toolsFor()), {
      now: moment,
      limits,
      addGenerationPrompt: generation,
      ...(this.writing && { writing: this.writing }),
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
