import type { PackedExchange, StoreLimits } from '../store/store.ts'
import type { FinishedRecord } from './finished.ts'
import type { Settled } from './writer.ts'

/** The settings of a thread that writes records. */
export interface ThreadSettings {
  /** The file; absent if the records are sent back, packed, to be kept in memory. */
  file?: string
  limits: StoreLimits
  secrets: readonly string[]
  patterns: readonly RegExp[]
  paths: readonly string[]
}

/** A message to the thread. */
export type ToThread =
  | { type: 'add'; records: FinishedRecord[] }
  /** Is answered once everything before it is written or lost. */
  | { type: 'flush'; number: number }
  | { type: 'close' }

/** A message from the thread. */
export type FromThread =
  /** It takes records now. */
  | { type: 'ready' }
  | { type: 'packed'; batch: PackedExchange[] }
  | ({ type: 'written' } & Settled)
  | ({ type: 'lost'; error: string } & Settled)
  | { type: 'flushed'; number: number }
