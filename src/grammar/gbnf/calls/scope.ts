import type { JsonObject } from '../../../conversation/index.ts'
import type { Variant } from '../../schema/variants.ts'
import type { TokenOrTag, TypeWords } from '../../tree/expression.ts'
import type { Gbnf } from '../gbnf.ts'
import type { OfferedTool } from '../made-once.ts'

/** How much of a format is used, as when calls are written. */
export const printModes = ['usual', 'tolerated', 'escaped'] as const
export type PrintMode = (typeof printModes)[number]
/** Whether the call has arguments: what is written without any differs. */
export type ArgumentCount = 'any' | 'some' | 'none'

/** An argument that stands by itself. */
export interface Member {
  key: string | Gbnf
  /** The argument's name, where it is known. */
  name: string | undefined
  variants: readonly Variant[]
  /** The words for its type, if a marker says it. */
  words: TypeWords | undefined
  type: string | undefined
}

/** For what an expression of a format's tree is printed. */
export interface Scope {
  tool?: OfferedTool
  schema?: JsonObject
  argumentCount: ArgumentCount
  mode: PrintMode
  member?: Member
  /** The closing markers of what is open around the expression. */
  closers: readonly TokenOrTag[]
  /** What the next argument begins with. */
  opener?: TokenOrTag | undefined
}

/** Any value of a type. */
export function typed(type: string): Variant {
  if (type === 'boolean' || type === 'null') return { type }
  return { type: type === 'array' || type === 'object' || type === 'number' ? type : 'string', schema: {} }
}
