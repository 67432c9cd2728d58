import { Slots } from '../../conversation/index.ts'
import type { ExchangeRecord } from '../record/exchange.ts'
import type { KeptFacts } from '../record/live.ts'
import { type ExchangeSummary, summaryOf } from '../record/summary.ts'
import { type Redaction, redacted, withKey } from '../redact/redact.ts'
import type { RecordStore } from '../store/store.ts'
import type { WritePace } from '../write/pace.ts'
import { chainOf, SessionChain } from '../write/session-chain.ts'
import type { RecordWriter, Settled, WriterEvents } from '../write/writer.ts'
import { Draft } from './draft.ts'
import type { ExchangeEvent, ExchangeListener, ExchangeStart } from './hooks.ts'
import type { Observer, OwnHooks } from './listen.ts'
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
  /** The characters that may wait to be written, of which plain successes take only a part. A larger record waits alone. */
  waitingCharacters: number
  /** Says while the gateway is busy when there is time for a further plain success. */
  pace?: Pick<WritePace, 'isSpent' | 'kept'>
  /** Called when records were dropped because too many wait, with the number of all that were lost so far; from time to time, and at the end. */
  dropped(count: number): void
  /** Called with the error of a writer that lost records, with the same number. */
  failed(error: unknown, count: number): void
  /** Called if records cost time of the thread that serves requests, and if no more are kept. */
  degraded(how: 'threadless' | 'stopped', error: unknown): void
  /** Milliseconds that only grow. */
  now?(): number
  random?(): number
}

/** The part of the waiting characters that plain successes may take: the rest is for what people look for. */
const plainShare = 0.75
/** The shortest time between two reports of dropped records, in milliseconds. */
const reportMs = 5000

/** The kinds of events that change the row of an exchange. */
const changing: ReadonlySet<string> = new Set(['decoded', 'plan', 'attempt', 'notice'])

/** Records exchanges, as a listener of the gateway's hooks. A writer takes the records of those that are over. */
export class Recorder implements OwnHooks {
  readonly live: LiveFeed = new LiveFeed()
  readonly store: RecordStore
  readonly #options: RecorderOptions
  readonly #writer: RecordWriter
  /** The sessions of exchanges that run while somebody watches; those of records are found when they are written. */
  readonly #chain: SessionChain
  readonly #running = new Slots<Draft>()
  readonly #now: () => number
  #waitingCharacters = 0
  /** The characters of the draft that ended last: the next one is likely to have as many. */
  #lastCharacters = 0
  #dropped = 0
  /** The number of dropped records that was reported last, and the time from which on it may be reported again. */
  #reported = 0
  #reportAt = Number.NEGATIVE_INFINITY
  #isStopped = false

