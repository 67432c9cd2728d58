import { begunSource, type Captures, firstChars, openerOf, type Pattern, wholeSource } from './pattern.ts'

/** What the machine matches at a place: a pattern or a tag, compiled. */
export interface Terminal {
  /** Sticky: all of it. */
  whole: RegExp
  /** Sticky: what may become it, to the end of the text. */
  begun: RegExp
  /** No match is longer, so that text in hand beyond this needs no look at `begun`. */
  longest: number
  /** What was found; undefined when it is not the terminal after all. */
  read(match: RegExpExecArray): Captures | undefined
  /** True for a tag that closes itself: `<invoke name="f"/>`. */
  isEmpty(match: RegExpExecArray): boolean
  /** True for what ends something. */
  closes: boolean
  /** Sources of expressions for the beginning by which it is found in a text. */
  opener: { whole: string; begun: string }
  /** The characters with which it may begin; undefined when it may begin with any. */
  firstChars: readonly string[] | undefined
}

export function patternTerminal(pattern: Pattern): Terminal {
  const opener = openerOf(pattern)
  return {
    whole: new RegExp(wholeSource(pattern), 'iy'),
    begun: new RegExp(begunSource(pattern), 'iy'),
    longest: longestMatch(pattern),
    read: (match) => ({ ...match.groups }),
    isEmpty: () => false,
    closes: false,
    opener: { whole: wholeSource(opener).replace(/\(\?<[a-z]+>/g, '(?:'), begun: begunSource(opener) },
    firstChars: firstChars(pattern),
  }
}

function longestMatch(pattern: Pattern): number {
  switch (pattern.type) {
    case 'literal':
      return pattern.text.length
    case 'chars':
      return pattern.max
    case 'sequence':
      return pattern.of.reduce((sum, part) => sum + longestMatch(part), 0)
    case 'choice':
      return Math.max(...pattern.of.map(longestMatch))
    case 'optional':
    case 'capture':
    case 'ahead':
      return longestMatch(pattern.of)
  }
}
