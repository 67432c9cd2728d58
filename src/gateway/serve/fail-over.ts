import { AnycallError, type ErrorCode } from '../../conversation/index.ts'
import { AttemptsSpent, type GenerationContext, type Upstream } from '../../upstreams/index.ts'
import { type Affine, affinityKey, fraction } from '../order/affinity.ts'
import type { ObservedVisit } from '../order/best-order.ts'
import type { Health, VisitEnd } from './health.ts'

/** A model of an upstream. */
export interface Target {
  upstream: Upstream
  /** The model as this upstream names it. */
  model: string
}

/** One of the upstreams that may serve a conversation. */
export interface Candidate extends Target {
  /** The model as the configuration names it, or the pattern that it fits: not a client's own text. */
  configured: string
  weight?: number
}

/** The errors after which another upstream is asked: all but those that are the request's own fault. */
const passedOn: ReadonlySet<ErrorCode> = new Set([
  'upstream',
  'timeout',
  'overloaded',
  'rate-limit',
  'authentication',
  'permission',
  'not-found',
])

/**
 * The candidates in the order in which they are tried for a conversation. Those with a weight share the conversations;
 * the others come after them in the order of the rule. The same conversation has the same order at every turn and in every copy of
 * the gateway, so that it keeps to the upstream that has its prompt in its cache (rendezvous hashing: Thaler and
 * Ravishankar, 1998). Those that are out of order come last.
 */
export function orderFor(
  candidates: readonly Candidate[],
  affine: Affine,
  health: Pick<Health, 'isReady'>,
): Candidate[] {
  if (candidates.length === 1) return [...candidates]
  const key = fraction(affinityKey(affine))
  const scored = candidates.map((candidate, place) => {
    const { weight, upstream } = candidate
    const score = weight === undefined ? -place : weight / -Math.log(fraction(`${upstream.name}\n${key}`))
    return { candidate, score, isReady: health.isReady(upstream.name) }
  })
  scored.sort((a, b) => Number(b.isReady) - Number(a.isReady) || b.score - a.score)
  return scored.map(({ candidate }) => candidate)
}

/** The result of the first candidate that began to answer. */
export interface Begun<Result> {
  result: Result
  /** The request to it, if its results are observed. */
  observed: ObservedVisit | undefined
  /**
   * Must be called when it has ended: with an error, or without one on success. The signal shows whether the client
   * left.
   */
  ended(error?: unknown): void
}

/**
 * Tries the candidates one after the other until one begins to answer. Throws the error of the last one. `health`
 * receives the outcome of each; leave it out for requests that do not reflect the upstream's health.
 */
export async function firstOf<Result>(
  candidates: readonly Candidate[],
  attempt: (candidate: Candidate, context: GenerationContext, observed?: ObservedVisit) => Promise<Result>,
  context: GenerationContext,
  health?: Health,
  observe?: (candidate: Candidate) => ObservedVisit,
): Promise<Begun<Result>> {
  for (const [place, candidate] of candidates.entries()) {
    const { name } = candidate.upstream
    const next = candidates[place + 1]
    const observed = observe?.(candidate)
    const visit = health?.asked(name)
    const visits = [visit, observed].filter((one) => one !== undefined)
    const own = { hasAlternative: next !== undefined && health?.isReady(next.upstream.name) === true, ...context }
    try {
      const result = await attempt(candidate, own, observed)
      // A reply that has begun cannot move to another upstream.
      own.hasAlternative = false
      // A reply without a reader has no other end, and others wait for that of a probe.
      if (visit?.isProbe) {
        if (context.signal.aborted) visit.released()
        else context.signal.addEventListener('abort', visit.released, { once: true })
      }
      return { result, observed, ended: (error) => reportOutcome(visits, error, context) }
    } catch (error) {
      context.attempts?.failed(error)
      reportOutcome(visits, error, context)
      if (!next || !isPassedOn(error, context)) throw error
      context.log('warn', 'fail-over', {
        requestId: context.requestId,
        from: name,
        to: next.upstream.name,
        error: error.message,
      })
    }
  }
  throw new Error('a model has at least one upstream')
}

function isPassedOn(error: unknown, { signal }: GenerationContext): error is AnycallError {
  if (!AnycallError.isInstance(error) || error instanceof AttemptsSpent) return false
  return passedOn.has(error.code) && !signal.aborted
}

const aboutKeys: ReadonlySet<ErrorCode> = new Set(['authentication', 'permission', 'rate-limit'])

/** True for an error that concerns the client's own key, which was passed through: other clients have others. */
export function isAboutClientKey(error: unknown, { clientKey }: Pick<GenerationContext, 'clientKey'>): boolean {
  return clientKey !== undefined && AnycallError.isInstance(error) && aboutKeys.has(error.code)
}

/** Reports the end of a request to the records of its upstream. */
function reportOutcome(visits: readonly VisitEnd[], error: unknown, context: GenerationContext): void {
  for (const visit of visits) {
    if (error === undefined) visit.succeeded()
    else if (isPassedOn(error, context) && isOfAll(error, context)) visit.failed(error.retryAfter)
    else visit.released()
  }
}

/** False for errors that concern only this request: a model that is missing, and one client's key. */
function isOfAll(error: AnycallError, context: GenerationContext): boolean {
  return error.code !== 'not-found' && !isAboutClientKey(error, context)
}
