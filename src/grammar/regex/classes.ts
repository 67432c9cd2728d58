import { RecentMap } from '../../conversation/index.ts'
import { CharSet } from './chars.ts'

const digits = CharSet.range('0', '9')
export const lowerLetters: CharSet = CharSet.range('a', 'z')
export const upperLetters: CharSet = CharSet.range('A', 'Z')
const letters = lowerLetters.or(upperLetters)
const wordChars = digits.or(letters).or(CharSet.of('_'))
export const lineEnds: CharSet = CharSet.of('\n\r\u2028\u2029')
const blanks = CharSet.of('\t\n\v\f\r \u00a0\u1680\u2028\u2029\u202f\u205f\u3000\ufeff').or(
  CharSet.range('\u2000', '\u200a'),
)

function withOpposites(classes: readonly (readonly [string, CharSet])[]): ReadonlyMap<string, CharSet> {
  return new Map(
    classes.flatMap(([letter, set]) => [
      [letter, set],
      [letter.toUpperCase(), set.not()],
    ]),
  )
}

/** JavaScript's classes, by the letter after the backslash. */
export const javascriptClasses: ReadonlyMap<string, CharSet> = withOpposites([
  ['d', digits],
  ['w', wordChars],
  ['s', blanks],
])

/** Rust's classes are of all alphabets; by the letter after the backslash, as sets of Unicode properties. */
const rustSources: ReadonlyMap<string, string> = new Map([
  ['d', '\\p{Nd}'],
  ['w', '\\p{Alphabetic}\\p{M}\\p{Nd}\\p{Pc}\\p{Join_Control}'],
  ['s', '\\p{White_Space}'],
])

/** Returns a class of Rust's crate `regex`, by the letter after the backslash; undefined if the letter has none. */
export function rustClass(letter: string): CharSet | undefined {
  const source = rustSources.get(letter.toLowerCase())
  if (source === undefined) return undefined
  return letter === letter.toLowerCase() ? charsOfClass(source) : charsOfClass(source).not()
}

const printable = CharSet.range('!', '~')
const punctuation = printable.without(letters).without(digits)

/** The classes of POSIX, `[[:alpha:]]`: of ASCII alone. */
export const posixClasses: ReadonlyMap<string, CharSet> = new Map([
  ['alnum', letters.or(digits)],
  ['alpha', letters],
  ['ascii', CharSet.from([[0, 0x7f]])],
  ['blank', CharSet.of(' \t')],
  ['cntrl', CharSet.from([[0, 0x1f]]).or(CharSet.of('\x7f'))],
  ['digit', digits],
  ['graph', printable],
  ['lower', lowerLetters],
  ['print', printable.or(CharSet.of(' '))],
  ['punct', punctuation],
  ['space', CharSet.of('\t\n\v\f\r ')],
  ['upper', upperLetters],
  ['word', wordChars],
  ['xdigit', digits.or(CharSet.range('a', 'f')).or(CharSet.range('A', 'F'))],
])

const known = new RecentMap<string, CharSet>(100)

/** Code points in which assigned characters and others alternate. All others of a stretch are alike. */
const assigned = [
  [0, 0xd7ff],
  [0xe000, 0x3ffff],
  [0xe0000, 0xe0fff],
] as const
const alike = [
  [0x40000, 0xdffff],
  [0xe1000, 0xeffff],
  [0xf0000, 0xffffd],
  [0x100000, 0x10fffd],
] as const

/**
 * Returns the characters of a Unicode property: `L`, `Lu`, `Alphabetic`, `Script=Greek`. Throws a SyntaxError if there
 * is no such property.
 */
export function unicodeClass(name: string): CharSet {
  return charsOfClass(`\\p{${name}}`)
}

/** Returns the characters of a class, given as its content in brackets. */
function charsOfClass(source: string): CharSet {
  return known.of(source, () => {
    const runs = new RegExp(`[${source}]+`, 'gu')
    const ranges = assigned.flatMap(([first, last]) => rangesIn(first, last, runs))
    const others = alike.filter(([first]) => String.fromCodePoint(first).match(runs) !== null)
    return CharSet.from([...ranges, ...others])
  })
}

/** The number of arguments that fit into one call. */
const mostArguments = 4096

function rangesIn(first: number, last: number, runs: RegExp): [number, number][] {
  const ranges: [number, number][] = []
  for (let start = first; start <= last; start += mostArguments) {
    const count = Math.min(mostArguments, last - start + 1)
    const text = String.fromCodePoint(...Array.from({ length: count }, (_, at) => start + at))
    const units = start > 0xffff ? 2 : 1
    for (const { 0: run, index } of text.matchAll(runs)) {
      const from = start + index / units
      ranges.push([from, from + run.length / units - 1])
    }
  }
  return ranges
}
