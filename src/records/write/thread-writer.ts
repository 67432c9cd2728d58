import type { Worker } from 'node:worker_threads'
import { neededModule } from '../../upstreams/index.ts'
import type { PackedExchange } from '../store/store.ts'
import type { FinishedRecord } from './finished.ts'
import type { FromThread, ThreadSettings, ToThread } from './messages.ts'
import type { WritePace } from './pace.ts'
import type { RecordWriter, Settled, WriterEvents } from './writer.ts'

export interface ThreadWriterOptions {
  settings: ThreadSettings
  events: WriterEvents
  /** Keeps records that the thread has packed, if it has no file. */
  keep(batch: PackedExchange[]): void
  /** Makes the writer that takes over if no thread can be started. */
  fallback(): RecordWriter
  pace: Pick<WritePace, 'wrote' | 'rest'>
  /** The program of the thread. Default: the one of this build. */
  program?: URL
}

/**
 * Records are sent to the thread in batches, each of which it writes at once, as a message and a transaction take longer than a record:
 * after `batchMs`, or as soon as there are `batchSize`. The next batch waits until the one before it is written.
 */
const batchMs = 100
const batchSize = 32
/** A batch that has so many characters takes no further records. */
const batchCharacters = 2 * 1024 ** 2
/** The number of starts in a row without anything written, after which the thread is not started again. */
const mostStarts = 3

const program = new URL(import.meta.url.endsWith('.ts') ? 'thread.ts' : 'records-thread.mjs', import.meta.url)

/**
 * Writes records in its own thread, so that the thread that serves requests only passes them on. The thread is started with the first
 * record. Records that it had not written when it crashed are lost. While the gateway is busy, records wait here.
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
  /** The milliseconds for which the thread had worked when its last batch was written. */
  #worked = 0
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
    else if (this.#queue.length === batchSize) this.#sendNext()
    else if (this.#timer === undefined && this.#sent.count === 0)
      this.#sendIn(Math.max(batchMs, this.#options.pace.rest()))
  }

  async flush(): Promise<void> {
    if (!this.#fallback && (this.#queue.length > 0 || this.#sent.count > 0)) {
      const number = ++this.#flushNumber
      const flushed = new Promise<void>((resolve) => this.#flushes.set(number, resolve))
      // Whoever waits for the thread keeps it alive, and it the process.
      this.#thread?.ref()
      this.#sendAll(number)
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

  #sendIn(ms: number): void {
    this.#timer ??= setTimeout(() => this.#sendNext(), ms)
    this.#timer.unref()
  }

  /** Sends the next batch if the thread has nothing to write and has rested. */
  #sendNext(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    if (this.#state !== 'ready' || this.#queue.length === 0 || this.#sent.count > 0) return
    const rest = this.#options.pace.rest()
    if (rest > 0) this.#sendIn(rest)
    else this.#send()
  }

  /** Sends all that is queued, whatever the pace, and asks for an answer once it is written. */
  #sendAll(flushNumber: number): void {
    if (this.#state !== 'ready') return
    while (this.#queue.length > 0) this.#send()
    this.#post({ type: 'flush', number: flushNumber })
  }

  #send(): void {
    const records: FinishedRecord[] = []
    let characters = 0
    while (records.length < batchSize && characters < batchCharacters) {
      const record = this.#queue.shift()
      if (!record) break
      records.push(record)
      characters += record.characters
    }
    this.#count({ count: records.length, characters }, 1)
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
        this.#worked = this.#activeMs()
        this.#sendNext()
        for (const number of this.#flushes.keys()) this.#sendAll(number)
        return
      case 'packed':
        this.#options.keep(message.batch)
        return
      case 'written':
        this.#starts = 1
        this.#settled(message)
        this.#options.events.written(message)
        return
      case 'lost':
        this.#settled(message)
        this.#options.events.lost(message, new Error(message.error))
        return
      case 'flushed':
        this.#resolve(message.number)
    }
  }

  #settled(records: Settled): void {
    this.#count(records, -1)
    const worked = this.#activeMs()
    this.#options.pace.wrote(worked - this.#worked)
    this.#worked = worked
    if (this.#queue.length >= batchSize) this.#sendNext()
    else if (this.#queue.length > 0) this.#sendIn(batchMs)
  }

  /** The milliseconds for which the thread has worked; 0 on a runtime that does not measure it. */
  #activeMs(): number {
    return this.#thread?.performance?.eventLoopUtilization().active ?? 0
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
