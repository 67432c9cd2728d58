import type { ExchangeRecord } from '../record/exchange.ts'
import type { ExchangeSummary } from '../record/summary.ts'

/** A record as a store takes it. */
export interface PackedExchange {
  summary: ExchangeSummary
  /** The digest of its conversation, by which the next exchange of the session finds it. */
  head?: string
  /** The record, written by `pack`. */
  data: string
}

/** The bounds of a store. */
export interface StoreLimits {
  bytes: number
  /** Milliseconds after which a record is removed. */
  ageMs: number
}

/** The digest of a conversation, and the exchange that it belongs to. */
export interface KnownHead {
  head: string
  id: string
  session: ExchangeSummary['session']
}

/** A place for records. Its functions are quick, and run one after the other. */
export interface RecordStore {
  /** The file; absent if records are kept in memory. */
  readonly file?: string
  /** Adds records, and removes the oldest as far as its limits demand. One with a known id takes the place of that. */
  add(batch: readonly PackedExchange[]): void
  /** Rows, newest first: those before an id, or all; at most `limit`. */
  list(query: { before?: string; limit: number }): ExchangeSummary[]
  /** The rows of a session, oldest first. */
  session(id: string): ExchangeSummary[]
  get(id: string): ExchangeRecord | undefined
  /**
   * Finds the exchange whose whole conversation has one of these digests; the longest conversation is that of the last digest. Of several
   * exchanges with the same one, the latest counts. The records of other processes are found too.
   */
  findHead(heads: readonly string[]): KnownHead | undefined
  /** Removes records; all of those given by id, and those that came before a time in milliseconds since 1970. Returns their number. */
  remove(which: { ids?: readonly string[]; before?: number }): number
  size(): { exchanges: number; bytes: number }
  close(): void
}
