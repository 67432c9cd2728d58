import { isJsonObject, type JsonObject, type JsonValue } from '../../src/conversation/index.ts'
import type { ChatMessage } from '../../src/upstreams/upstream.ts'
import { type ObedientReply, obey, type Seen } from './obedient-model.ts'
import { readToolifyPrompt, resultsIn, writeToolify } from './obedient-prompt.ts'

/** A message of a chat, of any API. */
export interface SeenMessage {
  role: ChatMessage['role']
  text: string
  /** The results of tools: in a user's message, or in messages of their own. */
  results?: string[]
}

export interface SeenChat {
  messages: readonly SeenMessage[]
  /** Undefined: the request has none; a prompt may describe some. */
  tools: Seen['tools'] | undefined
  isForced: boolean
  /** At most one call in a reply. */
  isSingle?: boolean
}

/**
 * Returns the model's reply in a chat. Tools that its prompt describes, and not the request, are called in the text.
 */
export function replyTo({ messages, tools, isForced, isSingle = false }: SeenChat): ObedientReply {
  if (tools === undefined) return { text: followPrompt(messages), calls: [] }
  const seen: Seen = { asked: '', tools, results: [], isForced }
  for (const { role, text, results = [] } of messages) {
    if (role !== 'user') continue
    if (results.length > 0) seen.results.push(...results)
    else Object.assign(seen, { asked: text, results: [] })
  }
  const reply = obey(seen)
  return isSingle ? { ...reply, calls: reply.calls.slice(0, 1) } : reply
}

function followPrompt(messages: readonly SeenMessage[]): string {
  const system = messages.flatMap(({ role, text }) => (role === 'system' ? [text] : [])).join('\n')
  const prompt = readToolifyPrompt(system)
  const said = messages.findLast(({ role }) => role === 'user')?.text ?? ''
  if (prompt === undefined) return obey({ asked: said, tools: [], results: [], isForced: false }).text
  const { tools, demand, trigger } = prompt
  const asked = demand === undefined ? said : `${said}\n${demand}`
  return writeToolify(obey({ asked, tools, results: resultsIn(said), isForced: false }), trigger)
}

/** Pieces of a text or of JSON, up to the number that an API request allows. */
export class TokenLimit {
  /** The tokens that were written. */
  used = 0
  /** More was to be said. */
  isMet = false
  readonly #most: number

  constructor(most: JsonValue | undefined) {
    this.#most = typeof most === 'number' ? most : Number.POSITIVE_INFINITY
  }

  take(text: string): string[] {
    const tokens = text.match(/\s{0,4}\S{1,6}|\s{1,4}/gu) ?? []
    const taken = tokens.slice(0, this.#most - this.used)
    if (taken.length < tokens.length) this.isMet = true
    this.used += taken.length
    return taken
  }
}

/** The text of a message that is a text, or a list of parts with texts. */
export function contentText(content: JsonValue | undefined): string {
  if (typeof content === 'string') return content
  const parts: JsonObject[] = Array.isArray(content) ? content.filter(isJsonObject) : []
  return parts.map(({ text }) => (typeof text === 'string' ? text : '')).join('')
}
