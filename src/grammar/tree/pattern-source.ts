import { RecentMap } from '../../conversation/index.ts'
import type { CharSet } from '../regex/chars.ts'
import { parseRegexTree, type RegexTree } from '../regex/tree.ts'
import { anyName, type Pattern } from './pattern.ts'
import { escapePattern, isNullable } from './pattern-queries.ts'

/** A set repeated at most this often is not a run: there are only this many ways to try it. */
const longestShort = 3

type Run = Extract<Pattern, { type: 'chars' }>

/**
 * Returns the source of a regular expression that matches the whole pattern. If two runs that take the same characters
 * follow each other, directly or with an optional part between them, a text must not be divided between them in many
 * ways, because a failing expression tries all of them. So the first run takes everything it can, as in a parsing
 * expression grammar. A lazy run does not end with white space that the second run takes.
 *
 * @param rest the patterns after this one
 * @example
 * wholeSource(sequence(space(), maybe(';'), space())) // '[\\s]{0,64}(?![\\s])(?:;)?[\\s]{0,64}'
 */
export function wholeSource(pattern: Pattern, rest: readonly Pattern[] = []): string {
  switch (pattern.type) {
    case 'literal':
      return escapePattern(pattern.text)
    case 'chars':
      return runSource(pattern, rest)
    case 'sequence':
      return pattern.of.map((part, index) => wholeSource(part, [...pattern.of.slice(index + 1), ...rest])).join('')
    case 'choice':
      return `(?:${pattern.of.map((part) => wholeSource(part, rest)).join('|')})`
    case 'optional':
      return `(?:${wholeSource(pattern.of, rest)})?`
    case 'capture':
      return `(?<${pattern.as}>${pattern.of.type === 'chars' ? runSource(pattern.of, rest, true) : wholeSource(pattern.of, rest)})`
    case 'captured':
      return wholeSource(anyName, rest)
    case 'ahead':
      return `(?=${wholeSource(pattern.of)})`
    case 'not':
      return `(?!${wholeSource(pattern.of)})`
  }
}

function runSource({ set, min, max, lazy }: Run, rest: readonly Pattern[], isCaptured: boolean = false): string {
  const plain = `[${set}]{${min},${max}}${lazy ? '?' : ''}`
  if (max <= longestShort || min === max) return plain
  const chars = charsIn(set)
  const sharing = beginningsOf(rest).filter((one) => !charsOf(one).and(chars).isEmpty)
  const runs = sharing.flatMap((one) => (one.type === 'chars' && one.max > longestShort ? [one.set] : []))
  const [next] = rest
  // A lazy run that captures nothing and ends at a marker ends at the first one; a captured name may contain the
  // marker.
  if (lazy && !isCaptured && next?.type === 'literal' && !charsOf(next).and(chars).isEmpty) {
    return `(?:(?!${escapePattern(next.text)})[${set}]){${min},${max}}`
  }
  if (runs.length === 0) return plain
  if (lazy) {
    // A run that ends before white space does not contain white space.
    const isTrimmed = runs.every((one) => charsIn(one).without(charsIn('\\s')).isEmpty)
    return isTrimmed ? `[${set}]{${Math.max(0, min - 1)},${max - 1}}?(?!\\s)[${set}]` : plain
  }
  // The run ends at a character that must follow, even if the run could take it.
  return runs.length === sharing.length ? `${plain}(?![${set}])` : plain
}

/** Returns the literals and runs with which consecutive patterns may begin. */
function beginningsOf(patterns: readonly Pattern[]): readonly (Run | Extract<Pattern, { type: 'literal' }>)[] {
  const found: (Run | Extract<Pattern, { type: 'literal' }>)[] = []
  for (const pattern of patterns) {
    found.push(...beginnings(pattern))
    if (!isNullable(pattern)) break
  }
  return found
}

function beginnings(pattern: Pattern): readonly (Run | Extract<Pattern, { type: 'literal' }>)[] {
  switch (pattern.type) {
    case 'literal':
      return pattern.text === '' ? [] : [pattern]
    case 'chars':
      return pattern.max === 0 ? [] : [pattern]
    case 'sequence':
      return beginningsOf(pattern.of)
    case 'choice':
      return pattern.of.flatMap(beginnings)
    case 'optional':
    case 'capture':
    case 'ahead':
      return beginnings(pattern.of)
    case 'not':
      // A negative lookahead does not determine what comes next.
      return []
    case 'captured':
      return beginnings(anyName)
  }
}

function charsOf(pattern: Run | Extract<Pattern, { type: 'literal' }>): CharSet {
  return charsIn(pattern.type === 'literal' ? member(pattern.text) : pattern.set)
}

/** The first character of a text, inside brackets. */
function member(text: string): string {
  return text.charAt(0).replace(/[\\\]^-]/, '\\$&')
}

/** All formats together have 60 sets. */
const charSets = new RecentMap<string, CharSet>(500)

/** Returns the characters of a set, in any case. */
function charsIn(set: string): CharSet {
  return charSets.of(set, () => setOf(parseRegexTree(`[${set}]`, 'i')))
}

function setOf(tree: RegexTree): CharSet {
  if (tree.type !== 'set') throw new TypeError('A set in brackets is a set.')
  return tree.set
}
