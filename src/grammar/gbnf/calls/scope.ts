import type { JsonObject } from '../../../conversation/index.ts'
import type { Variant } from '../../schema/variants.ts'
import type { TokenOrTag, TypeWords } from '../../tree/expression.ts'
import type { Gbnf } from '../gbnf.ts'
import type { OfferedTool } from '../made-once.ts'

/**
 * Variants of a format's syntax: as calls are usually written, with the forms that the reader tolerates, and with
 * escapes.
 */
export const printModes = ['usual', 'tolerated', 'escaped'] as const
export type PrintMode = (typeof printModes)[number]
/** The number of arguments of the call: a call without arguments is written differently. */
export type ArgumentCount = 'any' | 'some' | 'none'

/** One argument with its own markers. */
export interface Member {
  key: string | Gbnf
  /** The argument's name, if it is known. */
  name: string | undefined
  variants: readonly Variant[]
  /** The words for its type, if a marker names the type. */
  words: TypeWords | undefined
  type: string | undefined
}

/** The scope in which an expression of a format's tree is printed. */
export interface Scope {
  tool?: OfferedTool
  schema?: JsonObject
  argumentCount: ArgumentCount
  mode: PrintMode
  member?: Member
  /** The closing markers of the open parts around the expression. */
  closers: readonly TokenOrTag[]
  /** The marker that opens the next argument. */
  opener?: TokenOrTag | undefined
}

/** Any value of a type. */
export function typed(type: string): Variant {
  if (type === 'boolean' || type === 'null') return { type }
  return { type: type === 'array' || type === 'object' || type === 'number' ? type : 'string', schema: {} }
}
