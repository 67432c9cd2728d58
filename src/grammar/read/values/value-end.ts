import type { Sought } from '../../scan/sought.ts'
import type { Terminal } from '../../scan/terminal.ts'
import type { Pattern } from '../../tree/pattern.ts'

/** The end of a value: a terminal, followed by one of others. */
export interface ValueEnd {
  terminal: Terminal
  follow: readonly Terminal[]
  /** The pattern of the terminal, if it refers to captured text: an argument's key or the call's name. */
  bound?: Pattern
  /**
   * `own`: the value's closing marker. `outer`: that of a part around it. `next`: the beginning of the next argument.
   * The last two are not taken, because they belong to other parts.
   */
  is: 'own' | 'outer' | 'next'
  /** For an outer end: the beginning of a part like the one that it closes. */
  opening?: Sought
  /** True if another closing marker follows: after the value's own end, that one must be present too. */
  isChained?: boolean
}
