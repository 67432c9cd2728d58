import { escapeText } from '../../literals.ts'
import { matchEnd } from './lexical.ts'

const unicode = /\\u[0-9a-fA-F]{4}/y
/** The characters that escape with a backslash, by their code. Python has no `\/`. */
const simple: readonly boolean[] = flags('"\\/bfnrt')
const simplePython: readonly boolean[] = flags('"\\bfnrt')
/**
 * Escapes that Python has in addition to JSON's. `\a` and `\v` are left out: Windows paths begin with them, and models
 * do not write them otherwise.
 */
const python = /\\(?:x([0-9a-fA-F]{2})|U(00(?:0[0-9a-fA-F]|10)[0-9a-fA-F]{4})|([0-3][0-7]{2})|(\r?\n))/y
const begun = /^\\(?:u[0-9a-fA-F]{0,3})?$/
const begunPython = /^\\(?:[ux][0-9a-fA-F]{0,3}|U[0-9a-fA-F]{0,7}|[0-3][0-7]?|\r)?$/
/** No escape is longer. */
const longest = 10

/** Returns the place after the escape at `at` if it is valid JSON, otherwise `at`. */
export function escapeEnd(text: string, at: number, isPython: boolean): number {
  if ((isPython ? simplePython : simple)[text.charCodeAt(at + 1)]) return at + 2
  return matchEnd(unicode, text, at)
}

/** An escape as JSON text, and the place after it. */
export interface Escape {
  json: string
  end: number
  isInvalid: boolean
}

/**
 * Reads the backslash at `at`, which begins no escape of JSON. Without a character that it can escape, the backslash is literal.
 * Undefined if it needs more text.
 */
export function readEscape(
  text: string,
  at: number,
  final: boolean,
  isPython: boolean,
  quote: string,
): Escape | undefined {
  const seen = text.slice(at, at + longest)
  if (!final && (isPython ? begunPython : begun).test(seen) && at + seen.length === text.length) return undefined
  if (seen[1] === "'") return { json: "'", end: at + 2, isInvalid: quote !== "'" && !isPython }
  if (isPython) {
    python.lastIndex = at
    const [whole, byte, point, octal, lineBreak] = python.exec(text) ?? []
    const code = byte ?? point
    if (whole !== undefined) {
      const end = at + whole.length
      if (lineBreak !== undefined) return { json: '', end, isInvalid: false }
      const value = code === undefined ? Number.parseInt(octal ?? '0', 8) : Number.parseInt(code, 16)
      return { json: escapeText(String.fromCodePoint(value)), end, isInvalid: false }
    }
  }
  return { json: '\\\\', end: at + 1, isInvalid: true }
}

function flags(characters: string): boolean[] {
  return Array.from({ length: 128 }, (_, code) => characters.includes(String.fromCharCode(code)))
}
