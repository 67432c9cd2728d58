import { memoize } from '../../../conversation/index.ts'
import { CharSet } from '../../regex/chars.ts'

/** A text as a literal in Lark, with the escapes of JSON. */
export function larkLiteral(text: string): string {
  return JSON.stringify(text).replace(/[\x7f\u2028\u2029]/g, (char) => `\\u${hex(char.charCodeAt(0), 4)}`)
}

const lastChar = 0x10ffff
/** Characters of texts, and NUL: others need not be named. */
const nameable = CharSet.all.or(CharSet.from([[0, 0]]))

/** A set of characters as a regular expression in Rust's syntax; one of nearly all is written by the missing ones. */
export const larkSet: (set: CharSet) => string = memoize((set) => {
  const isNegative = set.ranges.at(-1)?.[1] === lastChar
  const named = isNegative ? set.not().and(nameable) : set
  return `/[${isNegative ? '^' : ''}${named.ranges.map(printRange).join('')}]/`
})

function printRange([first, last]: readonly [number, number]): string {
  if (first === last) return printChar(first)
  return `${printChar(first)}${last === first + 1 ? '' : '-'}${printChar(last)}`
}

function printChar(code: number): string {
  const char = String.fromCodePoint(code)
  if (/[\w ]/.test(char)) return char
  return code < 0x80 ? `\\x${hex(code, 2)}` : `\\u{${hex(code, 4)}}`
}

function hex(code: number, digits: number): string {
  return code.toString(16).toUpperCase().padStart(digits, '0')
}
