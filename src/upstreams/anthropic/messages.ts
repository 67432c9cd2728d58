import type {
  AssistantPart,
  Conversation,
  ImagePart,
  JsonObject,
  TextPart,
  UserPart,
} from '../../conversation/index.ts'
import { argumentsOf, dataOf, systemReminder } from '../conversation-parts.ts'
import type { ChatMessage } from '../upstream.ts'

type Role = 'user' | 'assistant'

// Aliases and no interfaces: bodies are JSON objects, to which TypeScript assigns aliases alone.

/** `system` and `messages` of a request of the Messages API. */
export type EncodedMessages = {
  system: string
  messages: MessageParam[]
}

/** A message of the API. */
export type MessageParam = { role: Role; content: BlockParam[] }

type ShownBlock = { type: 'text'; text: string } | { type: 'image'; source: ImageSource }

type BlockParam =
  | ShownBlock
  | { type: 'thinking'; thinking: string; signature: string }
  | { type: 'tool_use'; id: string; name: string; input: JsonObject }
  | { type: 'tool_result'; tool_use_id: string; content?: string | ShownBlock[]; is_error?: boolean }

type ImageSource = { type: 'base64'; media_type: ImageType; data: string } | { type: 'url'; url: string }

/** The images that the API takes. */
const imageTypes = ['image/jpeg', 'image/png', 'image/gif', 'image/webp'] as const
type ImageType = (typeof imageTypes)[number]

/**
 * A conversation with its calls and results. Reasoning is included only on request: Claude accepts it only with its
 * signature, which is not kept.
 */
export function encodeTurns(
  { system, turns }: Conversation,
  { withReasoning }: { withReasoning: boolean },
): EncodedMessages {
  const messages = new MessageList()
  for (const turn of turns) {
    if (turn.role === 'assistant') messages.add('assistant', encodeAssistantParts(turn.parts, messages, withReasoning))
    else if (turn.role === 'user') messages.add('user', encodeUserParts(turn.parts, messages))
    else messages.add('user', [{ type: 'text', text: systemReminder(turn.text) }])
  }
  return { system, messages: messages.encode() }
}

/** Returns true if each turn of the assistant with calls still has its reasoning. */
export function keepsReasoning({ turns }: Conversation): boolean {
  const has = (parts: readonly AssistantPart[], type: AssistantPart['type']): boolean =>
    parts.some((part) => part.type === type)
  return turns.every((turn) => turn.role !== 'assistant' || !has(turn.parts, 'call') || has(turn.parts, 'reasoning'))
}

/**
 * Messages of text alone: system text at the beginning is the system prompt, later system text is a part of the user's
 * turn.
 */
export function encodeChat(chat: readonly ChatMessage[]): EncodedMessages {
  const system: string[] = []
  const messages = new MessageList()
  for (const { role, parts } of chat) {
    const text = parts.map((part) => (part.type === 'text' ? part.text : '')).join('')
    if (role !== 'system') messages.add(role, parts.map(encodePart))
    else if (messages.isEmpty) system.push(text)
    else messages.add('user', [{ type: 'text', text: systemReminder(text) }])
  }
  return { system: system.join('\n\n'), messages: messages.encode() }
}

/**
 * Collects messages as turns: consecutive messages of one role are merged and empty ones are left out, since the API
 * refuses both.
 */
class MessageList {
  readonly #messages: MessageParam[] = []
  /** Ids of calls as they are sent, by the client's. */
  readonly #ids = new Map<string, string>()

  get isEmpty(): boolean {
    return this.#messages.length === 0
  }

  add(role: Role, blocks: readonly BlockParam[]): void {
    const content = blocks.filter((block) => block.type !== 'text' || block.text.trim() !== '')
    if (content.length === 0) return
    const last = this.#messages.at(-1)
    if (last?.role === role) last.content.push(...content)
    else this.#messages.push({ role, content })
  }

  /** The API takes letters, digits, `_` and `-`; Kimi's ids, for one, are `functions.get_weather:0`. */
  idOf(id: string): string {
    const known = this.#ids.get(id)
    if (known !== undefined) return known
    const written = id.replace(/[^\w-]/g, '_') || 'call'
    const taken = new Set(this.#ids.values())
    let unique = written
    for (let n = 2; taken.has(unique); n++) unique = `${written}_${n}`
    this.#ids.set(id, unique)
    return unique
  }

  encode(): MessageParam[] {
    return this.#messages.map(({ role, content }, index) => {
      // Results must come before all else in the message that answers the calls.
      const ordered = [...content.filter(isResult), ...content.filter((block) => !isResult(block))]
      const isPrefill = role === 'assistant' && index === this.#messages.length - 1
      return { role, content: isPrefill ? trimmed(ordered) : ordered }
    })
  }
}

function isResult({ type }: BlockParam): boolean {
  return type === 'tool_result'
}

/** A reply that the model is to continue must not end in white space. */
function trimmed(blocks: readonly BlockParam[]): BlockParam[] {
  return blocks.map((block, index) =>
    index === blocks.length - 1 && block.type === 'text' ? { ...block, text: block.text.trimEnd() } : block,
  )
}

function encodeAssistantParts(
  parts: readonly AssistantPart[],
  messages: MessageList,
  withReasoning: boolean,
): BlockParam[] {
  return parts.flatMap((part): BlockParam[] => {
    if (part.type === 'text') return [encodePart(part)]
    // The API wants a signature; DeepSeek and Kimi take any (qwen-code #3788, DeepSeek-Reasonix #8927, hermes-agent #49143).
    if (part.type === 'reasoning')
      return withReasoning ? [{ type: 'thinking', thinking: part.text, signature: '' }] : []
    return [{ type: 'tool_use', id: messages.idOf(part.id), name: part.name, input: argumentsOf(part.arguments) }]
  })
}

function encodeUserParts(parts: readonly UserPart[], messages: MessageList): BlockParam[] {
  return parts.map((part): BlockParam => {
    if (part.type !== 'result') return encodePart(part)
    const content = encodeResult(part.content)
    return {
      type: 'tool_result',
      tool_use_id: messages.idOf(part.callId),
      ...(content !== undefined && { content }),
      ...(part.isError && { is_error: true }),
    }
  })
}

/**
 * Encodes a result's content. Text alone becomes a string, which every server accepts. Undefined for a result without
 * content.
 */
function encodeResult(content: readonly (TextPart | ImagePart)[]): string | ShownBlock[] | undefined {
  const shown = content.filter((part) => part.type === 'image' || part.text !== '')
  if (shown.length === 0) return undefined
  const [first] = shown
  return shown.length === 1 && first?.type === 'text' ? first.text : shown.map(encodePart)
}

function encodePart(part: TextPart | ImagePart): ShownBlock {
  if (part.type === 'text') return { type: 'text', text: part.text }
  const inline = dataOf(part.url)
  const mediaType = imageTypes.find((type) => type === inline?.mediaType)
  // An inline image of another type has no form in the API. As a URL it reaches servers that take any, and others refuse it.
  const source: ImageSource =
    inline && mediaType ? { type: 'base64', media_type: mediaType, data: inline.data } : { type: 'url', url: part.url }
  return { type: 'image', source }
}
