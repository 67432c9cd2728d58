import type {
  AssistantPart,
  AssistantTurn,
  Conversation,
  Reply,
  SearchedReply,
  Turn,
  WrittenText,
} from '../../conversation/index.ts'
import { callsOf, isRememberedReply } from './same-reply.ts'

interface KnownReply {
  parts: readonly AssistantPart[]
  /** The parts of reasoning, with those that only their upstream can read, which are not kept. */
  reasoningCount: number
  written?: WrittenText
  searched?: SearchedReply
}

/**
 * A reply that is remembered, as JSON: one text of its own, which costs a collection of garbage next to nothing. The texts of a reply are parts of
 * longer ones, such as all that came from an upstream at once, or made of hundreds of pieces; all of that would stay in memory with them.
 */
interface RememberedReply {
  json: string
  bytes: number
}

/** A conversation with its known replies as the model wrote them. */
export interface RestoredConversation {
  conversation: Conversation
  /** True if there are replies and all are known with all their reasoning, so that parts which the client left out are restored. */
  hasAllReasoning: boolean
}

/** A reply as the model wrote it, beside the parts that the client sees. */
export interface ModelReply {
  written?: WrittenText | undefined
  searched?: SearchedReply | undefined
}

/** The replies of one conversation. */
export interface OwnReplies {
  /** Returns the conversation with the replies in it as the model wrote them, as far as they are known. */
  restored(conversation: Conversation): RestoredConversation
  /** Remembers the reply to a conversation, as the model wrote it. */
  keep(conversation: Conversation, reply: Reply, modelReply: ModelReply): void
}

/** A longer reply is not remembered: with each turn it would be compared in one step, while other requests wait. */
export const mostCharacters: number = 256 * 1024

/** The replies that are remembered for one place. Agents fork: a sub-agent may begin like its parent and continue differently. */
const mostForks = 4

/** The share of the limit that is left when the oldest replies are forgotten. */
const leftShare = 0.9

/** The bytes that an entry needs beside its texts. */
const entryBytes = 200

/**
 * Remembers replies as the model wrote them. Clients send them back changed: trimmed, and with other white space in their JSON; a prompt with
 * these would not begin with what the engine has in its cache. The oldest are forgotten when all together would be too many bytes;
 * a reply that is not known is written by its dialect.
 */
export class KnownReplies {
  readonly #most: number
  /** By places in conversations, the oldest first; at one place the newest reply comes first. */
  readonly #known = new Map<string, readonly RememberedReply[]>()
  #bytes = 0

  /** `most` is the number of bytes, as UTF-16; 0 remembers nothing. */
  constructor(most: number) {
    this.#most = most
  }

  /** The bytes that are remembered now. */
  get bytes(): number {
    return this.#bytes
  }

  /** Returns the replies of a conversation, by a name that no other conversation has; undefined if none are remembered at all. */
  of(conversationName: string): OwnReplies | undefined {
    if (this.#most === 0) return undefined
    return {
      restored: (conversation) => this.#restored(conversationName, conversation),
      keep: (conversation, reply, modelReply) => this.#keep(conversationName, conversation, reply, modelReply),
    }
  }

  #restored(name: string, conversation: Conversation): RestoredConversation {
    let hasAllReasoning = conversation.turns.some(({ role }) => role === 'assistant')
    const turns = conversation.turns.map((turn, place): Turn => {
      if (turn.role !== 'assistant') return turn
      const key = keyOf(name, place)
      const forks = this.#known.get(key) ?? []
      const known = forks.map(readReply).find(({ parts }) => isRememberedReply(turn, parts, conversation.tools))
      if (!known) {
        hasAllReasoning = false
        return turn
      }
      // A conversation that continues is not the oldest.
      this.#known.delete(key)
      this.#known.set(key, forks)
      const restored = restoredTurn(turn, known)
      const reasoning = restored.parts.filter(({ type }) => type === 'reasoning')
      if (reasoning.length < known.reasoningCount) hasAllReasoning = false
      return restored
    })
    return { conversation: { ...conversation, turns }, hasAllReasoning }
  }

