import { escapeText, isFirstHalf, writeEscaped } from '../../literals.ts'
import type { Repair } from '../../sink.ts'
import type { JsonStyle } from '../../style.ts'
import { delimiterRole, memberUpTo } from './delimiter-role.ts'
import { escapeEnd, readEscape } from './escapes.ts'
import { matchEnd } from './lexical.ts'
import { quoteRole, type StringPlace } from './string-end.ts'
import { charRoles, type StringKind, type StringOpener, stringOpener } from './string-kinds.ts'
import {
  commaBefore,
  endBeforeCall,
  firstMark,
  mayBeUnclosed,
  type Unclosed,
  type UnclosedPlace,
  unclosedAt,
} from './unclosed-strings.ts'

/** Receives the content of a string as it is read. */
export interface StringHost extends UnclosedPlace {
  /** A piece of the content as JSON text. */
  stringPiece(json: string): void
  /** `place` is one in the text that is being read. */
  repaired(repair: Repair, place: number): void
  /** `end` is the place in the text that is being read at which the content ends. */
  endString(end: number): void
  stop(): void
  /** False if a missing closing quote cannot be detected where the string is. */
  readonly mayLackQuote: boolean
}

/**
 * The maximum length of a run of quotes that is judged as a whole: two of the content and three that end the string.
 */
const longestQuotes = 5

/** The length of a text, such as a piece of a stream, for which an expression takes longer to start than to compare its characters. */
const shortText = 32

/** Reads the content of one string after the other, from after the opening quote to after the closing one. */
export class StringReader {
  readonly #host: StringHost
  readonly #style: JsonStyle
  readonly #isPython: boolean
  #kind: StringKind | undefined
  #delimiter = ''
  /**
   * True if the text after a delimiter decides whether it ends the string: in an object, if opening and closing
   * delimiters are equal.
   */
  #mayRepair = false
  #isRaw = false
  /** The roles that characters of the text that was read last may have. */
  #seen = 0
  /** True between two parts of one string. */
  #isJoining = false
  #parent: StringPlace['parent'] = 'top'
  #isKey = false
  #saidControl = false
  #sawInnerQuote = false

  constructor(host: StringHost, style: JsonStyle) {
    this.#host = host
    this.#style = style
    this.#isPython = style.python === true
  }

  open(opener: StringOpener, isKey: boolean, parent: StringPlace['parent']): void {
    this.#kind = opener.kind
    this.#delimiter = opener.delimiter
    const isSame = this.#style.delimiters?.some((one) => one === opener.delimiter) ?? false
    this.#mayRepair = isSame && !isKey && parent === 'object'
    this.#isRaw = opener.isRaw
    this.#isKey = isKey
    this.#parent = parent
    this.#saidControl = opener.kind?.length === 3 || this.#style.rawControls === true
    this.#sawInnerQuote = false
  }

  /** Reads on from `at`; gives the place up to which it came, or -1 when it needs more text or stopped. */
  read(text: string, at: number, final: boolean): number {
    if (at >= text.length) return -1
    if (this.#isJoining) return this.#join(text, at, final)
    const kind = this.#kind
    if (!kind) return this.#readDelimited(text, at, final)
    const end = this.#runEnd(kind, text, at)
    const char = text.charAt(at)
    if (end > at || char === '\n' || char === '\r') {
      const unclosed = this.#unclosed(text, at, end, final)
      if (unclosed?.place === at) return this.#endUnclosed(unclosed, at)
      if (end > at) return this.#take(text, at, unclosed?.place ?? end, final)
    }
    if (char === '\\') return this.#readBackslash(text, at, final, kind)
    if (kind.closers.includes(char)) return this.#readQuote(text, at, final, kind)
    if (char !== '"' && !this.#saidControl) {
      this.#saidControl = true
      this.#host.repaired('control-character', at)
    }
    this.#host.stringPiece(escapeText(char))
    return at + 1
  }

  /** Returns the end of the text at `at` that is passed on in one piece, with the escapes in it that JSON has too. */
  #runEnd(kind: StringKind, text: string, at: number): number {
    const isShort = text.length - at <= shortText
    this.#seen = isShort ? 0 : charRoles.ending | charRoles.mark
    let end = isShort ? this.#plainEnd(kind, text, at) : matchEnd(kind.run, text, at)
    if (this.#isRaw) return end
    while (text.charCodeAt(end) === backslash) {
      const after = escapeEnd(text, end, this.#isPython)
      if (after === end) break
      end = isShort ? this.#plainEnd(kind, text, after) : matchEnd(kind.run, text, after)
    }
    return end
  }

  /** Returns the end of the text at `at` that needs no closer look, and notes the roles of its characters. */
  #plainEnd({ roles, closers }: StringKind, text: string, at: number): number {
    const ofAscii = this.#isPython ? roles.python : roles.json
    let seen = 0
    let end = at
    for (; end < text.length; end++) {
      const code = text.charCodeAt(end)
      const role = code < 0x80 ? (ofAscii[code] ?? 0) : roleBeyondAscii(code, closers)
      if (role === charRoles.special) break
      seen |= role
    }
    this.#seen |= seen
    return end
  }

  #endUnclosed({ type }: Unclosed, at: number): number {
    if (type === 'hold') return -1
    this.#host.repaired('missing-quote', at)
    this.#host.endString(at)
    return at
  }

