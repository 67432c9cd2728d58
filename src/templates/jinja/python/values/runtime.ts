import type { Budget } from './budget.ts'
import type { Value } from './values.ts'

/** The state of one rendering. */
export interface Runtime {
  readonly budget: Budget
  /** The date that `strftime_now` writes, in local time. */
  readonly now: () => Date
  /** True if templates may change lists and dictionaries, which Transformers' sandbox forbids and llama.cpp allows. */
  readonly mutable: boolean
  /** Looks up attributes and items of values; `'{0.name}'.format(…)` looks them up too. */
  readonly lookup: Lookup
  /** The line of the template that is being worked on. */
  line: number
}

/** The lookups `value.name` and `value[key]`. */
export interface Lookup {
  attribute(value: Value, name: string, runtime: Runtime): Value
  item(value: Value, key: Value, runtime: Runtime): Value
}
