import {
  type Conversation,
  freezeOnlyList,
  type ImagePart,
  isJsonObject,
  ListMemo,
  listedToolsOf,
  memoize,
  type ResultPart,
  shortId,
  type TextPart,
  type Tool,
  type Turn,
} from '../../conversation/index.ts'
import { perStep, type Steps } from '../../json/index.ts'
import { type AssistantMessage, assistantMessages, type CallWriting } from './assistant-messages.ts'
import type { TemplateCapabilities } from './capabilities.ts'
import { listTools } from './tool-listing.ts'

/** A message as templates take it. */
export type TemplateMessage = AssistantMessage | PlainMessage

export interface PlainMessage {
  role: 'system' | 'user' | 'tool'
  content: string | readonly ContentPart[]
  tool_call_id?: string
  name?: string
}

export type ContentPart = { type: 'text'; text: string } | { type: 'image_url'; image_url: { url: string } }

export interface TemplateInput {
  messages: readonly TemplateMessage[]
  /** Absent if there are none, or the template lists none. */
  tools?: readonly unknown[]
  /** The parts that the template does not accept, and the changes that were made; for people. */
  adaptations: readonly string[]
}

/** A conversation as the variables of a template with these capabilities. */
export function* adaptConversation(
  conversation: Conversation,
  can: TemplateCapabilities,
  writing: CallWriting,
): Steps<TemplateInput> {
  const adaptations = new Set<string>()
  const note = (text: string) => void adaptations.add(text)
  const adapter = new TurnAdapter(conversation.tools, can, writing, note)
  const listing = listTools(conversation, can, writing.instructions)
  adapter.system([conversation.system, listing.added].filter((text) => text !== '').join('\n\n'))
  for (const [index, turn] of conversation.turns.entries()) {
    adapter.turn(turn)
    if (index % perStep === perStep - 1) yield
  }
  adapter.end()
  const tools = listing.isListed ? adaptTools(listedToolsOf(conversation), can) : undefined
  if (listing.adaptation !== undefined) note(listing.adaptation)
  if (tools && can.systemForTools !== undefined) adapter.leadWithSystem(can.systemForTools)
  return { messages: adapter.messages, ...(tools && { tools }), adaptations: [...adaptations] }
}

/**
 * Adapts turns one after the other, each by the ones before it only: the text of a conversation stays the same when it
 * continues.
 */
class TurnAdapter {
  readonly messages: TemplateMessage[] = []
  readonly #tools: readonly Tool[]
  readonly #can: TemplateCapabilities
  readonly #writing: CallWriting
  readonly #note: (text: string) => void
  /** System text that waits for a message of the user in which it is placed. */
  #waiting = ''

  constructor(tools: readonly Tool[], can: TemplateCapabilities, writing: CallWriting, note: (text: string) => void) {
    this.#tools = tools
    this.#can = can
    this.#writing = writing
    this.#note = note
  }