  constructor(options: RecorderOptions) {
    this.#options = options
    this.store = options.store
    this.#now = options.now ?? (() => performance.now())
    this.#chain = new SessionChain((heads) => options.store.findHead(heads))
    this.#writer = options.createWriter({
      written: (records) => this.#settled(records),
      lost: (records, error) => {
        this.#settled(records)
        this.#dropped += records.count
        this.#reported = this.#dropped
        this.live.emit(() => ({ type: 'dropped', count: this.#dropped }))
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
    return [...this.#running].sort((one, other) => one.at - other.at).map((draft) => this.#row(draft))
  }

  /** The number of records that were lost. */
  get dropped(): number {
    return this.#dropped
  }

  get facts(): KeptFacts {
    const { file } = this.store
    return { ...this.store.size(), dropped: this.#dropped, ...(file !== undefined && { file }) }
  }

  readonly observeExchange = (start: ExchangeStart): Observer | undefined => {
    if (this.#isStopped) return undefined
    const { keep, share, characters, random = Math.random } = this.#options
    if (keep === 'sample' && !start.isReplay && random() >= share) return undefined
    // It will be dropped unless it turns out to be odd: collecting all of it would take a tenth of the time of a short reply.
    const isDropped = !start.isReplay && (this.#isLate(keep === 'odd') || this.#isFullFor(this.#lastCharacters, false))
    const isNoted = !isDropped && keep !== 'odd'
    if (isNoted) this.#options.pace?.kept()
    const isBrief = isDropped && !this.live.isWatched
    const draft = new Draft(start, characters, this.#now, isBrief)
    const place = this.#running.add(draft)
    this.live.emit(() => ({ type: 'begin', exchange: this.#row(draft) }))
    return { onEvent: this.#listener(draft, place, isNoted), needsBody: true, needsTexts: !isBrief }
  }

  /** Returns the record of an exchange that is kept or running; call `flush` first for one that has just ended. */
  get(id: string): ExchangeRecord | undefined {
    const draft = [...this.#running].find((one) => one.id === id)
    return draft ? this.#redacted(draft) : this.store.get(id)
  }

  /** Resolves once the records of the exchanges that are over can be read. */
  flush(): Promise<void> {
    return this.#writer.flush()
  }

  /** Writes what waits, and closes the store. */
  async close(): Promise<void> {
    await this.#writer.close()
    this.#report()
    this.store.close()
  }

  /** `isNoted`: its record's time was noted when it began. */
  #listener(started: Draft, place: number, isNoted: boolean): ExchangeListener {
    // The request may keep its listener for a while: the texts of a draft that is over are not to stay with it.
    let draft: Draft | undefined = started
    let pieces: LivePieces | undefined
    return (event) => {
      if (!draft) return
      const own = draft
      own.add(event)
      if (event.type === 'end') {
        draft = undefined
        this.#running.remove(place, own)
        this.#ended(own, isNoted)
      }
      if (!this.live.isWatched) return
      pieces ??= this.#livePieces(own)
      this.#emitChange(own, pieces, event)
    }
  }

  #ended(draft: Draft, isNoted: boolean): void {
    // Who sends a request again wants to see the result.
    const isWanted = draft.isOdd || draft.isReplay
    const isKept = (this.#options.keep !== 'odd' || isWanted) && this.#write(draft, isWanted, isNoted)
    this.live.emit(() => ({ type: 'end', exchange: this.#row(draft), isKept }))
  }

  /** Passes the record of a draft to the writer. Returns false if too many wait: nothing is made of the draft then. */
  #write(draft: Draft, isWanted: boolean, isNoted: boolean): boolean {
    if (!draft.isBrief) this.#lastCharacters = draft.characters
    if (this.#isStopped || this.#isLate(isWanted || isNoted) || this.#isFullFor(draft.characters, isWanted)) {
      this.#dropped++
      if (this.#now() >= this.#reportAt) this.#report()
      return false
    }
    if (!isNoted) this.#options.pace?.kept()
    const record = draft.finished()
    this.#waitingCharacters += record.characters
    this.#writer.add(record)
    return true
  }

  /** True if so many characters have no place among those that may wait. */
  #isFullFor(characters: number, isWanted: boolean): boolean {
    if (this.#waitingCharacters === 0) return false
    const share = isWanted ? 1 : plainShare
    return this.#waitingCharacters + characters > share * this.#options.waitingCharacters
  }

  /** True if there is no time for a record, unless it needs none. */
  #isLate(isFree: boolean): boolean {
    return !isFree && this.#options.pace?.isSpent === true
  }

  #settled({ characters }: Settled): void {
    this.#waitingCharacters -= characters
    if (this.#waitingCharacters <= 0) this.#report()
  }

  /** Reports the dropped records, if there are new ones. */
  #report(): void {
    if (this.#dropped === this.#reported) return
    this.#reported = this.#dropped
    this.#reportAt = this.#now() + reportMs
    this.live.emit(() => ({ type: 'dropped', count: this.#dropped }))
    this.#options.dropped(this.#dropped)
  }

  #redacted(draft: Draft): ExchangeRecord {
    this.#place(draft)
    return redacted(draft.record(), withKey(this.#options.redaction, draft.key))
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

  #livePieces(draft: Draft): LivePieces {
    const { masker, paths } = withKey(this.#options.redaction, draft.key)
    return new LivePieces(paths.length === 0 ? masker : undefined)
  }

  #emitChange(draft: Draft, pieces: LivePieces, event: ExchangeEvent): void {
    if (changing.has(event.type)) this.live.emit(() => ({ type: 'change', exchange: this.#row(draft) }))
    for (const piece of pieces.take(event)) this.live.emit(() => ({ type: 'piece', id: draft.id, ...piece }))
  }
}
