/** The differences of a format's values from standard JSON. */
export interface JsonStyle {
  /**
   * Literal delimiters of strings in addition to quotes, such as Gemma's `<|"|>` or FunctionGemma's `<escape>`: the
   * text between two of them is the string, without escapes. Keys may then have no quotes.
   */
  delimiters?: readonly Delimiter[]
  /**
   * Python literals: `True`, `None`, prefixed and triple-quoted strings, tuples. A value at the top is one argument of
   * a call: it ends before a comma or a closing bracket.
   */
  python?: boolean
  /** Strings are written in single quotes if they contain none, as Python prints them. All quotes are read. */
  singleQuotes?: boolean
  /** Literals may be JSON's words or Python's: templates print `None` inside JSON, and `null` inside Python. */
  bothWords?: boolean
  /**
   * Control characters such as line breaks are not escaped in strings: templates that put quotes around a text do not
   * escape it.
   */
  rawControls?: boolean
  /**
   * Quotes of the kind that delimits strings are written unescaped too: the text after one distinguishes it from the
   * string's end.
   */
  rawQuotes?: boolean
  /** An object or a list may be written as JSON although other values are Python's. */
  jsonObjects?: boolean
  /**
   * The text between the parts of an object, if it differs from Python's JSON: some templates build objects without `tojson`.
   */
  signs?: JsonSigns
}

/** The white space is a part of them. */
export interface JsonSigns {
  /** The text after the opening bracket and before the closing one. */
  edge: string
  colon: string
  comma: string
  /** Between the calls of a list. */
  items: string
}

/** A delimiter that opens a string and closes it, or one for each: `«` and `»`. */
export type Delimiter = string | readonly [open: string, close: string]

/** Returns the text that opens a string and the text that closes it. */
export function sidesOf(delimiter: Delimiter): readonly [open: string, close: string] {
  return typeof delimiter === 'string' ? [delimiter, delimiter] : delimiter
}
