import type { ModelText } from './model-text.ts'
import type { Terminal } from './terminal.ts'

/** A marker that opens something, as nearly all formats have them: `<tool_call>`, `<|tool_call_begin|>`, `[TOOL_CALLS]`. */
const opener = '(?:<(?![\\s/])[^<>\\n"\'=]{2,64}>|\\[[A-Z_]{3,64}\\])'
const openerAt = new RegExp(opener, 'y')
const openerAtEnd = new RegExp(`${opener}$`)
/** No marker is longer. */
const longestOpener = 66
const blanks = /\s{0,64}/y

/**
 * Finds an opening marker that is written twice in text that is no block, which would be one with the marker once. To look for one
 * in each block would take three hundredths of the time that short calls take.
 */
export class DoubledMarker {
  /** The offset in all of the text at which the block begins. */
  readonly #start: number
  /** The offset that the reading came to before it failed, and the terminals that are not there. */
  #furthest = -1
  readonly #failed: Terminal[] = []
  /** The offsets of the two, and of the end of the second. */
  #first = -1
  #second = -1
  #end = -1

  constructor(start: number) {
    this.#start = start
  }

  get isFound(): boolean {
    return this.#first >= 0
  }

  /** The offset after the second. */
  get end(): number {
    return this.#end
  }

  /** Nothing matches at this offset: `terminal` does not, if one was expected. */
  failed(terminal: Terminal | undefined, offset: number): void {
    if (offset < this.#furthest) return
    if (offset > this.#furthest) this.#failed.length = 0
    this.#furthest = offset
    if (terminal) this.#failed.push(terminal)
  }

  /**
   * The offset to go on at, after the text was read from one offset to another: the first marker is passed over, or the second if a
   * terminal took white space and the first together.
   */
  after(from: number, to: number): number {
    if (to === this.#first) return this.#second
    return from < this.#first && to > this.#first && to <= this.#second ? this.#end : to
  }

  /** True if one was found where the reading failed: the block can be read once more. `begun` if that needs more text. */
  find(source: ModelText): boolean | 'begun' {
    if (this.isFound || source.offset !== this.#start || this.#furthest < this.#start) return false
    const at = source.place + this.#furthest - source.offset
    const isAgain = this.#findAgain(source, at)
    return isAgain === false ? this.#findNext(source, at) : isAgain
  }

  /** The same before the bracket of a list at `at`, which may be that of a marker: `[TOOL_CALLS][TOOL_CALLS]`. */
  findBeforeList(source: ModelText, at: number): boolean | 'begun' {
    if (this.isFound || source.text[at] !== '[' || source.offset !== this.#start) return false
    return this.#findAgain(source, at)
  }

  /** The marker that was read last comes again. */
  #findAgain(source: ModelText, at: number): boolean | 'begun' {
    const { text, place } = source
    const before = text.slice(place, at).trimEnd()
    const marker = openerAtEnd.exec(before.slice(-longestOpener))?.[0]
    const again = at + source.length(blanks, at)
    const isAgain = marker !== undefined && comesAt(source, marker, again)
    if (isAgain === true) this.#found(source, marker, place + before.length - marker.length, again)
    return isAgain
  }

  /** The marker that one of the terminals begins with, before more of it, comes twice. */
  #findNext(source: ModelText, at: number): boolean | 'begun' {
    const start = at + source.length(blanks, at)
    const marker = source.match(openerAt, start)?.[0]
    if (marker === undefined) return false
    const end = start + marker.length
    if (!this.#failed.some((terminal) => beginsWith(terminal, source.text.slice(at, end)))) return false
    const again = end + source.length(blanks, end)
    const isNext = comesAt(source, marker, again)
    if (isNext === true) this.#found(source, marker, start, again)
    return isNext
  }

  #found(source: ModelText, marker: string, first: number, second: number): void {
    this.#first = source.offsetOf(first)
    this.#second = source.offsetOf(second)
    this.#end = this.#second + marker.length
  }
}

function comesAt({ text, isFinal }: ModelText, marker: string, at: number): boolean | 'begun' {
  if (text.startsWith(marker, at)) return true
  return !isFinal && marker.startsWith(text.slice(at)) && 'begun'
}

/** True if this text is the terminal or a beginning of it, so that its own beginnings were waited for. */
function beginsWith({ begun, whole }: Terminal, text: string): boolean {
  return begun.testAt(text, 0) || whole.execAt(text, 0)?.[0].length === text.length
}
