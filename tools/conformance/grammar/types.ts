/** The rules of a grammar: of each the first places of its alternatives. */
export type Rules = ReadonlyMap<string, readonly Slot[]>

export type Symbol = CharacterSet | { type: 'rule'; name: string }
export type Symbols = Symbol[]

export interface CharacterSet {
  type: 'chars'
  /** Code points, both ends within. */
  ranges: readonly (readonly [number, number])[]
  isNegated: boolean
}

/** A place in an alternative: the symbol there, and the place after it. At the end there is neither. */
export interface Slot {
  symbol?: Symbol
  next?: Slot
}

/**
 * The place from which a rule was entered, and the elements after it: the nodes of a stack whose branches join again.
 */
export interface Caller {
  /** Undefined below the first rule. */
  slot?: Slot
  callers: Set<Caller>
  /** No other one has it. */
  id: number
  /** True if it was left where it was entered: the rule took no character. */
  isLeft: boolean
}
