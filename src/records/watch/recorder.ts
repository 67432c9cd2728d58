import type { ExchangeRecord } from '../record/exchange.ts'
import type { KeptFacts } from '../record/live.ts'
import { type ExchangeSummary, summaryOf } from '../record/summary.ts'
import { type Redaction, redacted } from '../redact/redact.ts'
import type { RecordStore } from '../store/store.ts'
import { chainOf, SessionChain } from '../write/session-chain.ts'
import type { RecordWriter, Settled, WriterEvents } from '../write/writer.ts'
import { Draft } from './draft.ts'
import type { ExchangeEvent, ExchangeListener, ExchangeStart, GatewayHooks } from './hooks.ts'
import { LiveFeed } from './live.ts'
import { LivePieces } from './live-pieces.ts'

/** The exchanges that are kept. `odd`: failures, and those with a notice or several attempts. */
export type Keep = 'all' | 'odd' | 'sample'

export interface RecorderOptions {
  /** The records that are written; they are read here. */
  store: RecordStore
  /** Makes the writer, which fills the store. */
  createWriter(events: WriterEvents): RecordWriter
  redaction: Redaction
  keep: Keep
  /** The share of exchanges that `sample` keeps. */
  share: number
  /** The characters that one record may have. */
  characters: number
  /** The characters that may wait to be written. */
  waitingCharacters: number
  /** Called when records are dropped because too many wait, with the number of all that were lost so far. */
  dropped(count: number): void
  /** Called with the error of a writer that lost records, with the same number. */
  failed(error: unknown, count: number): void
  /** Called if records cost time of the thread that serves requests, and if no more are kept. */
  degraded(how: 'threadless' | 'stopped', error: unknown): void
  /** Milliseconds that only grow. */
  now?(): number
  random?(): number
}

/** The kinds of events that change the row of an exchange. */
const changing: ReadonlySet<string> = new Set(['decoded', 'plan', 'attempt', 'notice'])

/** Records exchanges, as a listener of the gateway's hooks. A writer takes the records of those that are over. */
export class Recorder implements GatewayHooks {
  readonly live: LiveFeed = new LiveFeed()
  readonly store: RecordStore
  readonly #options: RecorderOptions
  readonly #writer: RecordWriter
  /** The sessions of exchanges that run while somebody watches; those of records are found when they are written. */
  readonly #chain: SessionChain
  readonly #running = new Map<string, Draft>()
  #waitingCharacters = 0
  #dropped = 0
  #isStopped = false

  constructor(options: RecorderOptions) {
    this.#options = options
    this.store = options.store
    this.#chain = new SessionChain((heads) => options.store.findHead(heads))
    this.#writer = options.createWriter({
      written: (records) => this.#settled(records),
      lost: (records, error) => {
        this.#settled(records)
        this.#drop(records.count)
        options.failed(error, this.#dropped)
      },
      threadless: (error) => options.degraded('threadless', error),
      stopped: (error) => {
        this.#isStopped = true
        options.degraded('stopped', error)
      },
    })
  }

  /** The rows of the exchanges that are running, the oldest first. */
  get recent(): ExchangeSummary[] {
    return [...this.#running.values()].map((draft) => this.#row(draft))
  }

  /** The number of records that were lost. */
  get dropped(): number {
    return this.#dropped
  }

  get facts(): KeptFacts {
    const { file } = this.store
    return { ...this.store.size(), dropped: this.#dropped, ...(file !== undefined && { file }) }
  }

  readonly onExchange = (start: ExchangeStart): ExchangeListener | undefined => {
    if (this.#isStopped) return undefined
    const { keep, share, characters, now = () => performance.now(), random = Math.random } = this.#options
    if (keep === 'sample' && !start.isReplay && random() >= share) return undefined
    const draft = new Draft(start, characters, now)
    this.#running.set(draft.id, draft)
    this.live.emit(() => ({ type: 'begin', exchange: this.#row(draft) }))
    let pieces: LivePieces | undefined
    return (event) => {
      draft.add(event)
      if (event.type === 'end') this.#ended(draft)
      if (!this.live.isWatched) return
      pieces ??= this.#livePieces()
      this.#emitChange(draft, pieces, event)
    }
  }

  /** Returns the record of an exchange that is kept or running; call `flush` first for one that has just ended. */
  get(id: string): ExchangeRecord | undefined {
    const draft = this.#running.get(id)
    return draft ? this.#redacted(draft) : this.store.get(id)
  }

  /** Resolves once the records of the exchanges that are over can be read. */
  flush(): Promise<void> {
    return this.#writer.flush()
  }

  /** Writes what waits, and closes the store. */
  async close(): Promise<void> {
    await this.#writer.close()
    this.store.close()
  }

  #ended(draft: Draft): void {
    this.#running.delete(draft.id)
    // Who sends a request again wants to see the result.
    const isKept = this.#options.keep !== 'odd' || draft.isOdd || draft.isReplay
    if (isKept) this.#write(draft)
    this.live.emit(() => ({ type: 'end', exchange: this.#row(draft), isKept }))
  }

  #write(draft: Draft): void {
    const record = draft.finished()
    if (this.#isStopped || this.#waitingCharacters + record.characters > this.#options.waitingCharacters) {
      this.#drop(1)
      this.#options.dropped(this.#dropped)
      return
    }
    this.#waitingCharacters += record.characters
    this.#writer.add(record)
  }

  #settled({ characters }: Settled): void {
    this.#waitingCharacters -= characters
  }

  #drop(count: number): void {
    this.#dropped += count
    this.live.emit(() => ({ type: 'dropped', count: this.#dropped }))
  }

  #redacted(draft: Draft): ExchangeRecord {
    this.#place(draft)
    return redacted(draft.record(), this.#options.redaction)
  }

  /** Finds the session of a draft whose record or row is wanted before it is written. */
  #place(draft: Draft): void {
    if (!draft.conversation || draft.isPlaced) return
    draft.session = this.#chain.place(draft.id, chainOf(draft.conversation))
    draft.isPlaced = true
  }

  #row(draft: Draft): ExchangeSummary {
    const row = summaryOf(this.#redacted(draft))
    return draft.isOver ? row : { ...row, state: 'running' }
  }

  #livePieces(): LivePieces {
    const { masker, paths } = this.#options.redaction
    return new LivePieces(paths.length === 0 ? masker : undefined)
  }

  #emitChange(draft: Draft, pieces: LivePieces, event: ExchangeEvent): void {
    if (changing.has(event.type)) this.live.emit(() => ({ type: 'change', exchange: this.#row(draft) }))
    for (const piece of pieces.take(event)) this.live.emit(() => ({ type: 'piece', id: draft.id, ...piece }))
  }
}
