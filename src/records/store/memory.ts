import type { ExchangeRecord } from '../record/exchange.ts'
import type { ExchangeSummary } from '../record/summary.ts'
import { unpack } from './pack.ts'
import type { KnownHead, PackedExchange, RecordStore, StoreLimits } from './store.ts'

/** The approximate size of a row and its index, in bytes. */
const rowBytes = 2000

/** Keeps records in memory, the latest ones. */
export class MemoryStore implements RecordStore {
  readonly #limits: StoreLimits
  readonly #now: () => number
  /** By id, in the order in which they came. */
  readonly #kept = new Map<string, PackedExchange>()
  /** The id of the latest exchange with each digest. */
  readonly #heads = new Map<string, string>()
  #bytes = 0

  /** `now` is in milliseconds since 1970. */
  constructor(limits: StoreLimits, now: () => number = Date.now) {
    this.#limits = limits
    this.#now = now
  }

  add(batch: readonly PackedExchange[]): void {
    for (const one of batch) {
      this.#delete(one.summary.id)
      this.#kept.set(one.summary.id, one)
      if (one.head !== undefined) this.#heads.set(one.head, one.summary.id)
      this.#bytes += bytesOf(one)
    }
    const oldest = this.#now() - this.#limits.ageMs
    for (const [id, { summary }] of this.#kept) {
      if (this.#bytes <= this.#limits.bytes && Date.parse(summary.at) >= oldest) return
      this.#delete(id)
    }
  }

  list({ before, limit }: { before?: string; limit: number }): ExchangeSummary[] {
    const rows = [...this.#kept.values()].map(({ summary }) => summary).reverse()
    const from = before === undefined ? 0 : rows.findIndex(({ id }) => id === before) + 1
    return before !== undefined && from === 0 ? [] : rows.slice(from, from + limit)
  }

  session(id: string): ExchangeSummary[] {
    return [...this.#kept.values()].flatMap(({ summary }) => (summary.session.id === id ? [summary] : []))
  }

  get(id: string): ExchangeRecord | undefined {
    const found = this.#kept.get(id)
    return found && unpack(found.data)
  }

  findHead(heads: readonly string[]): KnownHead | undefined {
    for (const head of heads.toReversed()) {
      const found = this.#kept.get(this.#heads.get(head) ?? '')
      if (found) return { head, id: found.summary.id, session: found.summary.session }
    }
  }

  remove({ ids = [], before }: { ids?: readonly string[]; before?: number }): number {
    const size = this.#kept.size
    for (const id of ids) this.#delete(id)
    if (before !== undefined)
      for (const [id, { summary }] of this.#kept) if (Date.parse(summary.at) < before) this.#delete(id)
    return size - this.#kept.size
  }

  size(): { exchanges: number; bytes: number } {
    return { exchanges: this.#kept.size, bytes: this.#bytes }
  }

  close(): void {
    this.#kept.clear()
    this.#heads.clear()
    this.#bytes = 0
  }

  #delete(id: string): void {
    const found = this.#kept.get(id)
    if (!found) return
    this.#kept.delete(id)
    this.#bytes -= bytesOf(found)
    if (found.head !== undefined && this.#heads.get(found.head) === id) this.#heads.delete(found.head)
  }
}

function bytesOf({ data }: PackedExchange): number {
  return 2 * data.length + rowBytes
}
