/** Receives a JSON value as it is read: what comes is well-formed, whatever the text was. */
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
  /** Something was read that is not JSON; `at` is its place in the text given to `read`. */
  repaired(repair: Repair, at: number): void
}

/** The repairs, by what the model did. The texts are what people read. */
export const repairs = {
  'single-quotes': 'single quotes taken as double quotes',
  'bare-key': 'a key without quotes',
  'bare-string': 'a string without quotes',
  'python-literal': 'a Python literal taken as its JSON twin',
  'number-form': 'a number that JSON does not write so',
  'trailing-comma': 'a comma too many',
  'missing-comma': 'a comma too few',
  'missing-colon': 'a colon left out',
  'control-character': 'a raw control character in a string, such as a line break',
  'invalid-escape': 'a backslash that escapes nothing, taken as itself',
  'inner-quote': 'a quote inside a string that was not escaped',
  'missing-closer': 'a closing bracket left out',
  'surplus-closer': 'a closing bracket too many',
  comment: 'a comment',
} as const
export type Repair = keyof typeof repairs

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
const stringRun = /[^"\\\u0000-\u001f]*/y
const singleQuotedRun = /[^'"\\\u0000-\u001f]*/y
const bareKey = /[\p{L}_$][\p{L}\p{N}_$.-]*/uy
const bareWord = /[^\s,:[\]{}"'<]*/y
/** A number as JSON writes it. */
export const jsonNumber: RegExp = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$/
const words: ReadonlyMap<string, string> = new Map([
  ['true', 'true'],
  ['false', 'false'],
  ['null', 'null'],
  ['True', 'true'],
  ['False', 'false'],
  ['None', 'null'],
  ['undefined', 'null'],
  ['NaN', 'null'],
])

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

  constructor(sink: JsonSink) {
    this.#sink = sink
  }

  get depth(): number {
    return this.#stack.length
  }

  /** True between the quotes of a string. */
  get inString(): boolean {
    return this.#quote !== ''
  }

  /**
   * Reads on from `at`; gives the place up to which the text was read. `final` says that nothing follows `text`.
   * When the status is `stopped`, the place given is that of what could not be read.
   */
  read(text: string, at: number, final: boolean): number {
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
      this.#sink.repaired('missing-closer', at)
      this.#pop()
    }
    return true
  }

  /** Reads one token; gives the place behind it, or -1 when it needs more text or stopped. */
  #readToken(text: string, at: number, final: boolean): number {
    if (this.#comment !== '') return this.#readComment(text, at)
    const place = matchEnd(space, text, at)
    if (place >= text.length) {
      // White space before a token is consumed as soon as it is read, so that it is never held.
      return place > at ? place : -1
    }
    const char = text[place] as string
    if (char === '/') return this.#openComment(text, place, final)
    switch (this.#expect) {
      case 'colon':
        if (char === ':' || char === '=') {
          const arrow = char === '=' && text[place + 1] === '>'
          if (char === '=') this.#sink.repaired('missing-colon', place)
          this.#expect = 'value'
          return place + (arrow ? 2 : 1)
        }
        return this.#stop()
      case 'separator':
        return this.#readSeparator(char, place)
      case 'key':
        return this.#readKey(text, char, place, final)
      case 'value':
        return this.#readValue(text, char, place, final)
    }
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
      this.#sink.repaired('missing-comma', place)
      frame.afterComma = true
      this.#expect = frame.isArray ? 'value' : 'key'
      return place
    }
    return this.#stop()
  }

  #readKey(text: string, char: string, place: number, final: boolean): number {
    if (char === '}' || char === ']') return this.#closeBracket(char, place)
    if (char === ',') {
      this.#sink.repaired('trailing-comma', place)
      return place + 1
    }
    if (char === '"' || char === "'") {
      if (char === "'") this.#sink.repaired('single-quotes', place)
      this.#openString(char, true)
      return place + 1
    }
    const end = matchEnd(bareKey, text, place)
    if (end === place || end - place > maxToken) return this.#stop()
    if (end >= text.length && !final) return -1
    this.#sink.repaired('bare-key', place)
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
        if (char === "'") this.#sink.repaired('single-quotes', place)
        this.#openString(char, false)
        return place + 1
      case ']':
        return frame?.isArray ? this.#closeBracket(char, place) : this.#stop()
      case '}':
        return this.#stop()
      case ',':
        if (!frame?.isArray) return this.#stop()
        this.#sink.repaired('trailing-comma', place)
        return place + 1
      default:
        return this.#readBareWord(text, place, final)
    }
  }

  #readBareWord(text: string, place: number, final: boolean): number {
    const end = matchEnd(bareWord, text, place)
    if (end === place || end - place > maxToken) return this.#stop()
    if (end >= text.length && !final) return -1
    const word = text.slice(place, end)
    const literal = jsonNumber.test(word) ? word : words.get(word)
    if (literal !== undefined) {
      if (literal !== word) this.#sink.repaired('python-literal', place)
      this.#sink.literal(literal)
      this.#gotValue()
      return end
    }
    const number = mendNumber(word)
    if (number !== undefined) {
      this.#sink.repaired('number-form', place)
      this.#sink.literal(number)
      this.#gotValue()
      return end
    }
    // At the top a bare word is prose, not a value.
    if (this.#stack.length === 0) return this.#stop()
    this.#sink.repaired('bare-string', place)
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
    const char = text[at] as string
    if (char === '\\') return this.#readEscape(text, at, final)
    if (char === this.#quote) return this.#readQuote(text, at, final)
    if (char === '"') {
      this.#piece('\\"')
      return at + 1
    }
    if (!this.#saidControl) this.#sink.repaired('control-character', at)
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
      const digits = /[0-9a-fA-F]{0,4}/y
      const end = matchEnd(digits, text, at + 2)
      if (end === at + 6) {
        this.#piece(text.slice(at, end))
        return end
      }
      if (end >= text.length && !final) return -1
    }
    if (next === "'") {
      this.#sink.repaired('invalid-escape', at)
      this.#piece("'")
      return at + 2
    }
    this.#sink.repaired('invalid-escape', at)
    this.#piece('\\\\')
    return at + 1
  }

  /** A quote of the string's own kind: its end, or one that the model forgot to escape; what follows tells. */
  #readQuote(text: string, at: number, final: boolean): number {
    const place = matchEnd(space, text, at + 1)
    if (place >= text.length && place - at < maxToken && !final && !(this.#stack.length === 0 && !this.#stringIsKey))
      return -1
    const next = text[place]
    const frame = this.#stack.at(-1)
    const ends =
      next === undefined ||
      frame === undefined ||
      (this.#stringIsKey ? next === ':' || next === '=' : next === ',' || next === '}' || next === ']') ||
      // The closing mark of a call, or the next member behind a line break: only a bracket or a comma was forgotten.
      (!this.#stringIsKey && (next === '<' || (next === '"' && text.slice(at + 1, place).includes('\n'))))
    if (!ends) {
      this.#sink.repaired('inner-quote', at)
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

  #openComment(text: string, at: number, final: boolean): number {
    const opener = text.slice(at, at + 2)
    if (opener.length < 2 && !final) return -1
    const closer = opener === '//' ? '\n' : opener === '/*' ? '*/' : undefined
    if (closer === undefined || this.#stack.length === 0) return this.#stop()
    this.#sink.repaired('comment', at)
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
      this.#sink.repaired('surplus-closer', place)
      return place + 1
    }
    if (this.#stack.at(-1)?.afterComma) this.#sink.repaired('trailing-comma', place)
    while (this.#stack.length > depth) {
      if (this.#stack.length > depth + 1) this.#sink.repaired('missing-closer', place)
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

function matchEnd(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at
  return pattern.test(text) ? pattern.lastIndex : at
}

/** Forms of numbers that models write and JSON does not have: `+5`, `.5`, `5.`, `1_000`. */
function mendNumber(word: string): string | undefined {
  if (!/^[+-]?[0-9._eE+-]+$/.test(word) || !/[0-9]/.test(word)) return undefined
  const mended = word
    .replace(/^\+/, '')
    .replace(/(?<=[0-9])_(?=[0-9])/g, '')
    .replace(/^(-?)\./, '$10.')
    .replace(/\.$/, '')
  return jsonNumber.test(mended) ? mended : undefined
}

/** Text as the content of a JSON string. */
export function escapeText(text: string): string {
  return JSON.stringify(text).slice(1, -1)
}

/** The text that the content of a JSON string stands for. */
export function unescapeJson(json: string): string {
  return json.includes('\\') ? String(JSON.parse(`"${json}"`)) : json
}
