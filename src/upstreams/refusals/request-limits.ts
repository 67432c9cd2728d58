import type { Log } from '../upstream.ts'
import { readContextOverflow } from './context-length.ts'
import { readErrorText } from './error-text.ts'
import type { LearnedLimits } from './learned-limits.ts'
import { readOutputLimit } from './output-limit.ts'
import { isRefusal, type RefusableParts, refusedPart } from './refusals.ts'

export interface RequestLimitsOptions<Api extends keyof RefusableParts> {
  /** The API in which the request is written. */
  api: Api
  upstream: string
  model: string
  /** The limits of the upstream's models. */
  learned: LearnedLimits<RefusableParts[Api]>
  log: Log
  /** True if a request without a bound is allowed, and its reply ends at the end of the context. */
  isBoundOptional?: boolean
}

/** A body that was refused: the tokens that it allows the reply, and the parts that it has. */
export interface RefusedBody<Part> {
  maxTokens: unknown
  isIn(part: Part): boolean
}

/** Collects the refusals of one request, in addition to the known limits of its model. */
export class RequestLimits<Api extends keyof RefusableParts> {
  readonly #options: RequestLimitsOptions<Api>
  readonly #refused = new Set<RefusableParts[Api]>()
  #last: RefusableParts[Api] | undefined
  #mostTokens = Number.POSITIVE_INFINITY
  /** The room that the prompt leaves, which is this request's alone. */
  #room = Number.POSITIVE_INFINITY

  constructor(options: RequestLimitsOptions<Api>) {
    this.#options = options
  }

  /** All that the request is to be sent without. */
  get refused(): ReadonlySet<RefusableParts[Api]> {
    const { learned, model } = this.#options
    const known = learned.of(model).refused
    return this.#refused.size === 0 ? known : new Set([...known, ...this.#refused])
  }

  /** Returns the limit of the reply's tokens to send for a requested one; undefined: send no limit. */
  bound(asked: number): number | undefined {
    const { learned, model, isBoundOptional } = this.#options
    if (isBoundOptional && this.#room !== Number.POSITIVE_INFINITY) return undefined
    return Math.min(asked, learned.of(model).mostTokens, this.#mostTokens, this.#room)
  }

  /** Reads a refusal, `text` with this status. True if the request can be sent otherwise. */
  learn({ maxTokens, isIn }: RefusedBody<RefusableParts[Api]>, status: number, text: string): boolean {
    const { api, upstream, model, log, isBoundOptional = false } = this.#options
    if (!isRefusal(api, status)) return false
    const said = readErrorText(text)
    // The server now refuses another part: the last refusal was read correctly.
    const last = this.#last
    if (refusedPart(api, status, said, (part) => part === last) === undefined) this.keep()
    const sent = typeof maxTokens === 'number' ? maxTokens : 0
    const overflow = sent > 0 ? readContextOverflow(said, text) : undefined
    if (overflow?.type === 'prompt-and-output') {
      const room = overflow.maximum - overflow.prompt
      if (!isBoundOptional && (room <= 0 || room >= sent)) return false
      this.#room = room
      if (isBoundOptional) log('info', 'upstream.max-tokens-dropped', { upstream, maxTokens })
      else log('info', 'upstream.max-tokens-lowered', { upstream, model, maxTokens: room })
      return true
    }
    const most = readOutputLimit(said)
    if (most !== undefined && most > 0 && most < sent) {
      this.#mostTokens = most
      log('info', 'upstream.max-tokens-lowered', { upstream, model, maxTokens: most })
      return true
    }
    const part = refusedPart(api, status, said, isIn)
    if (part === undefined || this.refused.has(part)) return false
    this.#refused.add(part)
    this.#last = part
    log('info', 'upstream.refused', { upstream, model, part })
    return true
  }

  /** The server has accepted the request: its refusals were read right, and count for the model. */
  keep(): void {
    const { learned, model } = this.#options
    learned.add(model, { refused: this.#refused, mostTokens: this.#mostTokens })
  }
}
