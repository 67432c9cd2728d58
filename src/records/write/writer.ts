import type { FinishedRecord } from './finished.ts'

/** Records that no longer wait. */
export interface Settled {
  count: number
  characters: number
}

/** Receives from a writer what became of its records. */
export interface WriterEvents {
  written(records: Settled): void
  lost(records: Settled, error: unknown): void
  /** Records are written by the thread that serves requests, because no other thread can. */
  threadless(error: unknown): void
  /** The writer has failed too often and takes no more records. */
  stopped(error: unknown): void
}

/** Writes the records of exchanges that are over. */
export interface RecordWriter {
  /** Takes a record, which is written soon. */
  add(record: FinishedRecord): void
  /** Resolves once the records that were added so far are written, or lost. */
  flush(): Promise<void>
  /** Writes what waits, and releases what the writer holds. */
  close(): Promise<void>
}
