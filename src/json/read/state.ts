import { isFirstHalf, unescapeJson, writeEscaped } from '../literals.ts'
import type { JsonSink, Repair } from '../sink.ts'
import type { JsonStyle } from '../style.ts'
import { Containers } from './containers.ts'
import type { ClosingMark } from './strings/closing-marks.ts'
import { brackets, pythonBrackets } from './strings/lexical.ts'
import type { StringOpener } from './strings/string-kinds.ts'
import { type StringHost, StringReader } from './strings/string-reader.ts'

/**
 * `more`: needs more text; `done`: the value is complete; `stopped`: the text at this place cannot belong to the value.
 */
export type JsonStatus = 'more' | 'done' | 'stopped'

export type Expect = 'value' | 'key' | 'colon' | 'separator'

/** The progress of reading a JSON value, and the sink that receives it. */
export class JsonState implements StringHost {
  status: JsonStatus = 'more'
  expect: Expect = 'value'
  readonly style: JsonStyle
  readonly isPython: boolean
  readonly openers: ReadonlyMap<string, string>
  readonly open: Containers
  readonly string: StringReader
  readonly marks: readonly ClosingMark[]
  inString = false
  /** The offset of the token that is being read. */
  offset = 0
  /** The content of the string value that was read last, or is being read. */
  contentStart = 0
  contentEnd = 0
  /** The offset of the text's beginning in all of the text. */
  base = 0
  /** The original place of each character of text that was encoded twice. */
  places: readonly number[] | undefined
  /** The depth at which text began that is encoded once more; 0 outside of it. */
  encodedDepth = 0
  /** The depth of an object in meaningless quotes; 0 elsewhere. */
  quotedDepth = 0
  /** The depth inside of the one object of a list that means it; 0 elsewhere. */
  listedDepth = 0
  /** The sink that receives repairs. */
  readonly #root: JsonSink
  #stringIsKey = false
  #key = ''
  /** The offset up to which the sink takes the string that is being read. */
  #stringLimit = Number.POSITIVE_INFINITY

  constructor(sink: JsonSink, style: JsonStyle, marks: readonly ClosingMark[]) {
    this.#root = sink
    this.marks = marks
    this.open = new Containers(sink, (repair, place) => this.repaired(repair, place))
    this.style = style
    this.isPython = style.python === true
    this.openers = this.isPython ? pythonBrackets : brackets
    this.string = new StringReader(this, style)
  }

  get mayLackQuote(): boolean {
    return this.encodedDepth === 0 && this.quotedDepth === 0
  }

  isClosedBy(brackets: string): boolean {
    // The parenthesis of a call in Python, and the bracket of its list, are around the value.
    return this.open.isClosedBy(brackets) || (this.isPython && this.#isClosedInCall(brackets))
  }

  #isClosedInCall(brackets: string): boolean {
    return [')', ')]'].some(
      (around) => brackets.endsWith(around) && this.open.isClosedBy(brackets.slice(0, -around.length)),
    )
  }

  hasMember(key: string): boolean {
    return this.open.sink.hasMember?.(key) ?? false
  }

  stringPiece(json: string): void {
    if (this.#stringIsKey) this.#key += json
    else this.open.sink.stringPiece(json)
  }

  get isDone(): boolean {
    return this.status === 'done'
  }

  /** True while a string is read that is a value. */
  get inValue(): boolean {
    return this.inString && !this.#stringIsKey
  }

  /** The kind of container of the value that is being read. */
  get parent(): 'top' | 'array' | 'object' {
    const container = this.open.top
    return !container ? 'top' : container.isArray ? 'array' : 'object'
  }

  repaired(repair: Repair, place: number): void {
    this.#root.repaired(repair, this.offsetOf(place))
  }

  offsetOf(place: number): number {
    return this.base + (this.places ? (this.places[place] ?? 0) : place)
  }

  /** Begins a string: a key or a value. Returns the place after its opening quote, which is at `place`. */
  beginString(opener: StringOpener, isKey: boolean, place: number): number {
    if (opener.kind) this.#saidQuotes(opener.kind.repair, place)
    this.inString = true
    this.#stringIsKey = isKey
    this.#key = ''
    this.string.open(opener, isKey, isKey ? 'object' : this.parent)
    if (!isKey) {
      this.contentStart = this.offsetOf(opener.end)
      this.open.sink.openString()
      this.#stringLimit = this.contentStart + (this.open.sink.longestString?.() ?? Number.POSITIVE_INFINITY)
    }
    return opener.end
  }

  /**
   * Stops in a string that is longer than the sink takes. The limit is a place of the text as it was written: pieces
   * have other lengths, and come at once or one by one. Returns the place up to which the string was read.
   */
  limitString(text: string, place: number): number {
    if (!this.inValue || this.offsetOf(place) <= this.#stringLimit) return place
    let end = place
    while (end > 0 && this.offsetOf(end) > this.#stringLimit) end--
    // A pair stays whole.
    if (isFirstHalf(text.charCodeAt(end - 1))) end--
    this.stop()
    this.open.sink.stringTooLong?.()
    return end
  }

  /** The string has ended. */
  endString(end: number): void {
    this.inString = false
    if (this.#stringIsKey) {
      this.gotKey(unescapeJson(this.#key))
      return
    }
    this.contentEnd = this.offsetOf(end)
    this.open.sink.closeString()
    this.gotValue()
  }

  gotKey(key: string): void {
    const frame = this.open.top
    if (frame) frame.isEmpty = false
    this.open.sink.key(key)
    this.expect = 'colon'
  }

  /** A string that has no quotes, and begins at `place`. */
  gotBareString(text: string, place: number): void {
    const { sink } = this.open
    this.contentStart = this.offset
    this.contentEnd = this.offsetOf(place + text.length)
    sink.openString()
    writeEscaped(text, sink)
    sink.closeString()
    this.gotValue()
  }

  gotValue(): void {
    this.open.gotValue(false)
    if (this.open.depth === 0) this.status = 'done'
    else this.expect = 'separator'
  }

  /** Handles a closing bracket and returns the place after it. */
  closeBracket(char: string, place: number): number {
    const result = this.open.closeBracket(char, place)
    if (this.open.depth < this.encodedDepth) this.encodedDepth = 0
    if (this.open.depth === 0) this.status = 'done'
    else if (result !== 'surplus') this.expect = 'separator'
    return place + 1
  }

  /** Stops: the text here cannot belong to the value. Returns -1, which is not a place. */
  stop(): number {
    this.status = 'stopped'
    return -1
  }

  #saidQuotes(repair: Repair | undefined, place: number): void {
    if (repair && !(repair === 'single-quotes' && this.isPython)) this.repaired(repair, place)
  }
}

export function isCloser(char: string, isPython: boolean): boolean {
  return char === '}' || char === ']' || (isPython && char === ')')
}
