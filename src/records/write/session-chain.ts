import { type Conversation, RecentMap, type Turn } from '../../conversation/index.ts'
import type { SessionPlace } from '../record/exchange.ts'
import type { KnownHead } from '../store/store.ts'

/** The largest number of conversations remembered by their ends. */
const mostKnown = 5000
/** Characters at the beginning and at the end of a text that are compared. With its length they tell texts apart. */
const compared = 128

/** Finds the latest exchange of a store whose whole conversation has one of these digests; that of the last digest, if there are several. */
export type HeadFinder = (heads: readonly string[]) => KnownHead | undefined

/**
 * Finds the session of an exchange. Each prefix of a conversation has a digest that depends on all turns in it; an exchange continues
 * the earlier exchange whose whole conversation is the longest prefix of the new one.
 */
export class SessionChain {
  readonly #known = new RecentMap<string, KnownHead>(mostKnown)
  readonly #find: HeadFinder

  /** `find` looks for a conversation with a past that is not known: it came before a restart, or to another process. */
  constructor(find: HeadFinder = () => undefined) {
    this.#find = find
  }

  /** Returns the place of the exchange whose conversation has these digests, and remembers it. */
  place(id: string, digests: readonly string[]): SessionPlace {
    const known = this.#parentOf(digests)
    const session: SessionPlace = known
      ? { id: known.session.id, parent: known.id, step: known.session.step + 1 }
      : { id, step: 0 }
    const head = digests.at(-1)
    if (head !== undefined) this.#known.set(head, { head, id, session })
    return session
  }

  #parentOf(digests: readonly string[]): KnownHead | undefined {
    for (const digest of digests.toReversed()) {
      const known = this.#known.get(digest)
      if (known) return known
    }
    return digests.length > 1 ? this.#find(digests) : undefined
  }
}

/** Returns the digests of all prefixes of a conversation, the shortest first. */
export function chainOf({ turns }: Pick<Conversation, 'turns'>): string[] {
  const digests: string[] = []
  let high = 0x811c9dc5
  let low = 0x9e3779b9
  const mix = (text: string): void => {
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at)
      high = Math.imul(high ^ code, 0x01000193)
      low = Math.imul(low + code, 0x85ebca6b) ^ (low >>> 13)
    }
  }
  for (const turn of turns) {
    mix(outlineOf(turn))
    digests.push(`${(high >>> 0).toString(36)}.${(low >>> 0).toString(36)}`)
  }
  return digests
}

/** A turn in short. Reasoning is left out, which clients change and drop; so is system text between the turns. */
function outlineOf(turn: Turn): string {
  if (turn.role === 'system') return ''
  const parts: string[] = [turn.role]
  for (const part of turn.parts) {
    if (part.type === 'text') parts.push('t', ends(part.text))
    else if (part.type === 'call') parts.push('c', part.id, part.name)
    else if (part.type === 'image') parts.push('i', ends(part.url))
    else if (part.type === 'result') {
      parts.push('r', part.callId)
      for (const content of part.content) parts.push(ends(content.type === 'text' ? content.text : content.url))
    }
  }
  return parts.join('\n')
}

function ends(text: string): string {
  if (text.length <= 2 * compared) return text
  return `${text.length} ${text.slice(0, compared)}${text.slice(-compared)}`
}
