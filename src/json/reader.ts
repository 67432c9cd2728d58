import { bareKeyAt, readBareKey } from './bare-keys.ts'
import { readBareWord } from './bare-words.ts'
import { type BrokenKey, readBrokenKey } from './broken-keys.ts'
import { commentAt, commentEnd } from './comments.ts'
import { Containers } from './containers.ts'
import { readDecoded } from './encoded.ts'
import { type ListedObject, listedObjectAt, listedObjectEnd } from './listed-objects.ts'
import { escapeText, unescapeJson } from './literals.ts'
import { brackets, pythonBrackets, wideMarks } from './punctuation.ts'
import { setAt } from './python-sets.ts'
import { matchEnd, space } from './scan.ts'
import type { JsonSink, Repair } from './sink.ts'
import { memberAt } from './string-end.ts'
import { isQuote, quotedObjectAt, stringOpener } from './string-kinds.ts'
import { StringReader } from './string-reader.ts'
import type { JsonStyle } from './style.ts'
import { readUnopened, type UnopenedString } from './unopened-strings.ts'

/** `more`: wants more text; `done`: the value is whole; `stopped`: what stands here cannot belong to the value. */
export type JsonStatus = 'more' | 'done' | 'stopped'

type Expect = 'value' | 'key' | 'colon' | 'separator'

/**
 * Reads one JSON value as models write it, from text that comes in pieces: what is well-formed passes through as it
 * stands, what is not is repaired where only one reading makes sense. The caller keeps the text; `read` says how far
 * it came, and wants the rest again, with more behind it, on the next call.
 */
export class JsonReader {
  status: JsonStatus = 'more'
  /** Where repairs are told. */
  readonly #root: JsonSink
  readonly #style: JsonStyle
  readonly #isPython: boolean
  readonly #openers: ReadonlyMap<string, string>
  readonly #open: Containers
  readonly #string: StringReader
  #expect: Expect = 'value'
  #inString = false
  #stringIsKey = false
  #key = ''
  #comment = ''
  #offset = 0
  #contentStart = 0
  #contentEnd = 0
  #base = 0
  /** The depth at which text began that is encoded once more; 0 outside of it. */
  #encodedDepth = 0
  /** The depth at which an object stands in quotes that mean nothing; 0 elsewhere. */
  #quotedDepth = 0
  /** The depth inside of the one object of a list that means it; 0 elsewhere. */
  #listedDepth = 0
  #places: readonly number[] | undefined

  constructor(sink: JsonSink, style: JsonStyle = {}) {
    this.#root = sink
    this.#open = new Containers(sink, (repair, place) => this.#repaired(repair, place))
    this.#style = style
    this.#isPython = style.python === true
    this.#openers = this.#isPython ? pythonBrackets : brackets
    this.#string = new StringReader(
      {
        piece: (json) => {
          if (this.#stringIsKey) this.#key += json
          else this.#open.sink.stringPiece(json)
        },
        repaired: (repair, place) => this.#repaired(repair, place),
        stringEnded: (end) => this.#endString(end),
        stopped: () => this.#stop(),
      },
      style,
    )
  }

  /** The offset of the token that is being read: of a string, that of its opening quote. */
  get offset(): number {
    return this.#offset
  }

