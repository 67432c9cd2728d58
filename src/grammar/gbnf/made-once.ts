import type { JsonObject } from '../../conversation/index.ts'
import type { SchemaTypes } from '../../json/index.ts'
import type { Language } from '../language/language.ts'
import type { SchemaVariants } from '../schema/variants.ts'
import type { Gbnf } from './gbnf.ts'

/** The notation of JSON values in a format: plain, as in Python, or with the format's own delimiters. */
export interface Notation {
  id: string
  /** A string with that content, given as text without quotes; any string if it is undefined. */
  string(content: Gbnf | undefined): Gbnf
  key(name: string): Gbnf
  /** Any key but those. */
  otherKey(except: readonly string[]): Gbnf
  /** Any of those keys; undefined if the notation can write none of them. */
  keyIn(names: Language): Gbnf | undefined
  /** A value as it is written; it is given as JSON text. */
  constant(json: string): Gbnf
  colon: Gbnf
  comma: Gbnf
  /** White space after an opening bracket and before a closing one. */
  inside: Gbnf
}

/** A tool as the grammar has it: one schema of an object for each variant of its arguments. */
export interface OfferedTool {
  name: string
  label: string
  schema: JsonObject
  /** True if an argument has a grammar, which the schema does not say. */
  hasGrammar: boolean
  shape: SchemaTypes
  schemas: SchemaVariants
  objects: readonly JsonObject[]
}
