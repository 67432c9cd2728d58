import { escapeText, jsonNumber, mendNumber, unescapeJson, valueWords } from './literals.ts'
import type { JsonSink, Repair } from './sink.ts'

/** `more`: wants more text; `done`: the value is whole; `stopped`: what stands here cannot belong to the value. */
export type JsonStatus = 'more' | 'done' | 'stopped'

type Expect = 'value' | 'key' | 'colon' | 'separator'

interface Frame {
  isArray: boolean
  afterComma: boolean
}

const maxDepth = 200
/** Words, keys and the white space behind a quote are looked at again with each piece until they end: so, bounded. */
const maxToken = 1000
const space = /[ \t\r\n\u00a0\ufeff]*/y
const shortSpace = /[ \t\r\n\u00a0\ufeff]{0,1000}/y
const stringRun = /[^"\\\u0000-\u001f]*/y
const singleQuotedRun = /[^'"\\\u0000-\u001f]*/y
const bareKey = /[\p{L}_$][\p{L}\p{N}_$.-]*/uy
const bareWord = /[^\s,:[\]{}"'<]*/y
const digits = /[0-9a-fA-F]{0,4}/y

/**
 * Reads one JSON value as models write it, from text that comes in pieces: what is well-formed passes through as it
 * stands, what is not is repaired where only one reading makes sense. The caller keeps the text; `read` says how far
 * it came, and wants the rest again, with more behind it, on the next call.
 */
export class JsonReader {
  status: JsonStatus = 'more'
  readonly #sink: JsonSink
  readonly #stack: Frame[] = []
  #expect: Expect = 'value'
  #quote = ''
  #stringIsKey = false
  #key = ''
  #saidControl = false
  #comment = ''
  #offset = 0
  #base = 0

  constructor(sink: JsonSink) {
    this.#sink = sink
  }

  /** The offset of the token that is being read: of a string, that of its opening quote. */
  get offset(): number {
    return this.#offset
  }

  /** True where a comma was the last thing read: the model meant to go on. */
  get isAfterComma(): boolean {
    return this.#stack.at(-1)?.afterComma ?? false
  }

  /**
   * Reads on from `at`; gives the place up to which the text was read. `final` says that nothing follows `text`;
   * `base` is the offset of its beginning in all of the text, for what is told of places. When the status is `stopped`, the place given is that of what could not be read.
   */
  read(text: string, at: number, final: boolean, base: number = 0): number {
    this.#base = base
    let place = at
    while (this.status === 'more') {
      const next = this.#quote === '' ? this.#readToken(text, place, final) : this.#readString(text, place, final)
      if (next < 0) break
      place = next
    }
    return place
  }

  /**
   * Closes what is open, where the end of the value is proven by what follows it. False when that is not possible:
   * a string is open, or a key has no value.
   */
  close(at: number): boolean {
    if (this.status === 'done') return true
    if (this.#quote !== '' || this.#comment !== '' || this.#expect === 'colon' || this.#stack.length === 0) return false
    if (this.#expect === 'value' && !this.#stack.at(-1)?.isArray) return false
    while (this.#stack.length > 0) {
      this.#repaired('missing-closer', at)
      this.#pop()
    }
    return true
  }

  /** Reads one token; gives the place behind it, or -1 when it needs more text or stopped. */
  #readToken(text: string, at: number, final: boolean): number {
    if (this.#comment !== '') return this.#readComment(text, at)
    const place = matchEnd(space, text, at)
    // White space is over with as soon as it is read: it is never held, and never stands before what stops the reader.
    if (place > at) return place
    if (place >= text.length) return -1
    const char = text.charAt(place)
    this.#offset = this.#base + place
    if (char === '/') return this.#openComment(text, place, final)
    switch (this.#expect) {
      case 'colon':
        return this.#readColon(text, char, place, final)
      case 'separator':
        return this.#readSeparator(char, place)
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

  #readSeparator(char: string, place: number): number {
    const frame = this.#stack.at(-1)
    if (!frame) return this.#stop()
    if (char === ',') {
      frame.afterComma = true
      this.#expect = frame.isArray ? 'value' : 'key'
      return place + 1
    }
    if (char === '}' || char === ']') return this.#closeBracket(char, place)
    // A member that follows without a comma. Only what clearly begins one: prose behind an object must not join it.
    if (char === '"' || (frame.isArray ? char === '{' || char === '[' : char === "'")) {
      this.#repaired('missing-comma', place)
      frame.afterComma = true
      this.#expect = frame.isArray ? 'value' : 'key'
      return place
    }
    return this.#stop()
  }

  #readKey(text: string, char: string, place: number, final: boolean): number {
    if (char === '}' || char === ']') return this.#closeBracket(char, place)
    if (char === ',') {
      this.#repaired('trailing-comma', place)
      return place + 1
    }
    if (char === '"' || char === "'") {
      if (char === "'") this.#repaired('single-quotes', place)
      this.#openString(char, true)
      return place + 1
    }
    const end = matchEnd(bareKey, text, place)
    if (end === place || end - place > maxToken) return this.#stop()
    if (end >= text.length && !final) return -1
    this.#repaired('bare-key', place)
    this.#gotKey(text.slice(place, end))
    return end
  }

  #readValue(text: string, char: string, place: number, final: boolean): number {
    const frame = this.#stack.at(-1)
    switch (char) {
      case '{':
      case '[': {
        if (this.#stack.length >= maxDepth) return this.#stop()
        const isArray = char === '['
        this.#stack.push({ isArray, afterComma: false })
        if (isArray) this.#sink.openArray()
        else this.#sink.openObject()
        this.#expect = isArray ? 'value' : 'key'
        return place + 1
      }
      case '"':
      case "'":
        if (char === "'") this.#repaired('single-quotes', place)
        this.#openString(char, false)
        return place + 1
      case ']':
        return frame?.isArray ? this.#closeBracket(char, place) : this.#stop()
      case '}':
        return this.#stop()
      case ',':
        if (!frame?.isArray) return this.#stop()
        this.#repaired('trailing-comma', place)
        return place + 1
      default:
        return this.#readBareWord(text, place, final)
    }
  }

  #readBareWord(text: string, place: number, final: boolean): number {
    const end = matchEnd(bareWord, text, place)
    if (end === place || end - place > maxToken) return this.#stop()
    if (end >= text.length && !final) return -1
    // A quote right behind a word is a quote that was not escaped, some way back: what is text here is not to be told.
    if (isQuote(text[end])) return this.#stop()
    const word = text.slice(place, end)
    const literal = jsonNumber.test(word) ? word : valueWords.get(word)
    if (literal !== undefined) {
      if (literal !== word) this.#repaired('python-literal', place)
      this.#sink.literal(literal)
      this.#gotValue()
      return end
    }
    const number = mendNumber(word)
    if (number !== undefined) {
      this.#repaired('number-form', place)
      this.#sink.literal(number)
      this.#gotValue()
      return end
    }
    // At the top a bare word is prose, not a value.
    if (this.#stack.length === 0) return this.#stop()
    this.#repaired('bare-string', place)
    this.#sink.openString()
    this.#sink.stringPiece(escapeText(word))
    this.#sink.closeString()
    this.#gotValue()
    return end
  }

  #readString(text: string, at: number, final: boolean): number {
    const end = matchEnd(this.#quote === '"' ? stringRun : singleQuotedRun, text, at)
    if (end > at) {
      this.#piece(text.slice(at, end))
      return end
    }
    if (at >= text.length) return -1
    const char = text.charAt(at)
    if (char === '\\') return this.#readEscape(text, at, final)
    if (char === this.#quote) return this.#readQuote(text, at, final)
    if (char === '"') {
      this.#piece('\\"')
      return at + 1
    }
    if (!this.#saidControl) this.#repaired('control-character', at)
    this.#saidControl = true
    this.#piece(escapeText(char))
    return at + 1
  }

  #readEscape(text: string, at: number, final: boolean): number {
    const next = text[at + 1]
    if (next === undefined && !final) return -1
    if (next !== undefined && '"\\/bfnrt'.includes(next)) {
      this.#piece(text.slice(at, at + 2))
      return at + 2
    }
    if (next === 'u') {
      const end = matchEnd(digits, text, at + 2)
      if (end === at + 6) {
        this.#piece(text.slice(at, end))
        return end
      }
      if (end >= text.length && !final) return -1
    }
    if (next === "'") {
      if (this.#quote !== next) this.#repaired('invalid-escape', at)
      this.#piece("'")
      return at + 2
    }
    this.#repaired('invalid-escape', at)
    this.#piece('\\\\')
    return at + 1
  }

  /** A quote of the string's own kind: its end, or one that the model forgot to escape; what follows tells. */
  #readQuote(text: string, at: number, final: boolean): number {
    const place = matchEnd(shortSpace, text, at + 1)
    const ends = this.#stack.length === 0 || place - at > maxToken || this.#endsString(text, at, place, final)
    if (ends === undefined) return -1
    if (!ends) {
      this.#repaired('inner-quote', at)
      this.#piece(this.#quote === '"' ? '\\"' : "'")
      return at + 1
    }
    this.#quote = ''
    if (this.#stringIsKey) {
      this.#gotKey(unescapeJson(this.#key))
    } else {
      this.#sink.closeString()
      this.#gotValue()
    }
    return at + 1
  }

  /** Whether what stands at `place`, behind a quote and white space, can follow a string; undefined until it is there. */
  #endsString(text: string, at: number, place: number, final: boolean): boolean | undefined {
    const next = text[place]
    if (next === undefined) return final ? true : undefined
    if (this.#stringIsKey) return next === ':' || next === '='
    if (next === ',' || next === '}' || next === ']') return true
    // The next member behind a line break: only a comma was forgotten.
    if (next === '"') return text.slice(at + 1, place).includes('\n')
    if (next !== '<') return false
    // The closing tag of a call: only brackets were forgotten.
    const behind = text[place + 1]
    return behind === undefined && !final ? undefined : behind === '/'
  }

  #openComment(text: string, at: number, final: boolean): number {
    const opener = text.slice(at, at + 2)
    if (opener.length < 2 && !final) return -1
    const closer = opener === '//' ? '\n' : opener === '/*' ? '*/' : undefined
    if (closer === undefined || this.#stack.length === 0) return this.#stop()
    this.#repaired('comment', at)
    this.#comment = closer
    return at + 2
  }

  #readComment(text: string, at: number): number {
    const end = text.indexOf(this.#comment, at)
    if (end < 0) {
      // All but what may be the beginning of the closer is over with.
      const held = text.length - this.#comment.length + 1
      return held > at ? held : -1
    }
    const place = end + this.#comment.length
    this.#comment = ''
    return place
  }

  #closeBracket(char: string, place: number): number {
    const wanted = char === ']'
    const depth = this.#stack.findLastIndex((frame) => frame.isArray === wanted)
    if (depth < 0) {
      this.#repaired('surplus-closer', place)
      return place + 1
    }
    if (this.#stack.at(-1)?.afterComma) this.#repaired('trailing-comma', place)
    while (this.#stack.length > depth) {
      if (this.#stack.length > depth + 1) this.#repaired('missing-closer', place)
      this.#pop()
    }
    return place + 1
  }

  #pop(): void {
    const frame = this.#stack.pop()
    if (frame?.isArray) this.#sink.closeArray()
    else this.#sink.closeObject()
    this.#gotValue()
  }

  #repaired(repair: Repair, place: number): void {
    this.#sink.repaired(repair, this.#base + place)
  }

  #openString(quote: string, isKey: boolean): void {
    this.#quote = quote
    this.#stringIsKey = isKey
    this.#key = ''
    this.#saidControl = false
    if (!isKey) this.#sink.openString()
  }

  #piece(json: string): void {
    if (this.#stringIsKey) this.#key += json
    else this.#sink.stringPiece(json)
  }

  #gotKey(key: string): void {
    this.#sink.key(key)
    this.#expect = 'colon'
  }

  #gotValue(): void {
    const frame = this.#stack.at(-1)
    if (!frame) {
      this.status = 'done'
      return
    }
    frame.afterComma = false
    this.#expect = 'separator'
  }

  #stop(): number {
    this.status = 'stopped'
    return -1
  }
}

function isQuote(char: string | undefined): boolean {
  return char === '"' || char === "'"
}

function matchEnd(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at
  return pattern.test(text) ? pattern.lastIndex : at
}