  /** Returns the place at which the string ends, or may end, although its quote was left out. */
  #unclosed(text: string, at: number, end: number, final: boolean): Unclosed | undefined {
    if (this.#isKey || (this.#seen === 0 && end === text.length)) return undefined
    if (this.#isPython ? this.#host.marks.length === 0 : this.#parent === 'top' || this.#kind?.closers === "'")
      return undefined
    const next = text.charCodeAt(end)
    const { marks } = this.#host
    const hasMarks = marks.length > 0
    const mark = hasMarks && (this.#seen & charRoles.mark) !== 0 ? firstMark(text, at, end, marks) : -1
    const hasMark = mark >= 0
    // Without marks, or before a quote, only a comma counts.
    const isComma = (next === quote || !hasMarks) && this.#isBeforeMember(text, at, end)
    const mayEnd = hasMarks && next !== quote && mayBeUnclosed(text, at, end, this.#isPython, hasMark)
    // A quote that was not escaped may be that of a call within the string.
    const isBeforeMark = hasMark || next === lineFeed || next === carriageReturn
    const mayHaveCall = isBeforeMark && hasMarks && !this.#isPython && !this.#sawInnerQuote
    if (!(isComma || mayEnd || mayHaveCall) || !this.#host.mayLackQuote) return undefined
    const sign = this.#kind ? '"' : { delimiter: this.#delimiter }
    const unclosed = mayHaveCall ? endBeforeCall(text, at, end, final, this.#host, sign, mark) : undefined
    return unclosed ?? (isComma || mayEnd ? unclosedAt(text, at, end, final, this.#host, hasMark) : undefined)
  }

  #isBeforeMember(text: string, at: number, end: number): boolean {
    return !this.#isPython && this.#parent === 'object' && commaBefore(text, at, end) >= 0
  }

  /** Emits plain text, except half a surrogate pair at the end, which waits for its other half. */
  #take(text: string, at: number, end: number, final: boolean): number {
    const whole = !final && end === text.length && isFirstHalf(text.charCodeAt(end - 1)) ? end - 1 : end
    if (whole === at) return -1
    this.#host.stringPiece(text.slice(at, whole))
    return whole
  }

  #readDelimited(text: string, at: number, final: boolean): number {
    const delimiter = this.#delimiter
    const found = text.indexOf(delimiter, at)
    let end = found < 0 ? text.length - (final ? 0 : heldBack(text, at, delimiter)) : found
    if (found < 0 && !final && isFirstHalf(text.charCodeAt(end - 1))) end--
    // A mark may begin like the delimiter: without the part that is held back, the marks before it would not be the last text.
    const last = found < 0 ? text.length : found
    this.#seen = charRoles.ending | charRoles.mark
    const unclosed = this.#unclosed(text, at, last, final)
    if (unclosed?.place === at) return this.#endUnclosed(unclosed, at)
    if (unclosed) end = Math.min(end, unclosed.place)
    // A member may begin here, if the delimiter before it was left out.
    if (this.#mayRepair && (found >= 0 || !final)) end = memberUpTo(text, at, end, found < 0) ?? end
    if (end > at) {
      writeEscaped(text.slice(at, end), this.#host)
      return end
    }
    return found < 0 ? -1 : this.#readDelimiter(text, at, found, final)
  }

  /** The delimiter at `found`, with a member before it if `found` is not `at`. */
  #readDelimiter(text: string, at: number, found: number, final: boolean): number {
    const after = found + this.#delimiter.length
    const role = this.#mayRepair ? delimiterRole(text, after, final, this.#delimiter) : 'end'
    if (role === 'more') return -1
    if (role === 'inner' && found > at) {
      this.#host.repaired('missing-quote', at)
      this.#host.endString(at)
      return at
    }
    if (role === 'inner') this.#host.repaired('inner-quote', at)
    if (found > at) writeEscaped(text.slice(at, found), this.#host)
    if (role === 'inner') this.#host.stringPiece(escapeText('"'))
    if (role === 'end') this.#host.endString(found)
    return after
  }

  #readBackslash(text: string, at: number, final: boolean, kind: StringKind): number {
    if (this.#isRaw) {
      const next = text[at + 1]
      if (next === undefined && !final) return -1
      // In a raw string the backslash keeps a quote from ending it, and stays.
      const isKept = next !== undefined && (kind.closers.includes(next) || next === '\\')
      this.#host.stringPiece(`\\\\${isKept ? escapeText(next) : ''}`)
      return at + (isKept ? 2 : 1)
    }
    const found = readEscape(text, at, final, this.#isPython, kind.closers)
    if (!found) return -1
    if (found.isInvalid) this.#host.repaired('invalid-escape', at)
    if (found.json !== '') this.#host.stringPiece(found.json)
    return found.end
  }

  /** A quote of the string's own kind: its end, or one that the model forgot to escape. */
  #readQuote(text: string, at: number, final: boolean, kind: StringKind): number {
    let after = at + 1
    if (kind.length === 3) {
      while (after - at < longestQuotes && text[after] === kind.closers) after++
      if (after === text.length && after - at < longestQuotes && !final) return -1
    }
    const quotes = after - at
    const role = quotes < kind.length ? 'content' : this.#roleOf(text, after, final, kind)
    switch (role) {
      case 'more':
        return -1
      case 'stop':
        this.#host.stop()
        return -1
      case 'inner':
        if (!this.#isOwnQuote(kind)) this.#host.repaired('inner-quote', at)
        this.#sawInnerQuote = true
        this.#host.stringPiece(escapeText(text.slice(at, after)))
        return after
      case 'content':
        this.#host.stringPiece(escapeText(text.slice(at, after)))
        return after
    }
    if (quotes > kind.length) this.#host.stringPiece(escapeText(text.slice(at, after - kind.length)))
    if (role === 'join') this.#isJoining = true
    else this.#host.endString(after - kind.length)
    return after
  }

  /** The quote in which the format writes strings, without escaping it in them. */
  #isOwnQuote({ closers }: StringKind): boolean {
    return this.#style.rawQuotes === true && closers === (this.#style.singleQuotes ? "'" : '"')
  }

  #roleOf(text: string, after: number, final: boolean, kind: StringKind): ReturnType<typeof quoteRole> {
    return quoteRole(text, after, final, {
      kind,
      isKey: this.#isKey,
      parent: this.#parent,
      isPython: this.#isPython,
      sawInnerQuote: this.#sawInnerQuote,
    })
  }

  /** Continues with the next part of a string that is written in parts, as in Python. */
  #join(text: string, at: number, final: boolean): number {
    const blanks = matchEnd(/\s*/y, text, at)
    if (blanks > at) return blanks
    const opener = stringOpener(text, at, final, this.#style)
    if (opener === 'more') return -1
    this.#isJoining = false
    if (!opener) {
      this.#host.stop()
      return -1
    }
    this.open(opener, this.#isKey, this.#parent)
    return opener.end
  }
}

const backslash = 0x5c
const quote = 0x22
const lineFeed = 0x0a
const carriageReturn = 0x0d

/** Some characters beyond ASCII are blank; to know which ones takes longer than to look at the end of the piece. */
function roleBeyondAscii(code: number, closers: string): number {
  const isCloser = code === closers.charCodeAt(0) || code === closers.charCodeAt(closers.length - 1)
  return isCloser ? charRoles.special : charRoles.ending
}

/** Returns the length of the end of `text`, from `at`, that may be the beginning of the delimiter. */
function heldBack(text: string, at: number, delimiter: string): number {
  for (let length = Math.min(delimiter.length - 1, text.length - at); length > 0; length--) {
    if (text.endsWith(delimiter.slice(0, length))) return length
  }
  return 0
}
