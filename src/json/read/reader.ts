import type { JsonSink } from '../sink.ts'
import type { JsonStyle } from '../style.ts'
import { readDecoded } from './encoded.ts'
import { readColon, readKey, readSeparator } from './member.ts'
import { JsonState, type JsonStatus } from './state.ts'
import type { ClosingMark } from './strings/closing-marks.ts'
import { commentAt, commentEnd, spaceEnd, wideMarks } from './strings/lexical.ts'
import { readValue } from './value.ts'

export type { JsonStatus } from './state.ts'

/**
 * Reads one JSON value as models write it, from text in pieces. Well-formed text passes unchanged; malformed text is
 * repaired if it can only mean one value. The caller keeps the text: `read` returns how far it read, and expects the
 * rest again, followed by more, in the next call.
 */
export class JsonReader {
  readonly #state: JsonState
  /** The text that closes the open comment. Empty outside of comments. */
  #comment = ''

  /** `marks` close the text around the value: at the end of the text, they end a string without a closing quote. */
  constructor(sink: JsonSink, style: JsonStyle = {}, marks: readonly ClosingMark[] = []) {
    this.#state = new JsonState(sink, style, marks)
  }

  get status(): JsonStatus {
    return this.#state.status
  }

  /** Set by the owner if this is not the expected value. */
  set status(status: JsonStatus) {
    this.#state.status = status
  }

  /** The offset of the token that is being read: of a string, that of its opening quote. */
  get offset(): number {
    return this.#state.offset
  }

  /** The offsets of the beginning and end of the content of the last string value, as the model wrote it. */
  get content(): readonly [start: number, end: number] {
    return [this.#state.contentStart, this.#state.contentEnd]
  }

  /** True if the last thing read was a comma: the model meant to continue. */
  get isAfterComma(): boolean {
    return this.#state.open.top?.afterComma ?? false
  }

  /**
   * Reads from `at` and returns the place up to which it read. `final` means that no text follows; `base` is the offset
   * of `text` in the whole text, for reported places. If the status is `stopped`, the returned place is that of the
   * unreadable text.
   */
  read(text: string, at: number, final: boolean, base: number = 0): number {
    const state = this.#state
    state.base = base
    let place = at
    while (state.status === 'more' && (place < text.length || state.encodedDepth > 0)) {
      const next = state.encodedDepth > 0 ? this.#readEncoded(text, place, final) : this.#readNext(text, place, final)
      if (next < 0) break
      place = next
    }
    return place
  }

  /**
   * Closes all open containers if the text after the value proves that it ends; with `closesString` also a string that
   * was read completely. `at` is a place in the last text. Returns false if that is not possible: a string or a comment
   * is open, or a key has no value.
   */
  close(at: number, closesString: boolean = false): boolean {
    const state = this.#state
    const { open } = state
    if (state.isDone) return true
    if (state.status === 'more' && closesString && state.inValue) {
      state.repaired('missing-quote', at)
      state.endString(at)
    }
    // A string at the top was all there was.
    if (state.isDone) return true
    if (state.inString || this.#comment !== '' || state.expect === 'colon' || open.depth === 0) return false
    if (state.expect === 'value' && !open.top?.isArray) return false
    open.closeAll(at)
    state.status = 'done'
    return true
  }

  #readNext(text: string, at: number, final: boolean): number {
    const state = this.#state
    if (!state.inString) return this.#readToken(text, at, final)
    const next = state.string.read(text, at, final)
    return next < 0 ? next : state.limitString(text, next)
  }

  /** Reads on in text that is encoded once more, a window at a time; gives a place as `read` does, or -1. */
  #readEncoded(text: string, at: number, final: boolean): number {
    const state = this.#state
    const end = readDecoded(text, at, final, (decoded, isEnd) => {
      state.places = decoded.places
      let place = 0
      while (state.status === 'more' && state.encodedDepth > 0) {
        const next = this.#readNext(decoded.text, place, isEnd)
        if (next < 0) break
        place = next
      }
      state.places = undefined
      return place
    })
    return end === 'stop' ? state.stop() : end
  }

  /** Reads one token. Returns the place after it, or -1 if it needs more text or stopped. */
  #readToken(text: string, at: number, final: boolean): number {
    if (this.#comment !== '') return this.#readComment(text, at)
    const state = this.#state
    const place = spaceEnd(text, at)
    // White space is consumed at once: it is never held back, and never precedes the text that stops the reader.
    if (place > at) {
      const container = state.open.top
      if (container) container.isFresh = false
      return place
    }
    if (place >= text.length) return -1
    state.offset = state.offsetOf(place)
    const found = text.charAt(place)
    // The full-width forms are near the end of Unicode's first plane.
    const plain = found > '\uff00' ? wideMarks.get(found) : undefined
    const next = this.#readMark(text, plain ?? found, place, final)
    if (plain !== undefined && next > place) state.repaired('full-width', place)
    return next
  }

  #readMark(text: string, char: string, place: number, final: boolean): number {
    const state = this.#state
    if (char === '/' || char === '#') {
      // In the place of a value, `#` begins a colour, but not in Python; and there `/` begins a path.
      const isWord = state.expect === 'value' && state.isPython === (char === '/')
      if (!isWord) return this.#openComment(text, place, final)
    }
    if (char === '\\') return this.#openEncoded(text, place, final)
    switch (state.expect) {
      case 'colon':
        return readColon(state, text, char, place, final)
      case 'separator':
        return readSeparator(state, text, char, place, final)
      case 'key':
        return readKey(state, text, char, place, final)
      case 'value':
        return readValue(state, text, char, place, final)
    }
  }

  #openComment(text: string, at: number, final: boolean): number {
    const state = this.#state
    const comment = state.open.depth > 0 ? commentAt(text, at, final) : undefined
    if (comment === 'more') return -1
    if (!comment) return state.stop()
    if (!(state.isPython && comment.length === 1)) state.repaired('comment', at)
    this.#comment = comment.closer
    return at + comment.length
  }

  #readComment(text: string, at: number): number {
    const { end, isClosed } = commentEnd(text, at, this.#comment)
    if (isClosed) this.#comment = ''
    return end > at ? end : -1
  }

  /**
   * Handles a backslash before the first quote of a container: the whole container is escaped, like the content of a
   * string.
   */
  #openEncoded(text: string, at: number, final: boolean): number {
    const state = this.#state
    const next = text[at + 1]
    if (next === undefined && !final) return -1
    const isFirst = state.open.top?.isEmpty && (state.expect === 'key' || state.expect === 'value')
    if (!isFirst || next === undefined || !'"nrt'.includes(next) || state.encodedDepth > 0) return state.stop()
    state.repaired('escaped-quotes', at)
    state.encodedDepth = state.open.depth
    return at
  }
}