  /** When a string value has ended: the offsets of its content's beginning and end, as the model wrote it. */
  get content(): readonly [start: number, end: number] {
    return [this.#contentStart, this.#contentEnd]
  }

  /** True where a comma was the last thing read: the model meant to go on. */
  get isAfterComma(): boolean {
    return this.#open.top?.afterComma ?? false
  }

  /**
   * Reads on from `at`; gives the place up to which the text was read. `final` says that nothing follows `text`;
   * `base` is the offset of its beginning in all of the text, for what is told of places. When the status is `stopped`,
   * the place given is that of what could not be read.
   */
  read(text: string, at: number, final: boolean, base: number = 0): number {
    this.#base = base
    let place = at
    while (this.status === 'more') {
      const next = this.#encodedDepth > 0 ? this.#readEncoded(text, place, final) : this.#readNext(text, place, final)
      if (next < 0) break
      place = next
    }
    return place
  }

  /**
   * Closes what is open, where the end of the value is proven by what follows it; with `closesString` also a string, all
   * of which was read. `at` is a place in the text that was read last. False when that is not possible: a string or a comment is open, or a key has no value.
   */
  close(at: number, closesString: boolean = false): boolean {
    if (this.status === 'done') return true
    if (this.status === 'more' && this.#inString && closesString && !this.#stringIsKey) {
      this.#repaired('missing-quote', at)
      this.#endString(at)
    }
    // A string at the top was all there was.
    if (this.#isDone) return true
    if (this.#inString || this.#comment !== '' || this.#expect === 'colon' || this.#open.depth === 0) return false
    if (this.#expect === 'value' && !this.#open.top?.isArray) return false
    this.#open.closeAll(at)
    this.status = 'done'
    return true
  }

  get #isDone(): boolean {
    return this.status === 'done'
  }

  #readNext(text: string, at: number, final: boolean): number {
    return this.#inString ? this.#string.read(text, at, final) : this.#readToken(text, at, final)
  }

  /** Reads on in text that is encoded once more, a window at a time; gives a place as `read` does, or -1. */
  #readEncoded(text: string, at: number, final: boolean): number {
    const end = readDecoded(text, at, final, (decoded, isEnd) => {
      this.#places = decoded.places
      let place = 0
      while (this.status === 'more' && this.#encodedDepth > 0) {
        const next = this.#readNext(decoded.text, place, isEnd)
        if (next < 0) break
        place = next
      }
      this.#places = undefined
      return place
    })
    return end === 'stop' ? this.#stop() : end
  }

  /** Reads one token; gives the place behind it, or -1 when it needs more text or stopped. */
  #readToken(text: string, at: number, final: boolean): number {
    if (this.#comment !== '') return this.#readComment(text, at)
    const place = matchEnd(space, text, at)
    // White space is over with as soon as it is read: it is never held, and never stands before what stops the reader.
    if (place > at) {
      const container = this.#open.top
      if (container) container.isFresh = false
      return place
    }
    if (place >= text.length) return -1
    this.#offset = this.#offsetOf(place)
    const found = text.charAt(place)
    const plain = wideMarks.get(found)
    const next = this.#readMark(text, plain ?? found, place, final)
    if (plain !== undefined && next > place) this.#repaired('full-width', place)
    return next
  }

  #readMark(text: string, char: string, place: number, final: boolean): number {
    if (char === '/' || char === '#') {
      // Where a value is due, `#` begins a colour, but not in Python; and `/` begins a path there.
      const isWord = this.#expect === 'value' && this.#isPython === (char === '/')
      if (!isWord) return this.#openComment(text, place, final)
    }
    if (char === '\\') return this.#openEncoded(text, place, final)
    switch (this.#expect) {
      case 'colon':
        return this.#readColon(text, char, place, final)
      case 'separator':
        return this.#readSeparator(text, char, place, final)
      case 'key':
        return this.#readKey(text, char, place, final)
      case 'value':
        return this.#readValue(text, char, place, final)
    }
  }

