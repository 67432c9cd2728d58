/** Receives a JSON value while it is read. The events are well-formed, even if the text was not. */
export interface JsonSink {
  openObject(): void
  closeObject(): void
  openArray(): void
  closeArray(): void
  key(key: string): void
  openString(): void
  /** A piece of a string's content as JSON text: escaped, without the quotes, never cut inside an escape. */
  stringPiece(json: string): void
  closeString(): void
  /** A number, `true`, `false` or `null`, as JSON text. */
  literal(json: string): void
  /**
   * Called if another value follows the last member's, in the place of a member: `"a": {…}, {…}`. Returns true if the
   * sink takes both values, and those that follow, as an array. A sink without this method does not.
   */
  extendMember?(): boolean
  /**
   * True if an object must come: then quotes around one whose content was not escaped, `"{"a": 1}"`, have no meaning.
   * Absent: never.
   */
  wantsObject?(): boolean
  /**
   * True if an object must come and no array makes sense, as in place of a call's arguments: then a list of one object
   * is that object, and an empty list an empty object. Absent: never.
   */
  takesObjectOnly?(): boolean
  /** True if the open object has a member of that name in the tool's schema. Absent: never. */
  hasMember?(key: string): boolean
  /**
   * The number of characters, as the model wrote them, that the string which was just opened may have. A longer one is
   * read up to that number, `stringTooLong` is called, and the reading stops. Absent: any number.
   */
  longestString?(): number
  stringTooLong?(): void
  /** Something was read that is not JSON; `offset` is its place in all of the text. */
  repaired(repair: Repair, offset: number): void
}

/** The repairs, by the model's deviation. The texts are shown to people. */
export const repairs = {
  'single-quotes': 'single quotes taken as double quotes',
  'triple-quotes': 'three quotes taken as one, as Python writes long strings',
  'bare-key': 'a key without quotes',
  'bare-string': 'a string without quotes',
  'smart-quotes': 'typographic quotes taken as double quotes',
  'full-width': 'full-width punctuation taken as its ASCII form',
  'escaped-quotes': 'JSON escaped as if it were in a string',
  'missing-quote': 'a quote left out',
  'python-literal': 'a Python literal taken as the JSON literal',
  'no-value': 'a word for a value that JSON does not have, such as NaN, taken as null',
  'missing-value': 'a value left out, taken as null',
  'number-form': 'a number in a form that JSON does not have',
  'trailing-comma': 'a comma too many',
  'missing-comma': 'a comma too few',
  'missing-colon': 'a colon left out',
  'control-character': 'a raw control character in a string, such as a line break',
  'invalid-escape': 'a backslash that escapes nothing, taken as itself',
  'inner-quote': 'a quote inside a string that was not escaped',
  'surplus-quote': 'a quote too many after a string',
  'missing-closer': 'a closing bracket left out',
  'surplus-closer': 'a closing bracket too many',
  'quoted-object': 'quotes around an object that was not escaped in them',
  'listed-object': 'a list around one object taken as the object',
  'missing-array': 'the brackets around a list of objects left out',
  'doubled-brace': 'doubled braces, as prompt templates write them, taken as one',
  comment: 'a comment',
} as const
export type Repair = keyof typeof repairs
