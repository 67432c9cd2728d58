import { type ReplyEvent, toAnycallError } from '../../conversation/index.ts'
import type { ReaderOptions } from '../../dialects/index.ts'
import type {
  GenerationContext,
  GenerationRequest,
  PlanFacts,
  ReadingFacts,
  UpstreamEvent,
} from '../../upstreams/index.ts'
import type { PlanRequest } from './plan.ts'

type Trace = NonNullable<ReaderOptions['trace']>

/** Reports to the observer of a request what one attempt does: its requests, the pieces that come, and the role of each span. */
export class AttemptWatch {
  /** The context of the attempt's requests. */
  readonly context: GenerationContext
  /** For readers of the attempt's text; absent without an observer. */
  readonly trace: Trace | undefined
  readonly #attempt: number
  #isOver = false

  constructor(
    context: GenerationContext,
    { upstream, model }: Pick<PlanRequest, 'upstream' | 'model'>,
    plan: PlanFacts['plan'],
    reading: ReadingFacts,
  ) {
    const { observation } = context
    if (!observation) {
      this.context = context
      this.#attempt = 0
      return
    }
    const attempt = observation.attempts++
    this.#attempt = attempt
    this.context = { ...context, attempt }
    const trace: Trace = (role, start, end) => observation.emit({ type: 'span', attempt, role, start, end })
    if (observation.wantsSpans) this.trace = trace
    observation.emit({ type: 'attempt', attempt, upstream: upstream.name, model, plan, reading })
  }

  asked(request: GenerationRequest): void {
    this.context.observation?.emit({ type: 'asked', attempt: this.#attempt, request })
  }

  pieces(events: readonly UpstreamEvent[]): void {
    this.context.observation?.emit({ type: 'pieces', attempt: this.#attempt, events })
  }

  read(events: readonly ReplyEvent[]): void {
    const { observation } = this.context
    // Most batches are one piece of text.
    if (!observation || events.every(isSaid)) return
    observation.emit({ type: 'read', attempt: this.#attempt, events })
  }

  /** The attempt is over; only the first call counts. */
  ended(error?: unknown): void {
    const { observation } = this.context
    if (!observation || this.#isOver) return
    this.#isOver = true
    const { code, message } = error === undefined ? {} : toAnycallError(error)
    const failure = code === undefined || message === undefined ? {} : { error: { code, message } }
    observation.emit({ type: 'attempt-end', attempt: this.#attempt, ...failure })
  }
}

function isSaid({ type }: ReplyEvent): boolean {
  return type === 'text' || type === 'reasoning'
}
