import type { Budget } from './budget.ts'
import type { Value } from './values.ts'

/** What one rendering has. */
export interface Runtime {
  readonly budget: Budget
  /** What `strftime_now` writes: the local time of this moment. */
  readonly now: () => Date
  /** True where templates may change lists and dictionaries, which Transformers' sandbox forbids and llama.cpp allows. */
  readonly mutable: boolean
  /** How attributes and items of values are found; `'{0.name}'.format(…)` looks them up too. */
  readonly lookup: Lookup
  /** The line of the template that is being worked on. */
  line: number
}

/** The lookups `value.name` and `value[key]`. */
export interface Lookup {
  attribute(value: Value, name: string, runtime: Runtime): Value
  item(value: Value, key: Value, runtime: Runtime): Value
}
