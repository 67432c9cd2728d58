import { pause } from '../../json/index.ts'
import type { ExchangeRecord } from '../record/exchange.ts'
import type { KeptFacts } from '../record/live.ts'
import { type ExchangeSummary, summaryOf } from '../record/summary.ts'
import type { Masker } from '../redact/masker.ts'
import { redacted } from '../redact/redact.ts'
import { pack } from '../store/pack.ts'
import type { KnownHead, RecordStore } from '../store/store.ts'
import { Draft } from './draft.ts'
import type { ExchangeEvent, ExchangeListener, ExchangeStart, GatewayHooks } from './hooks.ts'
import { LiveFeed } from './live.ts'
import { LivePieces } from './live-pieces.ts'
import { chainOf, SessionChain } from './session-chain.ts'

/** The exchanges that are kept. `odd`: failures, and those with a notice or several attempts. */
export type Keep = 'all' | 'odd' | 'sample'

export interface RecorderOptions {
  store: RecordStore
  keep: Keep
  /** The share of exchanges that `sample` keeps. */
  share: number
  masker: Masker
  /** Paths in the client's request whose values are masked. */
  paths: readonly string[]
  /** The characters that one record may have. */
  characters: number
  /** The characters that may wait to be written. */
  waitingCharacters: number
  /** Called when records are dropped, with their number so far. */
  dropped(count: number): void
  /** Called with the error of a store that cannot write. */
  failed(error: unknown): void
  /** Milliseconds that only grow. */
  now?(): number
  random?(): number
}

/** Milliseconds for which records are collected before they are written. */
const batchMs = 100
/** The kinds of events that change the row of an exchange. */
const changing: ReadonlySet<string> = new Set(['decoded', 'plan', 'attempt', 'notice'])
/** Sessions of so many exchanges are known after a restart. */
const knownHeads = 5000

/** Records exchanges, as a listener of the gateway's hooks. They are packed and written between requests, in batches. */
export class Recorder implements GatewayHooks {
  readonly live: LiveFeed = new LiveFeed()
  readonly store: RecordStore
  readonly #options: RecorderOptions
  readonly #chain: SessionChain
  readonly #running = new Map<string, Draft>()
  #waiting: Draft[] = []
  #waitingCharacters = 0
  #dropped = 0
  #timer: ReturnType<typeof setTimeout> | undefined
  #writing: Promise<void> | undefined

  constructor(options: RecorderOptions) {
    this.#options = options
    this.store = options.store
    const { store } = options
    const learn = (heads: readonly KnownHead[]): void => {
      for (const { head, id, session } of heads) this.#chain.learn(head, { id, place: session })
    }
    this.#chain = new SessionChain(() => learn(store.laterHeads?.(knownHeads) ?? []))
    learn(store.heads(knownHeads))
  }

  /** The rows of the exchanges that are running, or that wait to be written; the oldest first. */
  get recent(): ExchangeSummary[] {
    return [...this.#waiting, ...this.#running.values()].map((draft) => this.#row(draft))
  }

  get facts(): KeptFacts {
    const { file } = this.store
    return { ...this.store.size(), dropped: this.#dropped, ...(file !== undefined && { file }) }
  }

  readonly onExchange = (start: ExchangeStart): ExchangeListener | undefined => {
    const { keep, share, characters, now = () => performance.now(), random = Math.random } = this.#options
    if (keep === 'sample' && !start.isReplay && random() >= share) return undefined
    const draft = new Draft(start, characters, now)
    this.#running.set(draft.id, draft)
    this.live.tell(() => ({ type: 'begin', exchange: this.#row(draft) }))
    const { masker, paths } = this.#options
    const pieces = new LivePieces(paths.length === 0 ? masker : undefined)
    return (event) => {
      draft.tell(event)
      if (event.type === 'decoded') draft.session = this.#chain.place(draft.id, event.conversation)
      else if (event.type === 'end') this.#ended(draft)
      if (this.live.isWatched) this.#tellChange(draft, pieces, event)
    }
  }

  /** Returns the record of an exchange: one that is kept, that waits to be written, or that is running. */
  get(id: string): ExchangeRecord | undefined {
    const draft = this.#running.get(id) ?? this.#waiting.find((one) => one.id === id)
    return draft ? this.#redacted(draft) : this.store.get(id)
  }

  /** Writes what waits. */
  flush(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#writing ??= this.#write().finally(() => {
      this.#writing = undefined
    })
    return this.#writing
  }

  /** Writes what waits, and closes the store. */
  async close(): Promise<void> {
    await this.flush()
    await this.flush()
    this.store.close()
  }

  #ended(draft: Draft): void {
    this.#running.delete(draft.id)
    // Who sends a request again wants to see what became of it.
    const isKept = this.#options.keep !== 'odd' || draft.isOdd || draft.isReplay
    if (isKept && this.#waitingCharacters + draft.characters > this.#options.waitingCharacters) {
      const count = ++this.#dropped
      this.#options.dropped(count)
      this.live.tell(() => ({ type: 'dropped', count }))
    } else if (isKept) {
      this.#waiting.push(draft)
      this.#waitingCharacters += draft.characters
      this.#schedule()
    }
    this.live.tell(() => ({ type: 'end', exchange: this.#row(draft), isKept }))
  }

  #schedule(): void {
    if (this.#timer !== undefined || this.#writing) return
    this.#timer = setTimeout(() => void this.flush(), batchMs)
    if (typeof this.#timer === 'object') this.#timer.unref?.()
  }

  async #write(): Promise<void> {
    for (let batch = this.#waiting.slice(0, 32); batch.length > 0; batch = this.#waiting.slice(0, 32)) {
      try {
        this.store.add(batch.map((draft) => this.#packed(draft)))
      } catch (error) {
        this.#dropped += batch.length
        this.#options.failed(error)
      }
      this.#waiting = this.#waiting.slice(batch.length)
      for (const draft of batch) this.#waitingCharacters -= draft.characters
      await pause()
    }
  }

  #packed(draft: Draft): Parameters<RecordStore['add']>[0][number] {
    const record = this.#redacted(draft)
    const head = draft.conversation && chainOf(draft.conversation).at(-1)
    return { summary: summaryOf(record), data: pack(record), ...(head !== undefined && { head }) }
  }

  #redacted(draft: Draft): ExchangeRecord {
    return redacted(draft.record(), this.#options.masker, this.#options.paths)
  }

  #row(draft: Draft): ExchangeSummary {
    const row = summaryOf(this.#redacted(draft))
    return draft.isOver ? row : { ...row, state: 'running' }
  }

  #tellChange(draft: Draft, pieces: LivePieces, event: ExchangeEvent): void {
    if (changing.has(event.type)) this.live.tell(() => ({ type: 'change', exchange: this.#row(draft) }))
    for (const piece of pieces.take(event)) this.live.tell(() => ({ type: 'piece', id: draft.id, ...piece }))
  }
}
