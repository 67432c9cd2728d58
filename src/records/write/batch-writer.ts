import type { PackedExchange } from '../store/store.ts'
import type { FinishedRecord } from './finished.ts'
import type { Packer } from './packer.ts'
import type { RecordWriter, WriterEvents } from './writer.ts'

export interface BatchWriterOptions {
  packer: Packer
  /** Stores packed records. If it throws, they count as lost, with its error. */
  add(batch: PackedExchange[]): void
  events: Pick<WriterEvents, 'written' | 'lost'>
  /** Called between batches, for example to let requests be served. */
  pause?(): Promise<void>
}

/** Milliseconds for which records are collected before they are written: a transaction for each would take longer than the record. */
const batchMs = 100
const batchSize = 32

/** Writes records in batches, in the thread that it is called in. */
export class BatchWriter implements RecordWriter {
  readonly #options: BatchWriterOptions
  #waiting: FinishedRecord[] = []
  #timer: ReturnType<typeof setTimeout> | undefined
  #writing: Promise<void> | undefined

  constructor(options: BatchWriterOptions) {
    this.#options = options
  }

  add(record: FinishedRecord): void {
    this.#waiting.push(record)
    if (this.#timer !== undefined || this.#writing) return
    this.#timer = setTimeout(() => void this.#start(), batchMs)
    // It keeps no process alive. In browsers and Workers it is a number.
    if (typeof this.#timer === 'object') this.#timer.unref?.()
  }

  async flush(): Promise<void> {
    // A batch that is being written may end before the records that were added last.
    while (this.#writing) await this.#writing
    if (this.#waiting.length > 0) await this.#start()
  }

  close(): Promise<void> {
    return this.flush()
  }

  #start(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#writing ??= this.#write().finally(() => {
      this.#writing = undefined
    })
    return this.#writing
  }

  async #write(): Promise<void> {
    const { pause } = this.#options
    while (this.#waiting.length > 0) {
      this.#writeBatch(this.#waiting.splice(0, batchSize))
      if (pause) await pause()
    }
  }

  #writeBatch(batch: readonly FinishedRecord[]): void {
    const { packer, add, events } = this.#options
    const settled = { count: batch.length, characters: batch.reduce((sum, one) => sum + one.characters, 0) }
    try {
      add(batch.map((record) => packer.pack(record)))
    } catch (error) {
      events.lost(settled, error)
      return
    }
    events.written(settled)
  }
}
