import { summaryOf } from '../record/summary.ts'
import { isClean, type Redaction, redacted, withKey } from '../redact/redact.ts'
import { joined, pack, packParts } from '../store/pack.ts'
import type { PackedExchange } from '../store/store.ts'
import type { FinishedRecord } from './finished.ts'
import { chainOf, type HeadFinder, SessionChain } from './session-chain.ts'

/** Prepares records for a store: finds their sessions, masks secrets, and serializes each record. */
export class Packer {
  readonly #redaction: Redaction
  readonly #chain: SessionChain

  /** `find` looks for the session of a conversation that this packer has not seen. */
  constructor(redaction: Redaction, find?: HeadFinder) {
    this.#redaction = redaction
    this.#chain = new SessionChain(find)
  }

  pack({ short, texts, key }: Pick<FinishedRecord, 'short' | 'texts' | 'key'>): PackedExchange {
    const rules = withKey(this.#redaction, key)
    const { conversation } = short
    const digests = conversation ? chainOf(conversation) : []
    const own = conversation ? { ...short, session: this.#chain.place(short.id, digests) } : short
    const head = digests.at(-1)
    const json = JSON.stringify(own)
    const known = head === undefined ? {} : { head }
    const parts = { short: own, texts }
    if (isClean(parts, json, rules)) return { summary: summaryOf(own), data: packParts(json, texts), ...known }
    const record = redacted(joined(parts), rules)
    return { summary: summaryOf(record), data: pack(record), ...known }
  }
}
