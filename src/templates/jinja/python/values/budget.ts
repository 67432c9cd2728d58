import { TemplateFault } from '../../parse/error.ts'

/** The limits of one rendering. Templates are programs from outside. */
export interface BudgetLimits {
  /** Evaluated nodes, elements visited, and pieces of text made (a piece is 64 characters). */
  steps: number
  /** Characters of the rendered text, and of any one text on the way. */
  output: number
  /** Macros and recursive loops inside one another. */
  depth: number
}

/**
 * The limits of a rendering: steps, characters of output, and levels of macros. They are far above what templates need
 * (4,000 steps at most for a request with tools, of 48 templates). A slow machine uses them up within two seconds.
 *
 * @example
 * renderTemplate(template, input, { limits: { ...defaultLimits, steps: 100_000 } })
 */
export const defaultLimits: BudgetLimits = { steps: 4_000_000, output: 16_000_000, depth: 150 }

export class Budget {
  readonly limits: BudgetLimits
  #steps = 0
  #output = 0
  #depth = 0

  constructor(limits: Partial<BudgetLimits> = {}) {
    this.limits = { ...defaultLimits, ...limits }
  }

  get steps(): number {
    return this.#steps
  }

  spend(steps: number): void {
    this.#steps += steps
    if (this.#steps > this.limits.steps) {
      throw new TemplateFault('budget', `the template needs more than ${this.limits.steps} steps`)
    }
  }

  /** To be asked before a text of that length is made. */
  text(length: number): void {
    if (length > this.limits.output) {
      throw new TemplateFault('budget', `the template makes a text of more than ${this.limits.output} characters`)
    }
    this.spend(length >>> 6)
  }

  /** To be asked before a text of that length is searched, or walked through. */
  scan(length: number): void {
    this.spend(length >>> 4)
  }

  /** To be asked before a text of that length is taken apart: work for each of its characters, or many small texts of it. */
  walk(length: number): void {
    this.spend(length >>> 2)
  }

  /** To be asked before a sequence of that length is made. */
  elements(count: number): void {
    this.spend(Math.min(count, Number.MAX_SAFE_INTEGER))
  }

  written(length: number): void {
    this.#output += length
    if (this.#output > this.limits.output) {
      throw new TemplateFault('budget', `the template writes more than ${this.limits.output} characters`)
    }
  }

  /** Runs work that may get here again. */
  nested<Result>(work: () => Result): Result {
    if (++this.#depth > this.limits.depth) {
      throw new TemplateFault(
        'budget',
        `maximum recursion depth exceeded: macros are called more than ${this.limits.depth} deep`,
      )
    }
    try {
      return work()
    } finally {
      this.#depth--
    }
  }
}
