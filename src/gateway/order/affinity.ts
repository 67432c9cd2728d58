import type { Conversation } from '../../conversation/index.ts'
import { clientSessionHeaders } from '../config/schema/session-headers.ts'

/** Ids are far shorter; a longer text is no id. */
const mostCharacters = 512

/** Returns the id that a client gives its conversation: from its headers, or else the one of its body. */
export function sessionOf(header: (name: string) => string | undefined, inBody?: string): string | undefined {
  for (const name of clientSessionHeaders) {
    const id = header(name)?.trim()
    if (id !== undefined && isId(id)) return id
  }
  return inBody !== undefined && isId(inBody) ? inBody : undefined
}

function isId(text: string): boolean {
  return text !== '' && text.length <= mostCharacters
}

/** The parts of a request by which it keeps to its upstream. */
export interface Affine {
  conversation: Pick<Conversation, 'model' | 'turns'>
  /** The id that the client gives the conversation. */
  session?: string
}

/** The number of characters of a text that tell conversations apart well enough. */
const comparedCharacters = 4096

/**
 * Returns a key that stays the same in a conversation from its first turn on: by the client's id, or else by the beginning of the first
 * message. Its length is bounded.
 */
export function affinityKey({ conversation: { model, turns }, session }: Affine): string {
  if (session !== undefined) return `${model}\n${session}`
  const first = turns.find(({ role }) => role === 'user')
  const texts = (first?.role === 'user' ? first.parts : []).map((part) =>
    part.type === 'text' ? part.text : part.type === 'image' ? part.url : '',
  )
  return `${model}\n${texts.slice(0, 8).map(shortened).join('\n')}`
}

/** Returns a beginning and the length of a text: two images differ in the latter at least. */
function shortened(text: string): string {
  return `${text.slice(0, comparedCharacters)} ${text.length}`
}

/** A number above 0 and below 1 that a text always has: FNV-1a, with its bits mixed as MurmurHash3 does at its end. */
export function fraction(text: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (((hash ^ (hash >>> 16)) >>> 0) + 0.5) / 2 ** 32
}
