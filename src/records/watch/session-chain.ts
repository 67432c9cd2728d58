import { type Conversation, RecentMap, type Turn } from '../../conversation/index.ts'
import type { SessionPlace } from '../record/exchange.ts'

/** At most so many conversations are known by their ends. */
const mostKnown = 20_000
/** Characters at the beginning and at the end of a text that are compared. With its length they tell texts apart. */
const compared = 128

interface Known {
  id: string
  place: SessionPlace
}

/**
 * Finds the session of an exchange. Each prefix of a conversation has a digest that depends on all turns in it; an exchange continues
 * the one whose whole conversation is the longest prefix of its own.
 */
export class SessionChain {
  readonly #known = new RecentMap<string, Known>(mostKnown)
  readonly #learnMore: () => void

  /** `learnMore` is called for a conversation with a past that is not known: other processes may have recorded it. */
  constructor(learnMore: () => void = () => {}) {
    this.#learnMore = learnMore
  }

  /** Returns the place of an exchange, and remembers its conversation. */
  place(id: string, conversation: Conversation): SessionPlace {
    const digests = chainOf(conversation)
    let known = this.#find(digests)
    if (known === undefined && digests.length > 1) {
      this.#learnMore()
      known = this.#find(digests)
    }
    const place: SessionPlace = known
      ? { id: known.place.id, parent: known.id, step: known.place.step + 1 }
      : { id, step: 0 }
    this.learn(digests.at(-1), { id, place })
    return place
  }

  #find(digests: readonly string[]): Known | undefined {
    return digests.toReversed().flatMap((digest) => this.#known.get(digest) ?? [])[0]
  }

  /** Remembers the conversation that ends with this digest. */
  learn(digest: string | undefined, known: Known): void {
    if (digest !== undefined) this.#known.set(digest, known)
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