  system(text: string): void {
    if (text === '') return
    if (this.#can.system) this.messages.push({ role: 'system', content: this.#content([{ type: 'text', text }]) })
    else this.#defer(text, 'the template has no system role: its text goes to the first message of the user')
  }

  /** Adds a system message before all others if there is none: the template lists the tools in it. */
  leadWithSystem(text: string): void {
    if (this.messages[0]?.role === 'system') return
    this.messages.unshift({ role: 'system', content: this.#content([{ type: 'text', text }]) })
    const what = text === '' ? 'an empty system message' : `the system message ${JSON.stringify(text)}`
    this.#note(`the template lists tools in a system message only: ${what} is added`)
  }

  turn(turn: Turn): void {
    if (turn.role === 'system') this.#laterSystem(turn.text)
    else if (turn.role === 'assistant') this.#assistant(turn)
    else this.#user(turn.parts)
  }

  #laterSystem(text: string): void {
    const [first] = this.messages
    if (this.messages.length === 0 && this.#waiting === '') this.system(text)
    else if (this.messages.length === 1 && first?.role === 'system' && typeof first.content === 'string') {
      this.messages[0] = { ...first, content: `${first.content}\n\n${text}` }
    } else if (this.#can.laterSystem) {
      this.messages.push({ role: 'system', content: this.#content([{ type: 'text', text }]) })
    } else
      this.#defer(
        text,
        'the template takes no system message between turns: its text goes to the next message of the user',
      )
  }

  #defer(text: string, why: string): void {
    this.#waiting = this.#waiting === '' ? text : `${this.#waiting}\n\n${text}`
    this.#note(why)
  }

  #assistant(turn: Extract<Turn, { role: 'assistant' }>): void {
    this.messages.push(...assistantMessages(turn.parts, this.#can, this.#writing, this.#tools, this.#note))
  }

  #user(parts: readonly (TextPart | ImagePart | ResultPart)[]): void {
    const own: (TextPart | ImagePart)[] = []
    for (const part of parts) {
      if (part.type !== 'result') own.push(part)
      else if (this.#can.results) this.#result(part)
      else {
        own.push({ type: 'text', text: this.#writing.writeResult(part, resultText(part)) })
        this.#note('the template has no role for results: they are written as messages of the user')
      }
    }
    if (own.length > 0) this.#userMessage(this.#withWaiting(own))
  }

  /** System text without a later user message becomes a separate message. */
  end(): void {
    if (this.#waiting !== '') this.#userMessage(this.#withWaiting([]))
  }

  #withWaiting(parts: readonly (TextPart | ImagePart)[]): readonly (TextPart | ImagePart)[] {
    if (this.#waiting === '') return parts
    const text = this.#waiting
    this.#waiting = ''
    const [first, ...rest] = parts
    if (first?.type !== 'text') return [{ type: 'text', text }, ...parts]
    return [{ type: 'text', text: `${text}\n\n${first.text}` }, ...rest]
  }

  #userMessage(parts: readonly (TextPart | ImagePart)[]): void {
    const content = this.#content(parts)
    const last = this.messages.at(-1)
    if (last?.role === 'user' && !this.#can.repeatedUser) {
      this.messages[this.messages.length - 1] = { role: 'user', content: joined(last.content, content) }
      this.#note('the template does not take two messages of the user in a row: they are merged')
    } else this.messages.push({ role: 'user', content })
  }

  /** Adds a result. If calls were split into separate messages, each result follows its call. */
  #result(part: ResultPart): void {
    const id = this.#can.anyIds ? part.callId : shortId(part.callId)
    const message: PlainMessage = {
      role: 'tool',
      tool_call_id: id,
      name: part.name,
      content: this.#can.stringContent ? resultText(part) : [{ type: 'text', text: resultText(part) }],
    }
    const at = this.#can.parallelCalls
      ? -1
      : this.messages.findIndex((one) => 'tool_calls' in one && one.tool_calls?.[0]?.id === id)
    if (at >= 0 && this.messages[at + 1]?.role !== 'tool') this.messages.splice(at + 1, 0, message)
    else this.messages.push(message)
  }

  #content(parts: readonly (TextPart | ImagePart)[]): string | ContentPart[] {
    const hasImages = parts.some((part) => part.type === 'image')
    if (this.#can.stringContent && !(hasImages && this.#can.partsContent)) {
      if (hasImages) this.#note('the template takes no images: a note replaces each')
      return textOf(parts)
    }
    return parts.map((part) =>
      part.type === 'text' ? { type: 'text', text: part.text } : { type: 'image_url', image_url: { url: part.url } },
    )
  }
}

function textOf(parts: readonly (TextPart | ImagePart)[]): string {
  return parts.map((part) => (part.type === 'text' ? part.text : '[image]')).join('\n')
}

/** Templates have no place for a failure besides the result's text. */
function resultText({ content, isError }: ResultPart): string {
  return isError ? `Error: ${textOf(content)}` : textOf(content)
}

function joined(
  first: PlainMessage['content'],
  second: string | readonly ContentPart[],
): string | readonly ContentPart[] {
  if (typeof first === 'string' && typeof second === 'string') return `${first}\n\n${second}`
  const parts = (content: PlainMessage['content']): readonly ContentPart[] =>
    typeof content === 'string' ? [{ type: 'text', text: content }] : content
  return [...parts(first), ...parts(second)]
}

const adaptedTools = memoize((_: TemplateCapabilities) => new ListMemo<readonly unknown[]>())

/** The tools in the form that the template takes; frozen if the given ones are. */
function adaptTools(tools: readonly Tool[], can: TemplateCapabilities): readonly unknown[] {
  return adaptedTools(can).of(tools, () => {
    const adapted = tools.map((tool) => adaptTool(tool, can))
    return Object.isFrozen(tools) ? freezeOnlyList(adapted) : adapted
  })
}

function adaptTool({ name, description, schema }: Tool, can: TemplateCapabilities): unknown {
  const parameters = can.bareParameters ? schema : describeAll(schema)
  const tool = { name, description, parameters }
  return can.tools === 'bare' ? tool : { type: 'function', function: tool }
}

/** Adds missing descriptions: some templates concatenate each parameter's description, and fail if one is missing. */
function describeAll(schema: Tool['schema']): Tool['schema'] {
  if (!isJsonObject(schema.properties)) return schema
  const properties = Object.entries(schema.properties).map(([name, property]) => [
    name,
    isJsonObject(property) ? { description: '', ...property } : property,
  ])
  return { ...schema, properties: Object.fromEntries(properties) }
}
