import type { ExchangeSummary } from './summary.ts'

/** The content of a store, counted. */
export interface KeptFacts {
  exchanges: number
  bytes: number
  /** Records that were lost because they came faster than they could be kept. */
  dropped: number
  /** The file; absent if records are kept in memory. */
  file?: string
}

/** `GET live`: server-sent events, `data:` one of these. Running exchanges come first. */
export type LiveEvent =
  | { type: 'begin'; exchange: ExchangeSummary }
  /** The row as it is now. */
  | { type: 'change'; exchange: ExchangeSummary }
  /** A piece of the model's text or of the reply, for who shows the exchange. */
  | { type: 'piece'; id: string; attempt: number; text: string }
  | { type: 'end'; exchange: ExchangeSummary; isKept: boolean }
  | { type: 'dropped'; count: number }
