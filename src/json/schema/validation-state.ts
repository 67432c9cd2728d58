/** A violation at a place of a value: `days/0`, or '' for the value itself. */
export interface Fault {
  place: string
  /** For the one who wrote the value: `is a number, not a string`. */
  message: string
}

export interface ValidationBounds {
  /** The number of schemas, members and values that are checked in all. */
  steps: number
  /** The maximum depth of nested schemas. */
  depth: number
  /** The number of faults after which validation stops. */
  faults: number
}

/** Fifty thousand steps take 10 to 30 ms of CPU, and up to 100 in a process that has validated nothing before. */
export const defaultBounds: Readonly<ValidationBounds> = { steps: 50_000, depth: 500, faults: 5 }

/** A value judged by one schema among others. */
export interface Trial {
  faults: readonly Fault[]
  fits: boolean
  /** False if it fits only by the keywords that are checked. */
  isSure: boolean
}

/** The findings outside of the trial that runs. */
interface OuterTrial {
  faults: Fault[]
  isSure: boolean
}

export class OutOfBounds extends Error {
  readonly bound: 'steps' | 'depth'

  constructor(bound: 'steps' | 'depth') {
    super(bound)
    this.bound = bound
  }
}

/** The faults and steps of a validation so far. */
export class ValidationState {
  readonly bounds: ValidationBounds
  steps = 0
  #depth = 0
  #faults: Fault[] = []
  /** False once a schema had a keyword that is ignored: then a value without faults may still be invalid. */
  #isSure = true

  constructor(bounds: ValidationBounds) {
    this.bounds = bounds
  }

  /** Begins a trial, whose faults are separate from those found so far. Give the result to `endTrial`. */
  beginTrial(): OuterTrial {
    const outer = { faults: this.#faults, isSure: this.#isSure }
    this.#faults = []
    this.#isSure = true
    return outer
  }

  endTrial(outer: OuterTrial): Trial {
    const faults = this.#faults
    const trial = { faults, fits: faults.length === 0, isSure: this.#isSure }
    this.#faults = outer.faults
    this.#isSure &&= outer.isSure
    return trial
  }

  /** Adds the result of a trial whose schema has to hold. */
  add({ faults, isSure }: Trial): void {
    for (const { place, message } of faults) this.fault(place, message)
    if (!isSure) this.doubt()
  }

  /** Records that a schema has a keyword that is ignored. */
  doubt(): void {
    this.#isSure = false
  }

  get isEnough(): boolean {
    return this.#faults.length >= this.bounds.faults
  }

  fault(place: string, message: string): void {
    if (!this.isEnough) this.#faults.push({ place, message })
  }

  /** Enters a schema within the last one. */
  deepen(): void {
    if (++this.#depth > this.bounds.depth) throw new OutOfBounds('depth')
  }

  rise(): void {
    this.#depth--
  }

  spend(steps: number): void {
    this.steps += steps
    if (this.steps > this.bounds.steps) throw new OutOfBounds('steps')
  }
}
