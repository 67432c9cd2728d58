import type { Notice, ReplyEvent, Usage } from '../../conversation/index.ts'
import type { ExchangeEvent } from '../../records/index.ts'
import { AttemptMetrics, isCut } from './attempt-metrics.ts'
import type { BoundedValues } from './bounded-values.ts'
import { CallJudge, ReplyCalls } from './call-faults.ts'
import type { Instruments, RequestLabel } from './instruments.ts'

type Event<Type extends ExchangeEvent['type']> = Extract<ExchangeEvent, { type: Type }>

/** Steps to save a reply, by the events of the log. */
const recoveries: ReadonlyMap<string, string> = new Map([
  ['upstream.retry', 'retry'],
  ['call-sent-back', 'call_correction'],
  ['response-sent-back', 'format_correction'],
  ['correction-failed', 'correction_failed'],
  ['required-call-missing', 'demanded_call'],
  ['required-call-failed', 'demanded_call_failed'],
  ['continuation-failed', 'continuation_failed'],
])

/** Parts that an upstream refuses, by the events of the log. */
const refusals: ReadonlyMap<string, string> = new Map([
  ['tools-refused', 'tools'],
  ['images-refused', 'images'],
  ['response-format-ignored', 'response_format'],
  ['upstream.constraint-refused', 'constraint'],
  ['upstream.format-changed', 'format'],
  ['upstream.max-tokens-dropped', 'max_tokens'],
  ['upstream.max-tokens-lowered', 'max_tokens'],
])

/** Measures one exchange, by its events. */
export class ExchangeMetrics {
  readonly #instruments: Instruments
  readonly #codes: BoundedValues
  readonly #started = performance.now()
  readonly #labels: Record<RequestLabel, string> = { protocol: '', model: '', upstream: '', plan: '' }
  readonly #attempts: AttemptMetrics[] = []
  #judge: CallJudge | undefined
  #sent: ReplyCalls | undefined
  #isStream = false
  #hasSent = false
  #finish: Extract<ReplyEvent, { type: 'finish' }> | undefined

  /** `codes` bounds the values of labels that are not from a list of this file. */
  constructor(instruments: Instruments, codes: BoundedValues) {
    this.#instruments = instruments
    this.#codes = codes
    instruments.openRequests.inc()
  }

  onEvent(event: ExchangeEvent): void {
    switch (event.type) {
      case 'pieces':
        this.#attempts[event.attempt]?.pieces(event.events)
        return
      case 'read':
        this.#attempts[event.attempt]?.read(event.events)
        return
      case 'reply':
        this.#replied(event.events)
        return
      case 'sent':
        if (!this.#hasSent) this.#firstByte()
        return
      case 'decoded':
        this.#decoded(event)
        return
      case 'candidate':
        this.#labels.upstream = event.upstream
        this.#labels.model = event.configured
        return
      case 'plan':
        this.#labels.plan = event.plan
        return
      case 'attempt':
        if (this.#judge) {
          const means = { instruments: this.#instruments, judge: this.#judge }
          this.#attempts[event.attempt] = new AttemptMetrics(event, this.#labels.model, means)
        }
        return
      case 'attempt-end':
        this.#attempts[event.attempt]?.end(event.error?.code)
        return
      case 'notice':
        this.#noticed(event.notice)
        return
      case 'log':
        this.#logged(event)
        return
      case 'end':
        this.#end(event)
    }
  }

  get #model(): { model: string; upstream: string } {
    return { model: this.#labels.model, upstream: this.#labels.upstream }
  }

  #decoded({ protocol, stream, conversation }: Event<'decoded'>): void {
    this.#labels.protocol = protocol
    this.#judge = new CallJudge(conversation.tools)
    this.#sent = new ReplyCalls(this.#judge, { countsRepairs: false })
    this.#isStream = stream
    if (stream) this.#instruments.openStreams.inc()
  }

  #firstByte(): void {
    this.#hasSent = true
    if (this.#isStream) this.#instruments.firstByte.observe(this.#labels, this.#seconds)
  }

  #replied(events: readonly ReplyEvent[]): void {
    this.#sent?.push(events)
    for (const event of events) {
      if (event.type === 'notice') this.#noticed(event.notice)
      else if (event.type === 'finish') this.#finish = event
    }
  }

  #noticed({ code }: Notice): void {
    this.#instruments.notices.inc({ ...this.#model, code: this.#codes.bounded(code) })
    if (code === 'call-continued') this.#instruments.recoveries.inc({ ...this.#model, kind: 'continuation' })
  }

  #logged({ event, fields: { from, to, part } }: Event<'log'>): void {
    const kind = recoveries.get(event)
    if (kind !== undefined) this.#instruments.recoveries.inc({ ...this.#model, kind })
    else if (event === 'fail-over') this.#instruments.failOvers.inc({ from: String(from), to: String(to) })
    else {
      const refused = event === 'upstream.refused' ? this.#codes.bounded(String(part)) : refusals.get(event)
      if (refused !== undefined) this.#instruments.refusals.inc({ ...this.#model, part: refused })
    }
  }

  #end({ status, error }: Event<'end'>): void {
    const { requests, duration, openRequests, openStreams } = this.#instruments
    openRequests.dec()
    if (this.#isStream) openStreams.dec()
    const labels = { ...this.#labels, status: String(status) }
    requests.inc({ ...labels, error: error?.code ?? '' })
    duration.observe(labels, this.#seconds)
    this.#attempts.at(-1)?.sent(this.#sent?.end(isCut(this.#finish?.reason)) ?? [])
    this.#count(this.#finish?.usage ?? {})
  }

  #count({ inputTokens = 0, outputTokens = 0, cachedTokens = 0 }: Usage): void {
    const { tokens } = this.#instruments
    if (inputTokens > 0) tokens.inc({ ...this.#labels, kind: 'input' }, inputTokens)
    if (outputTokens > 0) tokens.inc({ ...this.#labels, kind: 'output' }, outputTokens)
    if (cachedTokens > 0) tokens.inc({ ...this.#labels, kind: 'cached' }, cachedTokens)
  }

  /** The time since the request came. */
  get #seconds(): number {
    return (performance.now() - this.#started) / 1000
  }
}
