import type { Terminal } from '../../scan/terminal.ts'
import type { Pattern } from '../../tree/pattern.ts'

/** What ends a value: a terminal, behind which one of others must follow. */
export interface ValueEnd {
  terminal: Terminal
  follow: readonly Terminal[]
  /** Where it holds what was captured before, an argument's key or the call's name: what the terminal is made of. */
  bound?: Pattern
  /**
   * `own`: the value's closing marker. `outer`: that of what is around it, and `next`: the beginning of the next
   * argument; both are left for what they belong to.
   */
  is: 'own' | 'outer' | 'next'
  /** Another closing marker stands behind it: where it is found behind a value's own, that must be there as well. */
  isChained?: boolean
}