  /** A colon, or what other languages have in its place: `=` and `=>`. */
  #readColon(text: string, char: string, place: number, final: boolean): number {
    if (char !== ':' && char !== '=') return this.#stop()
    if (char === '=' && place + 1 === text.length && !final) return -1
    if (char === '=') this.#repaired('missing-colon', place)
    this.#expect = 'value'
    return place + (text.startsWith('=>', place) ? 2 : 1)
  }

  #readSeparator(text: string, char: string, place: number, final: boolean): number {
    const frame = this.#open.top
    if (!frame) return this.#stop()
    if (char === ',') {
      if (frame.isOdd) return this.#stop()
      this.#open.gotComma(frame)
      this.#expect = frame.isArray ? 'value' : 'key'
      return place + 1
    }
    if (char === '"' && this.#quotedDepth === this.#open.depth) {
      this.#quotedDepth = 0
      return place + 1
    }
    if (isCloser(char, this.#isPython)) return this.#readCloser(text, char, place, final)
    // A member that follows without a comma. Only what clearly begins one: prose behind an object must not join it.
    const isMember = frame.isArray ? char === '{' || char === '[' || char === '"' : isQuote(char)
    const isOther = isMember ? false : this.#delimitedMemberAt(text, place, final, frame.isArray)
    if (isOther === 'more') return -1
    if ((!isMember && !isOther) || frame.isOdd || frame.held) return this.#stop()
    this.#repaired('missing-comma', place)
    frame.afterComma = true
    this.#expect = frame.isArray ? 'value' : 'key'
    return place
  }

  /** Whether what stands here begins a member, where a format has delimiters for quotes, and keys without any. */
  #delimitedMemberAt(text: string, place: number, final: boolean, isArray: boolean): boolean | 'more' {
    if (!this.#style.delimiters) return false
    const opener = stringOpener(text, place, final, this.#style)
    if (opener) return opener === 'more' ? 'more' : true
    return !isArray && bareKeyAt(text, place, final)
  }

  #readKey(text: string, char: string, place: number, final: boolean): number {
    if (isCloser(char, this.#isPython)) return this.#readCloser(text, char, place, final)
    if (char === ',') {
      this.#repaired('trailing-comma', place)
      return place + 1
    }
    if (char === '"' && !this.#isPython) {
      const broken = readBrokenKey(text, place, final)
      if (broken === 'more') return -1
      if (broken) return this.#gotBrokenKey(broken, place)
    }
    const opener = stringOpener(text, place, final, this.#style)
    if (opener === 'more') return -1
    if (opener) {
      if (opener.kind) this.#saidQuotes(opener.kind.repair, place)
      this.#inString = true
      this.#stringIsKey = true
      this.#key = ''
      this.#string.open(opener, true, 'object')
      return opener.end
    }
    if (char === '{') return this.#readBraceForKey(place)
    const found = readBareKey(text, place, final)
    if (found === 'more') return -1
    if (found === 'stop') return this.#stop()
    if (found.hasQuote) this.#repaired('missing-quote', place)
    // Where the format has keys without quotes, they are no mistake.
    else if (!this.#style.delimiters && !(found.isNumber && this.#isPython)) this.#repaired('bare-key', place)
    this.#gotKey(found.key)
    return found.end
  }

  #gotBrokenKey({ key, repair, end }: BrokenKey, place: number): number {
    this.#repaired(repair, place)
    this.#gotKey(key)
    if (repair === 'missing-colon') this.#expect = 'value'
    return end
  }

  /** A brace where a key should stand: one of a doubled pair, or one more object of a list that has no brackets. */
  #readBraceForKey(place: number): number {
    const frame = this.#open.top
    if (frame?.isEmpty && frame.isFresh && !frame.isDoubled) {
      this.#repaired('doubled-brace', place)
      frame.isDoubled = true
      return place + 1
    }
    if (!frame?.afterComma || !frame.endsInContainer || !this.#open.sink.extendMember?.()) return this.#stop()
    this.#repaired('missing-array', place)
    this.#expect = 'value'
    return place
  }

  #readValue(text: string, char: string, place: number, final: boolean): number {
    const frame = this.#open.top
    if (char === '[' && this.#listedDepth === 0 && this.#open.sink.takesObjectOnly?.()) {
      const listed = listedObjectAt(text, place, final)
      if (listed === 'more') return -1
      if (listed) return this.#openListed(listed, place)
    }
    const closer = this.#openers.get(char)
    if (closer !== undefined) {
      const isSet = char === '{' && this.#isPython && setAt(text, place, final)
      if (isSet === 'more') return -1
      if (!this.#open.open(isSet ? '[' : char, closer)) return this.#stop()
      this.#expect = char === '{' && !isSet ? 'key' : 'value'
      return place + 1
    }
    if (isCloser(char, this.#isPython)) {
      // A brace that ends an array means an object around it; where nothing is open, nothing ends.
      return frame?.isArray ? this.#closeBracket(char, place) : this.#stop()
    }
    if (char === ',') {
      if (!frame?.isArray || frame.held) return this.#stop()
      this.#repaired('trailing-comma', place)
      return place + 1
    }
    if (char === ':') return this.#stop()
    if (char === '"' && frame?.isArray && frame.afterComma && this.#open.isInObject) {
      const isMember = memberAt(text, place, final)
      if (isMember === 'more') return -1
      if (isMember) return this.#leaveArray(place)
    }
    if (char === '"' && frame?.isArray === false && this.#open.sink.wantsObject?.()) {
      const quoted = quotedObjectAt(text, place, final)
      if (quoted === 'more') return -1
      if (quoted) {
        this.#repaired('quoted-object', place)
        this.#quotedDepth = this.#open.depth
        return place + 1
      }
    }
    const opener = stringOpener(text, place, final, this.#style)
    if (opener === 'more') return -1
    if (!opener) return this.#readBareWord(text, place, final)
    if (opener.kind) this.#saidQuotes(opener.kind.repair, place)
    this.#inString = true
    this.#stringIsKey = false
    this.#string.open(opener, false, this.#parent)
    this.#contentStart = this.#offsetOf(opener.end)
    this.#open.sink.openString()
    return opener.end
  }

  #openListed(listed: ListedObject, place: number): number {
    this.#repaired('listed-object', place)
    if ('object' in listed) {
      this.#listedDepth = this.#open.depth + 1
      return listed.object
    }
    this.#open.sink.openObject()
    this.#open.sink.closeObject()
    this.#gotValue()
    return listed.behind
  }

  /** A member stands where one more element should: the bracket behind the last one was left out. */
  #leaveArray(place: number): number {
    this.#repaired('missing-closer', place)
    this.#open.pop()
    const frame = this.#open.top
    if (frame) frame.afterComma = true
    this.#expect = 'key'
    return place
  }

  #readBareWord(text: string, place: number, final: boolean): number {
    const { bothWords = false, delimiters = [] } = this.#style
    const [delimiter] = delimiters
    if (typeof delimiter === 'string' && this.#open.depth > 0) {
      const unopened = readUnopened(text, place, final, delimiter)
      if (unopened === 'more') return -1
      if (unopened) return this.#gotUnopened(unopened, place)
    }
    const where = { parent: this.#parent, isPython: this.#isPython, hasPythonWords: this.#isPython || bothWords }
    const found = readBareWord(text, place, final, where)
    if (found === 'more') return -1
    if (found === 'stop') return this.#stop()
    if (found.repair) this.#repaired(found.repair, place)
    const { sink } = this.#open
    if (found.literal !== undefined) {
      sink.literal(found.literal)
    } else {
      this.#contentStart = this.#offset
      this.#contentEnd = this.#offsetOf(place + found.word.length)
      sink.openString()
      sink.stringPiece(escapeText(found.word))
      sink.closeString()
    }
    this.#gotValue()
    return found.end
  }

  #gotUnopened({ text, end }: UnopenedString, place: number): number {
    this.#repaired('missing-quote', place)
    const { sink } = this.#open
    this.#contentStart = this.#offset
    this.#contentEnd = this.#offsetOf(place + text.length)
    sink.openString()
    sink.stringPiece(escapeText(text))
    sink.closeString()
    this.#gotValue()
    return end
  }

  /** What the value that is being read is a member of. */
  get #parent(): 'top' | 'array' | 'object' {
    const container = this.#open.top
    return !container ? 'top' : container.isArray ? 'array' : 'object'
  }

  #endString(end: number): void {
    this.#inString = false
    if (this.#stringIsKey) {
      this.#gotKey(unescapeJson(this.#key))
    } else {
      this.#contentEnd = this.#offsetOf(end)
      this.#open.sink.closeString()
      this.#gotValue()
    }
  }

  #openComment(text: string, at: number, final: boolean): number {
    const comment = this.#open.depth > 0 ? commentAt(text, at, final) : undefined
    if (comment === 'more') return -1
    if (!comment) return this.#stop()
    if (!(this.#isPython && comment.length === 1)) this.#repaired('comment', at)
    this.#comment = comment.closer
    return at + comment.length
  }

  #readComment(text: string, at: number): number {
    const { end, isClosed } = commentEnd(text, at, this.#comment)
    if (isClosed) this.#comment = ''
    return end > at ? end : -1
  }

  /** A backslash in front of a container's first quote: all of the container is escaped, as if it stood in a string. */
  #openEncoded(text: string, at: number, final: boolean): number {
    const next = text[at + 1]
    if (next === undefined && !final) return -1
    const isFirst = this.#open.top?.isEmpty && (this.#expect === 'key' || this.#expect === 'value')
    if (!isFirst || next === undefined || !'"nrt'.includes(next) || this.#encodedDepth > 0) return this.#stop()
    this.#repaired('escaped-quotes', at)
    this.#encodedDepth = this.#open.depth
    return at
  }

  #readCloser(text: string, char: string, place: number, final: boolean): number {
    if (char !== '}' || this.#open.depth !== this.#listedDepth || this.#open.top?.isDoubled) {
      return this.#closeBracket(char, place)
    }
    // Not told as closed before it is the only one: which of several is meant cannot be known.
    const end = listedObjectEnd(text, place, final)
    if (end === 'more') return -1
    if (end === undefined) return this.#stop()
    this.#listedDepth = 0
    this.#closeBracket(char, place)
    return end
  }

  #closeBracket(char: string, place: number): number {
    const result = this.#open.closeBracket(char, place)
    if (this.#open.depth < this.#encodedDepth) this.#encodedDepth = 0
    if (this.#open.depth === 0) this.status = 'done'
    else if (result !== 'surplus') this.#expect = 'separator'
    return place + 1
  }

  #saidQuotes(repair: Repair | undefined, place: number): void {
    if (repair && !(repair === 'single-quotes' && this.#isPython)) this.#repaired(repair, place)
  }

  #repaired(repair: Repair, place: number): void {
    this.#root.repaired(repair, this.#offsetOf(place))
  }

  #offsetOf(place: number): number {
    return this.#base + (this.#places ? (this.#places[place] ?? 0) : place)
  }

  #gotKey(key: string): void {
    const frame = this.#open.top
    if (frame) frame.isEmpty = false
    this.#open.sink.key(key)
    this.#expect = 'colon'
  }

  #gotValue(): void {
    this.#open.gotValue(false)
    if (this.#open.depth === 0) this.status = 'done'
    else this.#expect = 'separator'
  }

  #stop(): number {
    this.status = 'stopped'
    return -1
  }
}

function isCloser(char: string, isPython: boolean): boolean {
  return char === '}' || char === ']' || (isPython && char === ')')
}
