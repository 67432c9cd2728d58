import type { Worker } from 'node:worker_threads'
import { neededModule } from '../../upstreams/index.ts'
import type { PackedExchange } from '../store/store.ts'
import type { FinishedRecord } from './finished.ts'
import type { FromThread, ThreadSettings, ToThread } from './messages.ts'
import type { RecordWriter, Settled, WriterEvents } from './writer.ts'

export interface ThreadWriterOptions {
  settings: ThreadSettings
  events: WriterEvents
  /** Keeps records that the thread has packed, if it has no file. */
  keep(batch: PackedExchange[]): void
  /** Makes the writer that takes over if no thread can be started. */
  fallback(): RecordWriter
  /** The program of the thread. Default: the one of this build. */
  program?: URL
}

/** Records are sent to the thread in batches, as each message costs time: after `batchMs`, or as soon as there are `batchSize`. */
const batchMs = 20
const batchSize = 8
/** The number of starts in a row without anything written, after which the thread is not started again. */
const mostStarts = 3

const program = new URL(import.meta.url.endsWith('.ts') ? 'thread.ts' : 'records-thread.mjs', import.meta.url)

/**
 * Writes records in its own thread, so that the thread that serves requests only passes them on. The thread is started with the first
 * record. Records that it had not written when it crashed are lost.
 */
export class ThreadWriter implements RecordWriter {
  readonly #options: ThreadWriterOptions
  #thread: Worker | undefined
  #state: 'starting' | 'ready' | 'closing' = 'starting'
  /** True once a thread took records. */
  #hasRun = false
  #fallback: RecordWriter | undefined
  /** Starts since the last record was written. */
  #starts = 0
  #failure: unknown
  /** The records that are to be sent. */
  #queue: FinishedRecord[] = []
  /** The records that were sent and are not settled. */
  #sent: Settled = { count: 0, characters: 0 }
  #timer: ReturnType<typeof setTimeout> | undefined
  readonly #flushes = new Map<number, () => void>()
  #flushNumber = 0

  constructor(options: ThreadWriterOptions) {
    this.#options = options
  }

  add(record: FinishedRecord): void {
    if (this.#fallback) {
      this.#fallback.add(record)
      return
    }
    this.#queue.push(record)
    if (!this.#thread) this.#start()
    else if (this.#queue.length >= batchSize) this.#send()
    else if (this.#timer === undefined) {
      this.#timer = setTimeout(() => this.#send(), batchMs)
      this.#timer.unref()
    }
  }

  async flush(): Promise<void> {
    if (!this.#fallback && (this.#queue.length > 0 || this.#sent.count > 0)) {
      const number = ++this.#flushNumber
      const flushed = new Promise<void>((resolve) => this.#flushes.set(number, resolve))
      // Whoever waits for the thread keeps it alive, and it the process.
      this.#thread?.ref()
      this.#send()
      this.#ask(number)
      await flushed
    }
    await this.#fallback?.flush()
  }

  async close(): Promise<void> {
    await this.flush()
    await this.#fallback?.close()
    const thread = this.#thread
    if (!thread) return
    const ended = new Promise((resolve) => thread.once('exit', resolve))
    this.#state = 'closing'
    thread.ref()
    this.#post({ type: 'close' })
    await ended
  }

  #start(): void {
    this.#starts++
    this.#state = 'starting'
    this.#failure = undefined
    const { settings, program: own = program } = this.#options
    const { Worker } = neededModule('node:worker_threads', 'records')
    // Modules that the process preloads, such as an SDK that traces it, are not for this thread.
    const thread = new Worker(own, { workerData: settings, execArgv: [], name: 'anycall records' })
    this.#thread = thread
    if (this.#flushes.size === 0) thread.unref()
    thread.on('message', (message: FromThread) => this.#onMessage(message))
    thread.on('error', (error) => {
      this.#failure = error
    })
    thread.on('exit', (code) => this.#ended(this.#failure ?? new Error(`The thread ended with code ${code}.`)))
  }

  #post(message: ToThread): void {
    this.#thread?.postMessage(message)
  }

  #ask(number: number): void {
    if (this.#state === 'ready') this.#post({ type: 'flush', number })
  }

  /** Sends what is queued, once the thread takes records. */
  #send(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    if (this.#state !== 'ready' || this.#queue.length === 0) return
    const records = this.#queue
    this.#queue = []
    this.#count(settledOf(records), 1)
    try {
      this.#post({ type: 'add', records })
    } catch {
      // A field of a log line may hold what cannot be sent, a function for example, and what a record as JSON leaves out.
      this.#post({ type: 'add', records: JSON.parse(JSON.stringify(records)) as FinishedRecord[] })
    }
  }

  #onMessage(message: FromThread): void {
    switch (message.type) {
      case 'ready':
        this.#state = 'ready'
        this.#hasRun = true
        this.#send()
        for (const number of this.#flushes.keys()) this.#ask(number)
        return
      case 'packed':
        this.#options.keep(message.batch)
        return
      case 'written':
        this.#starts = 1
        this.#count(message, -1)
        this.#options.events.written(message)
        return
      case 'lost':
        this.#count(message, -1)
        this.#options.events.lost(message, new Error(message.error))
        return
      case 'flushed':
        this.#resolve(message.number)
    }
  }

  #count({ count, characters }: Settled, sign: 1 | -1): void {
    this.#sent = { count: this.#sent.count + sign * count, characters: this.#sent.characters + sign * characters }
  }

  #resolve(number: number): void {
    this.#flushes.get(number)?.()
    this.#flushes.delete(number)
    if (this.#flushes.size === 0 && this.#state !== 'closing') this.#thread?.unref()
  }

  #ended(error: unknown): void {
    this.#thread = undefined
    if (this.#state === 'closing') return
    const { events, fallback } = this.#options
    if (this.#sent.count > 0) events.lost(this.#sent, error)
    this.#sent = { count: 0, characters: 0 }
    if (!this.#hasRun) {
      this.#fallback = fallback()
      events.threadless(error)
      for (const record of this.#queue.splice(0)) this.#fallback.add(record)
    } else if (this.#starts >= mostStarts) {
      if (this.#queue.length > 0) events.lost(settledOf(this.#queue.splice(0)), error)
      events.stopped(error)
    } else if (this.#queue.length > 0) {
      this.#start()
      return
    }
    for (const number of [...this.#flushes.keys()]) this.#resolve(number)
  }
}

function settledOf(records: readonly FinishedRecord[]): Settled {
  return { count: records.length, characters: records.reduce((sum, one) => sum + one.characters, 0) }
}
