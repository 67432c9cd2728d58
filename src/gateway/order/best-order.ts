import type { Conversation } from '../../conversation/index.ts'
import type { Log, Upstream } from '../../upstreams/index.ts'
import { CallTally } from './call-tally.ts'
import { Observations, type Quality, type Window } from './observations.ts'

/** An upstream counts as equal to the best one if its error rate is at most this much higher. */
const toleratedErrors = 0.1
/** The first event may also take this many times as long, or this many milliseconds longer. */
const toleratedSlowness = 2
const toleratedMs = 250

/** The models of upstreams whose results are kept. Clients may send any name if a rule passes names on. */
const mostModels = 1000

/** The place of a candidate: the best ones, those that are slow, and those whose calls are wrong too often. */
type Tier = 'best' | 'slow' | 'wrong'
const tiers: readonly Tier[] = ['best', 'slow', 'wrong']

/** A model of an upstream, which may serve a request. */
interface Candidate {
  upstream: Pick<Upstream, 'name'>
  model: string
}

/** A request to an upstream whose results are observed. Only the first report of its end counts. */
export interface ObservedVisit {
  succeeded(): void
  failed(): void
  /** Nothing was learned of the upstream: the request was at fault, or its client left. */
  released(): void
  /** The first event is there. */
  began(): void
  /** Events of the reply. */
  saw: CallTally['saw']
}

interface Model {
  observations: Observations
  tier: Tier
  /** The time at which it was last asked. */
  askedAt: number
}

/**
 * Ranks upstreams by the results of their recent requests: the error rate of tool calls, then the time to the first event. Upstreams that are about as
 * good as the best keep their order, so that conversations stay on their upstream; so do upstreams with too few results, so that they get
 * requests. All others come last, and are still tried now and then.
 */
export class BestOrder {
  readonly #models = new Map<string, Model>()
  readonly #now: () => number

  /** `now` returns milliseconds of a clock that is not set. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now
  }

  /** Returns candidates, given in another order, with the best ones first. */
  ranked<C extends Candidate>(candidates: readonly C[], window: Window, log: Log): C[] {
    const known = candidates.map((candidate) => ({ candidate, ...this.#qualityOf(candidate, window) }))
    const leastErrors = Math.min(...known.map(({ errorRate = 0 }) => errorRate))
    const right = known.filter(({ errorRate = 0 }) => errorRate <= leastErrors + toleratedErrors)
    const leastMs = Math.min(...right.map(({ firstMs = Number.POSITIVE_INFINITY }) => firstMs))
    const placed = known.map((one) => {
      const isSlow = (one.firstMs ?? 0) > Math.max(leastMs * toleratedSlowness, leastMs + toleratedMs)
      const tier: Tier = !right.includes(one) ? 'wrong' : isSlow ? 'slow' : 'best'
      this.#place(one.candidate, tier, one, log)
      return { ...one, tier }
    })
    // Sorting keeps the order of those that are equal.
    placed.sort((a, b) => tiers.indexOf(a.tier) - tiers.indexOf(b.tier) || worse(a) - worse(b))
    return placed.map(({ candidate }) => candidate)
  }

  /**
   * Returns the candidates in the order given, or with one that is passed over moved to the front, if it is time to ask it
   * again. Each is asked often enough to keep the number of its results in the window above the floor. Tool calls are
   * judged in requests with tools only.
   */
  withProbe<C extends Candidate>(ranked: readonly C[], window: Window, { conversation }: Probing): C[] {
    const now = this.#now()
    const due = ranked.find((candidate) => {
      const { tier = 'best', askedAt = now } = this.#models.get(keyOf(candidate)) ?? {}
      if (tier === 'best' || (tier === 'wrong' && conversation.tools.length === 0)) return false
      return now - askedAt >= window.ms / (2 * window.floor)
    })
    return due ? [due, ...ranked.filter((candidate) => candidate !== due)] : [...ranked]
  }

  /** A request goes to a candidate. */
  asked(candidate: Candidate, { conversation }: Probing): ObservedVisit {
    const model = this.#modelOf(candidate)
    const at = this.#now()
    model.askedAt = at
    const tally = new CallTally(conversation.tools)
    let firstMs: number | undefined
    let isOver = false
    const end = (failures: number): void => {
      if (isOver) return
      isOver = true
      const { calls, errors } = tally.counts
      const result = { calls: calls + failures, errors: errors + failures }
      model.observations.add(this.#now(), firstMs === undefined ? result : { ...result, firstMs })
    }
    return {
      began: () => {
        firstMs ??= this.#now() - at
      },
      saw: (events) => tally.saw(events),
      succeeded: () => end(0),
      failed: () => end(1),
      // Of a request at fault, or one whose client left, there is no result.
      released: () => {
        isOver = true
      },
    }
  }

  #qualityOf(candidate: Candidate, window: Window): Quality {
    return this.#modelOf(candidate).observations.quality(this.#now(), window)
  }

  #place(candidate: Candidate, tier: Tier, { errorRate, firstMs }: Quality, log: Log): void {
    const model = this.#modelOf(candidate)
    if (model.tier === tier) return
    const wasBest = model.tier === 'best'
    model.tier = tier
    const fields = { upstream: candidate.upstream.name, model: candidate.model, errorRate, firstMs }
    if (tier === 'best') log('info', 'upstream.taken-back', fields)
    else if (wasBest) log('warn', 'upstream.passed-over', { ...fields, why: tier })
  }

  #modelOf(candidate: Candidate): Model {
    const key = keyOf(candidate)
    const known = this.#models.get(key)
    if (known) return known
    const [oldest] = this.#models.keys()
    if (oldest !== undefined && this.#models.size >= mostModels) this.#models.delete(oldest)
    const model: Model = { observations: new Observations(), tier: 'best', askedAt: this.#now() }
    this.#models.set(key, model)
    return model
  }
}

/** The part of a request that the measurements depend on. */
interface Probing {
  conversation: Pick<Conversation, 'tools'>
}

/** Those in a tier below the best are ordered by what put them there. */
function worse({ tier, errorRate = 0, firstMs = 0 }: Quality & { tier: Tier }): number {
  return tier === 'wrong' ? errorRate : tier === 'slow' ? firstMs : 0
}

function keyOf({ upstream, model }: Candidate): string {
  return `${upstream.name}\n${model}`
}
