import type { Budget } from './budget.ts'

/** What one rendering has. */
export interface Runtime {
  readonly budget: Budget
  /** What `strftime_now` writes: the local time of this moment. */
  readonly now: () => Date
  /** True where templates may change lists and dictionaries, which Transformers' sandbox forbids and llama.cpp allows. */
  readonly mutable: boolean
  /** The line of the template that is being worked on. */
  line: number
}
