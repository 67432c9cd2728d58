import type { Conversation, ReplyEvent } from '../../conversation/index.ts'
import { type ClientRequest, type ExchangeRecord, recordVersion, type SessionPlace } from '../record/exchange.ts'
import { PiecedText } from '../record/timed-text.ts'
import { split } from '../store/pack.ts'
import type { FinishedRecord } from '../write/finished.ts'
import { AttemptDraft } from './attempt-draft.ts'
import { CharacterBudget } from './character-budget.ts'
import { clientOf } from './client-of.ts'
import type { ExchangeEvent, ExchangeStart } from './hooks.ts'
import { ReplyDraft } from './reply-draft.ts'

/** The largest number of log lines and notices that are kept. */
const mostLines = 500
/** The largest number of events that a brief draft keeps as they came. */
const mostLater = 512

type Event<Type extends ExchangeEvent['type']> = Extract<ExchangeEvent, { type: Type }>
/** An event with a time of its own in the record. */
type TimedEvent = Exclude<ExchangeEvent, { type: 'span' }>

/** Collects the events of one exchange; `record` returns what has been collected so far. */
export class Draft {
  readonly id: string
  /** Milliseconds since 1970. */
  readonly at: number
  readonly isReplay: boolean
  /** True if its record has no spans, no reply events and no body of the answer. */
  readonly isBrief: boolean
  /** The client's key, which its record must not show. */
  readonly key: string | undefined
  /** Its place once it is looked for, which the conversation must be known for. */
  session: SessionPlace
  isPlaced = false
  readonly #start: ExchangeStart
  readonly #now: () => number
  readonly #started: number
  readonly #budget: CharacterBudget
  readonly #client: Pick<ClientRequest, 'protocol' | 'model' | 'stream'> = {}
  readonly #body: string[] = []
  readonly #attempts: AttemptDraft[] = []
  readonly #reply: ReplyDraft
  readonly #sent = new PiecedText()
  readonly #rest: Pick<ExchangeRecord, 'plan' | 'notices' | 'log' | 'timings' | 'usage' | 'finish' | 'error'> = {
    notices: [],
    log: [],
    timings: {},
  }
  /** The line of the log after which the next attempt is made. */
  #cause: { event: string; why: string } | undefined
  #status = 0
  #conversation: Conversation | undefined
  /**
   * The events of a brief draft as they came. Most likely it becomes no record, as long as they are those of a plain success: making
   * something of them would take a hundredth of the time of a short reply.
   */
  readonly #later: { ms: number; event: TimedEvent }[] = []
  #attemptCount = 0
  #hasEvents = false

  /** `now` returns milliseconds; `characters` bounds the record. */
  constructor(start: ExchangeStart, characters: number, now: () => number, isBrief = false) {
    this.#start = start
    this.id = start.id
    this.at = start.at
    this.isBrief = isBrief
    this.isReplay = start.isReplay
    this.key = start.key
    this.session = { id: start.id, step: 0 }
    this.#now = now
    this.#started = now()
    this.#budget = new CharacterBudget(characters)
    this.#reply = new ReplyDraft(this.#budget)
  }

  get conversation(): Conversation | undefined {
    this.#takeLater()
    return this.#conversation
  }

  get isOver(): boolean {
    return this.#rest.timings.end !== undefined
  }

  /** True if the exchange is more than a plain success: an error, a notice, or several attempts. */
  get isOdd(): boolean {
    return (
      this.#status >= 400 || this.#rest.error !== undefined || this.#rest.notices.length > 0 || this.#attemptCount > 1
    )
  }

  /** The characters collected so far, without the bodies of requests to upstreams. */
  get characters(): number {
    this.#takeLater()
    return this.#budget.taken
  }

  add(event: ExchangeEvent): void {
    if (event.type === 'span') {
      // Many come with each piece, and none needs the time.
      if (!this.isBrief) this.#attempt(event)?.span(event)
      return
    }
    // Nearly all events of a stream: a brief record has only the time of the first.
    if (this.isBrief && event.type === 'reply' && this.#hasEvents && event.events.every(isSaid)) return
    const ms = Math.round(this.#now() - this.#started)
    if (event.type === 'attempt') this.#attemptCount++
    if (event.type === 'reply') this.#hasEvents = true
    if (this.isBrief && isPlain(event)) {
      if (this.#later.push({ ms, event }) === mostLater) this.#takeLater()
      return
    }
    // The end needs none of the events before it.
    if (event.type !== 'end') this.#takeLater()
    this.#take(ms, event)
  }

  #take(ms: number, event: TimedEvent): void {
    const { timings } = this.#rest
    switch (event.type) {
      case 'received':
        timings.received = ms
        this.#body.push(this.#budget.fit('client.body', event.text))
        return
      case 'decoded':
        timings.decoded = ms
        this.#client.protocol = event.protocol
        this.#client.model = event.conversation.model.slice(0, 500)
        this.#client.stream = event.stream
        this.#conversation = event.conversation
        return
      case 'plan': {
        timings.planned ??= ms
        const { type: _, ...plan } = event
        this.#rest.plan = plan
        return
      }
      case 'attempt':
        if (this.#rest.plan && event.reading.dialect !== undefined) this.#rest.plan.dialect = event.reading.dialect
        this.#attempts.push(new AttemptDraft(event, this.#cause, ms, this.#budget))
        this.#cause = undefined
        return
      case 'asked':
        timings.asked ??= ms
        this.#attempt(event)?.asked(ms, event)
        return
      case 'body':
        this.#attempt(event)?.sent(event)
        return
      case 'pieces':
        timings.firstPiece ??= ms
        this.#attempt(event)?.pieces(ms, event.events)
        return
      case 'attempt-end':
        this.#attempt(event)?.end(ms, event)
        return
      case 'log':
        this.#line(ms, event)
        return
      case 'notice':
        if (this.#rest.notices.length < mostLines) this.#rest.notices.push({ ms, ...event.notice })
        return
      case 'reply':
        timings.firstEvent ??= ms
        for (const one of event.events) this.#replied(ms, one)
        return
      case 'sent':
        timings.firstByte ??= ms
        if (!this.isBrief) this.#sent.push(ms, this.#budget.fit('answer.body', event.text))
        return
      case 'end':
        timings.end = ms
        this.#status = event.status
        if (event.error) this.#rest.error = event.error
    }
  }

  /** Returns the record of an exchange that is over, as a writer takes it. */
  finished(): FinishedRecord {
    this.#takeLater()
    const budget = this.#budget.copy()
    const record = this.#recordIn(budget)
    return { ...split(record), characters: budget.taken, ...(this.key !== undefined && { key: this.key }) }
  }

  record(): ExchangeRecord {
    this.#takeLater()
    // A record may be read while the exchange runs: a copy leaves the budget of later events unchanged.
    return this.#recordIn(this.#budget.copy())
  }

  #recordIn(budget: CharacterBudget): ExchangeRecord {
    const body = this.#body.join('')
    const attempts = this.#attempts.map((attempt) => attempt.record(budget))
    const { leftOut } = budget
    return {
      version: recordVersion,
      id: this.id,
      at: new Date(this.at).toISOString(),
      session: this.session,
      client: { ...clientOf(this.#start), ...this.#client, body },
      ...(this.#conversation && budget.take('conversation', body.length) && { conversation: this.#conversation }),
      attempts,
      reply: this.#reply.events,
      answer: { status: this.#status, body: this.#sent.timed },
      ...this.#rest,
      ...(this.isBrief && { isBrief: true as const }),
      ...(Object.keys(leftOut).length > 0 && { leftOut: { ...leftOut } }),
    }
  }

  #attempt({ attempt }: { attempt: number }): AttemptDraft | undefined {
    return this.#attempts[attempt]
  }

  #replied(ms: number, event: ReplyEvent): void {
    if (event.type === 'notice') {
      const attempt = this.#attempts.length - 1
      if (this.#rest.notices.length < mostLines)
        this.#rest.notices.push({ ms, ...event.notice, ...(event.notice.span && attempt >= 0 && { attempt }) })
    } else if (event.type === 'finish') {
      this.#rest.finish = event.reason
      if (event.usage) this.#rest.usage = event.usage
    }
    if (!this.isBrief) this.#reply.push(ms, event)
  }

  #takeLater(): void {
    if (this.#later.length === 0) return
    for (const { ms, event } of this.#later) this.#take(ms, event)
    this.#later.length = 0
  }

  #line(ms: number, { level, event, fields }: Event<'log'>): void {
    const why = fields.error ?? fields.why ?? fields.fault
    if (level !== 'debug') this.#cause = { event, why: typeof why === 'string' ? why : '' }
    // The notices and the texts of level `debug` are in the record itself.
    if (level === 'debug' || event === 'notice' || this.#rest.log.length >= mostLines) return
    this.#rest.log.push({ ms, level, event, fields })
  }
}

function isSaid({ type }: ReplyEvent): boolean {
  return type === 'text' || type === 'reasoning' || type === 'call-arguments'
}

/** True for an event of a plain success, so far. */
function isPlain(event: TimedEvent): boolean {
  if (event.type === 'reply') return event.events.every(({ type }) => type !== 'notice')
  return event.type !== 'notice' && event.type !== 'end'
}
