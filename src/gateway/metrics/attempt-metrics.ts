import type { FinishReason, ReplyEvent } from '../../conversation/index.ts'
import type { CallPiece, GenerationEvent, UpstreamEvent } from '../../upstreams/index.ts'
import { NativeCall } from '../reply/native-call.ts'
import { type CallJudge, type JudgedCall, ReplyCalls } from './call-faults.ts'
import type { CallLabel, Instruments } from './instruments.ts'

type Attempt = Extract<GenerationEvent, { type: 'attempt' }>

/** The finish reasons of replies that the model did not end itself. */
const cuts: ReadonlySet<FinishReason> = new Set(['length', 'stop-sequence', 'content-filter'])

/** The dialect of calls that an upstream makes itself. */
const native = 'native'

/** Measures one attempt: its outcome, its speed, and the calls as the model wrote them. */
export class AttemptMetrics {
  /** The labels of its model. */
  readonly #model: { model: string; upstream: string }
  readonly #plan: string
  readonly dialect: string
  readonly #instruments: Instruments
  readonly #judge: CallJudge
  /** Calls that are read from text; absent if the upstream makes its calls itself. */
  readonly #read: ReplyCalls | undefined
  readonly #made: NativeCall[] = []
  #firstMs: number | undefined
  #lastMs = 0
  #outputTokens = 0
  #finish: FinishReason | undefined

  /** `configured`: the model as the configuration names it. */
  constructor(
    { upstream, plan, reading }: Attempt,
    configured: string,
    { instruments, judge }: { instruments: Instruments; judge: CallJudge },
  ) {
    this.#model = { model: configured, upstream }
    this.#plan = plan
    this.dialect = reading.dialect ?? native
    this.#instruments = instruments
    this.#judge = judge
    if (this.dialect !== native) this.#read = new ReplyCalls(judge, { countsRepairs: true })
  }

  pieces(events: readonly UpstreamEvent[]): void {
    this.#lastMs = performance.now()
    this.#firstMs ??= this.#lastMs
    for (const event of events) {
      if (event.type === 'usage') this.#outputTokens = event.usage.outputTokens ?? this.#outputTokens
      else if (event.type === 'finish') this.#finish = event.reason
      else if (event.type === 'call' && !this.#read) this.#take(event)
    }
  }

  read(events: readonly ReplyEvent[]): void {
    this.#read?.push(events)
  }

  /** `error`: the code of the failure. */
  end(error: string | undefined): void {
    const { attempts, perToken } = this.#instruments
    attempts.inc({ ...this.#model, plan: this.#plan, outcome: error ?? 'ok' })
    const ms = this.#lastMs - (this.#firstMs ?? this.#lastMs)
    if (this.#outputTokens > 1 && ms > 0)
      perToken.observe({ ...this.#model, plan: this.#plan }, ms / 1000 / (this.#outputTokens - 1))
    const wasCut = error !== undefined || isCut(this.#finish)
    this.#count(this.#read?.end(wasCut) ?? this.#judgeMade(wasCut), 'written')
  }

  /** Counts the calls that the client gets of this attempt's model. */
  sent(calls: readonly JudgedCall[]): void {
    this.#count(calls, 'sent')
  }

  #take(piece: CallPiece): void {
    const last = this.#made.at(-1)
    const call = piece.goesOn ? last : this.#made.findLast((one) => !one.isOther(piece))
    if (call) {
      call.take(piece)
      return
    }
    const begun = new NativeCall(piece)
    begun.take(piece)
    this.#made.push(begun)
  }

  /** Judges the calls of the attempt. `wasCut`: the token limit cut the last call, which is counted neither as valid nor as invalid. */
  #judgeMade(wasCut: boolean): readonly JudgedCall[] {
    return this.#made.slice(0, wasCut ? -1 : undefined).map(({ name, json }) => {
      const fault = this.#judge.faultOf(name, json.trim() === '' ? '{}' : json)
      return fault ? { fault } : {}
    })
  }

  #count(calls: readonly JudgedCall[], stage: 'written' | 'sent'): void {
    if (calls.length === 0) return
    const labels: Record<CallLabel, string> = { ...this.#model, dialect: this.dialect, stage }
    this.#instruments.calls.inc(labels, calls.length)
    for (const { fault } of calls) if (fault) this.#instruments.callErrors.inc({ ...labels, class: fault })
  }
}

/** True for a reply whose last call may be cut. */
export function isCut(reason: FinishReason | undefined): boolean {
  return reason === undefined || cuts.has(reason)
}
