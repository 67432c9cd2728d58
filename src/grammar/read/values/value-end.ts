import type { Terminal } from '../../scan/terminal.ts'
import type { Pattern } from '../../tree/pattern.ts'

/** The end of a value: a terminal, followed by one of others. */
export interface ValueEnd {
  terminal: Terminal
  follow: readonly Terminal[]
  /** The pattern of the terminal, if it refers to captured text: an argument's key or the call's name. */
  bound?: Pattern
  /**
   * `own`: the value's closing marker. `outer`: that of what is around it, and `next`: the beginning of the next
   * argument; both are left for what they belong to.
   */
  is: 'own' | 'outer' | 'next'
  /** True if another closing marker follows: after the value's own end, that one must be present too. */
  isChained?: boolean
}
