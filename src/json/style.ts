/** How a format writes its values, where that is not JSON as it stands in the standard. */
export interface JsonStyle {
  /**
   * Literal delimiters of strings beside the quotes, such as Gemma's `<|"|>` or FunctionGemma's `<escape>`: what stands
   * between two of them is the string, without escapes. Keys may then stand without quotes.
   */
  delimiters?: readonly Delimiter[]
  /**
   * Python literals: `True`, `None`, prefixed and triple quoted strings, tuples. A value at the top is one argument of
   * a call: it ends before a comma or a closing bracket.
   */
  python?: boolean
  /** Strings are written in single quotes where they hold none, as Python prints them; any quotes are read. */
  singleQuotes?: boolean
  /** Literals are in JSON's words or in Python's: templates print `None` in the midst of JSON, and `null` in the midst of Python. */
  bothWords?: boolean
  /** Control characters such as line breaks stand in strings as they are: templates that put quotes around a text escape nothing. */
  rawControls?: boolean
  /** So do quotes of the kind that strings are written in: what follows one tells it from the string's end. */
  rawQuotes?: boolean
  /** An object or a list may be written as JSON, where other values are Python's. */
  jsonObjects?: boolean
  /** What stands between the parts of an object, where that is not as Python's JSON has it: a template may put objects together by itself. */
  signs?: JsonSigns
}

/** The white space is a part of them. */
export interface JsonSigns {
  /** Behind the opening bracket, and before the closing one. */
  edge: string
  colon: string
  comma: string
  /** Between the calls of a list. */
  items: string
}

/** A delimiter that opens a string and closes it, or one for each: `«` and `»`. */
export type Delimiter = string | readonly [open: string, close: string]

/** What opens a string and what closes it. */
export function sidesOf(delimiter: Delimiter): readonly [open: string, close: string] {
  return typeof delimiter === 'string' ? [delimiter, delimiter] : delimiter
}
