import { RecentMap } from '../../conversation/index.ts'

/** The limits of a model, as learned from refusals. */
export interface Limits<Part extends string> {
  refused: ReadonlySet<Part>
  /** The most tokens that a reply may be allowed. */
  mostTokens: number
}

/** Servers are restarted with other models and flags, and a refusal may be a mistake. */
const hourMs = 3_600_000

/**
 * Stores the refusals of an upstream's models, by a key of the model. Entries expire some time after the last refusal.
 */
export class LearnedLimits<Part extends string> {
  readonly #byModel: RecentMap<string, Limits<Part>>
  readonly #forMs: number

  /** `forMs`: how long a refusal counts. `now` returns milliseconds. */
  constructor(forMs: number = hourMs, now?: () => number) {
    this.#forMs = forMs
    this.#byModel = new RecentMap(undefined, now)
  }

  of(model: string): Limits<Part> {
    return this.#byModel.get(model) ?? { refused: new Set(), mostTokens: Number.POSITIVE_INFINITY }
  }

  /** Adds the findings of one request. */
  add(model: string, { refused = new Set(), mostTokens = Number.POSITIVE_INFINITY }: Partial<Limits<Part>>): void {
    if (refused.size === 0 && mostTokens === Number.POSITIVE_INFINITY) return
    const known = this.of(model)
    const limits = {
      refused: new Set([...known.refused, ...refused]),
      mostTokens: Math.min(known.mostTokens, mostTokens),
    }
    this.#byModel.set(model, limits, this.#forMs)
  }
}
