import type { Repair } from '../../sink.ts'
import { type JsonStyle, sidesOf } from '../../style.ts'
import { mayBeginMark } from './closing-marks.ts'
import { matchEnd } from './lexical.ts'
import { mayEndUnclosed } from './unclosed-strings.ts'

/** One way to quote a string. */
export interface StringKind {
  /** Matches text that needs no closer look: everything up to a quote, a backslash or a control character. */
  run: RegExp
  /** The role of each character of ASCII, in JSON and in Python. */
  roles: Readonly<Record<'json' | 'python', Uint8Array>>
  /** The characters that end it. */
  closers: string
  /** The number of quotes in a row that open and close the string. */
  length: 1 | 3
  /** The repair that its use in JSON means, if JSON does not have it. */
  repair?: Repair
}

/** The roles of characters: a string without a closing quote may end at an `ending` or at a `mark`, and `special` ends a run. */
export const charRoles = { plain: 0, ending: 1, mark: 2, special: 4 } as const

function kindOf(closers: string, repair?: Repair): StringKind {
  const run = `[^${closers}"\\\\\\u0000-\\u001f]`
  const isPlain = new RegExp(run)
  const roleOf = (code: number, isPython: boolean) => {
    if (!isPlain.test(String.fromCharCode(code))) return charRoles.special
    if (mayBeginMark(code)) return charRoles.mark
    return mayEndUnclosed(code, isPython) ? charRoles.ending : charRoles.plain
  }
  const rolesOf = (isPython: boolean) => Uint8Array.from({ length: 0x80 }, (_, code) => roleOf(code, isPython))
  return {
    run: new RegExp(`${run}*`, 'y'),
    roles: { json: rolesOf(false), python: rolesOf(true) },
    closers,
    length: 1,
    ...(repair && { repair }),
  }
}

const double = kindOf('"')
const single = kindOf("'", 'single-quotes')
// Languages differ in which curly quote opens and which closes, and models mix them up.
const curlyDouble = kindOf('“”', 'smart-quotes')
const curlySingle = kindOf('‘’', 'smart-quotes')
const wideDouble = kindOf('＂', 'full-width')

const kinds: ReadonlyMap<string, StringKind> = new Map([
  ['"', double],
  ["'", single],
  ['“', curlyDouble],
  ['”', curlyDouble],
  ['„', curlyDouble],
  ['‘', curlySingle],
  ['’', curlySingle],
  ['‚', curlySingle],
  ['＂', wideDouble],
])

const tripled: ReadonlyMap<string, StringKind> = new Map([
  ['"', { ...double, length: 3 }],
  ["'", { ...single, length: 3 }],
])

const longString: StringKind = { ...double, length: 3, repair: 'triple-quotes' }

/** The beginning of a string: either of a kind, or with a delimiter. */
export interface StringOpener {
  kind: StringKind | undefined
  delimiter: string
  /** True if a backslash has no special meaning. */
  isRaw: boolean
  /** The place after it. */
  end: number
}

const none: NonNullable<JsonStyle['delimiters']> = []
const pythonPrefix = /(?:[rR][bBfF]?|[bBfFuU][rR]?)(?=["'])/y

/**
 * Returns the string that begins at `place`. `more` if that depends on more text; undefined if no string begins there.
 */
export function stringOpener(
  text: string,
  place: number,
  final: boolean,
  style: JsonStyle,
): StringOpener | 'more' | undefined {
  for (const delimiter of style.delimiters ?? none) {
    const [open, close] = sidesOf(delimiter)
    const end = place + open.length
    const written = text.slice(place, end)
    if (written.toLowerCase() === open.toLowerCase()) {
      // In the case of its letters in which it opens, it closes.
      return { kind: undefined, delimiter: open === close ? written : close, isRaw: true, end }
    }
    if (!final && text.length < end && open.toLowerCase().startsWith(text.slice(place).toLowerCase())) return 'more'
  }
  const at = style.python ? matchEnd(pythonPrefix, text, place) : place
  const quote = text.charAt(at)
  const kind = kinds.get(quote)
  if (!kind) return undefined
  const isRaw = at > place && /[rR]/.test(text.slice(place, at))
  // In JSON nothing begins with three quotes, so they are Python's there as well; of keys the quotes are never many.
  const triple = style.python ? tripled.get(quote) : quote === '"' ? longString : undefined
  if (triple) {
    let end = at + 1
    while (end < at + 3 && text.charAt(end) === quote) end++
    if (end === at + 3) return { kind: triple, delimiter: '', isRaw, end }
    if (!final && end === text.length) return 'more'
  }
  return { kind, delimiter: '', isRaw, end: at + 1 }
}

const quotedObject = /"\s{0,16}\{\s{0,16}"[\p{L}_]/uy
const quotedObjectBegun = /"\s{0,16}(?:\{\s{0,16}"?)?$/y

/**
 * Returns true if an object in quotes begins at `place` whose own quotes are not escaped. No string continues like
 * this.
 */
export function quotedObjectAt(text: string, place: number, final: boolean): boolean | 'more' {
  if (matchEnd(quotedObject, text, place) > place) return true
  return !final && matchEnd(quotedObjectBegun, text, place) > place ? 'more' : false
}

/** True for a character that a string may begin with. */
export function isQuote(char: string | undefined): boolean {
  return char !== undefined && kinds.has(char)
}