  #keep(name: string, conversation: Conversation, whole: Reply, { written: text, searched }: ModelReply): void {
    // A reply that continues a turn of the client is a part of that turn.
    if (conversation.turns.at(-1)?.role === 'assistant' || !isAsItWasWritten(whole)) return
    const parts = whole.parts.flatMap(asPart)
    // The text of the last generation is all of the reply only without searches, and else a part of them.
    const written = searched ? undefined : text
    const searches = searched ? [...searched.searches, searched.last] : []
    let characters = name.length + (written?.text.length ?? 0) + lengthOf(parts)
    for (const turn of searches) characters += lengthOf(turn.parts) + (turn.written?.text.length ?? 0)
    const reasoningCount = whole.parts.filter(({ type }) => type === 'reasoning').length
    const bytes = entryBytes + 2 * characters
    const reply: KnownReply = { parts, reasoningCount, ...(written && { written }), ...(searched && { searched }) }
    const key = keyOf(name, conversation.turns.length)
    const forks = (this.#known.get(key) ?? []).filter((other) => !isEqual(readReply(other), reply))
    this.#forget(key)
    if (characters <= mostCharacters && bytes <= this.#most) forks.unshift({ json: JSON.stringify(reply), bytes })
    forks.splice(mostForks)
    if (forks.length === 0) return
    this.#known.set(key, forks)
    this.#bytes += bytesOf(forks)
    // Many at once: to find the oldest key, a map goes through all the places of those that were deleted before.
    if (this.#bytes <= this.#most) return
    for (const oldest of this.#known.keys()) {
      if (this.#bytes <= leftShare * this.#most || oldest === key) return
      this.#forget(oldest)
    }
  }

  #forget(key: string): void {
    this.#bytes -= bytesOf(this.#known.get(key) ?? [])
    this.#known.delete(key)
  }
}

function readReply({ json }: RememberedReply): KnownReply {
  return JSON.parse(json)
}

function bytesOf(forks: readonly RememberedReply[]): number {
  return forks.reduce((sum, { bytes }) => sum + bytes, 0)
}

/** True for replies with the same calls and texts; ids differ each time. */
function isEqual(one: KnownReply, other: KnownReply): boolean {
  return (
    one.written?.text === other.written?.text &&
    one.parts.length === other.parts.length &&
    one.parts.every((part, index) => textOf(part) === textOf(other.parts[index]))
  )
}

function textOf(part: AssistantPart | undefined): string | undefined {
  return part?.type === 'call' ? part.name + part.arguments : part?.text
}

/** The place of a reply in its conversation identifies it, since clients do not keep ids in all APIs. */
function keyOf(name: string, place: number): string {
  return `${name}\n${place}`
}

/** True for a reply that the reader took as it was: nothing in it was repaired, refused or cut. */
function isAsItWasWritten({ notices, finish, parts }: Reply): boolean {
  const isEnded = finish.reason === 'stop' || finish.reason === 'calls'
  return isEnded && notices.length === 0 && parts.every((part) => part.type !== 'call' || part.complete)
}

/** The characters that are kept of parts. */
function lengthOf(parts: readonly AssistantPart[]): number {
  let length = 0
  for (const part of parts) {
    length += part.type === 'call' ? part.arguments.length + part.name.length + part.id.length : part.text.length
  }
  return length
}

function asPart(part: Reply['parts'][number]): AssistantPart[] {
  if (part.type === 'call') return [{ type: 'call', id: part.id, name: part.name, arguments: part.arguments }]
  return part.text === '' ? [] : [{ type: part.type, text: part.text }]
}

/** Returns the reply with the client's ids, and with the client's reasoning unless the client has kept none. */
function restoredTurn(turn: AssistantTurn, { parts, written, searched }: KnownReply): AssistantTurn {
  const ids = callsOf(turn.parts).map(({ id }) => id)
  const reasoning = turn.parts.filter(({ type }) => type === 'reasoning')
  let calls = 0
  const own = parts.flatMap((part): AssistantPart[] => {
    if (part.type === 'reasoning') return reasoning.length > 0 ? [] : [part]
    return [part.type === 'call' ? { ...part, id: ids[calls++] ?? part.id } : part]
  })
  return {
    role: 'assistant',
    parts: [...reasoning, ...own],
    ...(written && { written }),
    ...(searched && { searched: { ...searched, last: withIds(searched.last, ids) } }),
  }
}

function withIds(turn: AssistantTurn, ids: readonly string[]): AssistantTurn {
  let calls = 0
  return {
    ...turn,
    parts: turn.parts.map((part) => (part.type === 'call' ? { ...part, id: ids[calls++] ?? part.id } : part)),
  }
}
