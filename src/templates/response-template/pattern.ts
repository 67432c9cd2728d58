import { RecentMap } from '../../conversation/index.ts'
import { type Capture, type Pattern, pattern, unreadableMarker } from '../../grammar/index.ts'
import { anySet, member, type RegexNode } from './regex.ts'

export type Translated = { type: 'pattern'; pattern: Pattern } | { type: 'error'; why: string }

/** Under which name each named group of an expression is captured. Others are groups and no more. */
export type GroupNames = ReadonlyMap<string, Capture>

/** Repetition without an end is given one: patterns are read as a whole or not at all. */
const longestRun = 64
const longestName = 256
/** In how many ways a text may be tried to fit by alternatives. */
const maxWays = 4096
/** The maximum number of parts in a pattern of a marker; the largest known one has 40. */
const maxNodes = 400

/**
 * A parsed expression as a pattern. The pattern may be wider than the expression: ends of words are ignored, and names
 * may have the dots and dashes of tools' names.
 */
export function translate(node: RegexNode, names: GroupNames): Translated {
  const translator = new Translator(names)
  try {
    const pattern = translator.pattern(node)
    const why = waysOf(pattern) > maxWays ? 'it may fit in too many ways' : unreadableMarker(pattern)
    return why === undefined ? { type: 'pattern', pattern } : { type: 'error', why }
  } catch (error) {
    if (error instanceof Untranslatable) return { type: 'error', why: error.message }
    throw error
  }
}

class Untranslatable extends Error {}

class Translator {
  readonly #names: GroupNames
  #nodes = 0

  constructor(names: GroupNames) {
    this.#names = names
  }

  pattern(node: RegexNode): Pattern {
    if (++this.#nodes > maxNodes) throw new Untranslatable('it has too many parts')
    switch (node.type) {
      case 'literal':
        return { type: 'literal', text: node.text }
      case 'set':
        return run(node.set, 1, 1, false)
      case 'sequence':
        return joined(node.of.map((part) => this.pattern(part)))
      case 'choice': {
        // The beginning and the end of all text are no markers; that a marker may be missing there is known.
        const of = node.of.filter((part) => !isAnchor(part)).map((part) => this.pattern(part))
        if (of.length < 2) return of[0] ?? nothing
        const shown = of.filter((part) => !isNothing(part))
        const choice: Pattern = shown.length === 1 && shown[0] ? shown[0] : { type: 'choice', of: shown }
        return shown.length === of.length ? choice : { type: 'optional', of: choice, isWritten: false }
      }
      case 'repeat':
        return this.#repeat(node)
      case 'group': {
        const as = this.#names.get(node.name)
        return as === undefined ? this.pattern(node.of) : captured(as, node.of)
      }
      case 'look': {
        const of = this.pattern(node.of)
        return node.isNegative ? { type: 'not', of } : pattern.ahead(of)
      }
      case 'reference': {
        const of = this.#names.get(node.name)
        if (of === undefined) throw new Untranslatable('it has a back reference to something that is not a name')
        return { type: 'captured', of }
      }
      case 'anchor':
        return nothing
    }
  }

  #repeat({ of, min, max, lazy }: Extract<RegexNode, { type: 'repeat' }>): Pattern {
    const set = setOf(of)
    if (set !== undefined) return run(set, min, Math.min(max ?? longestRun, longestRun), lazy)
    const pattern = this.pattern(of)
    if (isNothing(pattern) || max === 0) return nothing
    if (max === 1) return min === 1 ? pattern : { type: 'optional', of: pattern, isWritten: false }
    if (max === min && min <= 8) return joined(Array.from({ length: min }, () => pattern))
    throw new Untranslatable('it repeats a group')
  }
}

const nothing: Pattern = { type: 'sequence', of: [] }

export function isNothing(pattern: Pattern): boolean {
  return pattern.type === 'sequence' && pattern.of.length === 0
}

function isAnchor(node: RegexNode): boolean {
  return node.type === 'anchor' || (node.type === 'group' && isAnchor(node.of))
}

/** The set that a node takes one character of; text up to a marker, `(?:(?!</a>).)*`, is any text. */
function setOf(node: RegexNode): string | undefined {
  if (node.type === 'set') return node.set
  if (node.type === 'literal' && node.text.length === 1) return member(node.text)
  if (node.type === 'group') return setOf(node.of)
  if (node.type === 'sequence') {
    const taken = node.of.filter(({ type }) => type !== 'look')
    return taken.length === 1 && taken[0] ? setOf(taken[0]) : undefined
  }
  return undefined
}

function run(set: string, min: number, max: number, lazy: boolean): Pattern {
  if (max === 0) return nothing
  if (min > max) throw new Untranslatable(`it repeats more than ${longestRun} times`)
  return { type: 'chars', set, min, max, as: exampleOf(set).repeat(min), lazy }
}

/** A character of a set, for places where one must be written. */
function exampleOf(set: string): string {
  const found = [' ', '\n', 'a', '0', ...samples].find((char) => contains(set, char))
  if (found === undefined) throw new Untranslatable('it has a set without characters')
  return found
}

const samples: readonly string[] = [
  ...Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index)),
  '\t',
  '\r',
  '\u00e9',
  '\u4e2d',
  '\uff5c',
]

const tests = new RecentMap<string, RegExp>()

function contains(set: string, char: string): boolean {
  // The source of the set was made here, out of single characters, ranges and classes.
  return tests.of(set, () => new RegExp(`^[${set}]`, 'i')).test(char)
}

/** The characters that a group captures under a name: characters of all sets in it. */
function captured(as: Capture, node: RegexNode): Pattern {
  const sets = setsIn(node)
  if (!sets) throw new Untranslatable(`what it takes for the ${as} is no run of characters`)
  const [only = anySet] = sets
  if (sets.length > 1 && sets.some((set) => set.startsWith('^')))
    throw new Untranslatable(`what it takes for the ${as} is of several kinds`)
  return {
    type: 'capture',
    as,
    of: {
      type: 'chars',
      set: nameSet(sets.length > 1 ? sets.join('') : only),
      min: 1,
      max: longestName,
      as: '',
      lazy: isLazy(node),
    },
  }
}

/**
 * Widens `\w+`, which excludes names with dots and dashes, and narrows `\S+`, which includes the tags that end a name.
 */
function nameSet(set: string): string {
  if (set === anySet) return '^<>"\\s'
  if (set.startsWith('^')) return `${set}${contains(set, '<') ? '<' : ''}${contains(set, '>') ? '>' : ''}`
  return contains(set, 'a') ? `${set}${contains(set, '.') ? '' : '.'}${contains(set, '-') ? '' : '\\-'}` : set
}

function setsIn(node: RegexNode): string[] | undefined {
  const set = setOf(node)
  if (set !== undefined) return [set]
  if (node.type === 'repeat' || node.type === 'group') return setsIn(node.of)
  if (node.type === 'sequence' || node.type === 'choice') {
    const all = node.of.map(setsIn)
    return all.every((sets) => sets !== undefined) ? [...new Set(all.flat())] : undefined
  }
  return undefined
}

function isLazy(node: RegexNode): boolean {
  return node.type === 'repeat' ? node.lazy : node.type === 'group' && isLazy(node.of)
}

/** Parts one after the other: literals as one, and runs of one set, which would share a text in many ways, as one. */
export function joined(parts: readonly Pattern[]): Pattern {
  const of: Pattern[] = []
  for (const part of parts.flatMap((one) => (one.type === 'sequence' ? one.of : [one]))) {
    const last = of.at(-1)
    if (last?.type === 'literal' && part.type === 'literal') {
      of[of.length - 1] = { type: 'literal', text: last.text + part.text }
    } else if (last?.type === 'chars' && part.type === 'chars' && last.set === part.set) {
      const [min, max] = [last.min + part.min, Math.min(last.max + part.max, longestRun)]
      of[of.length - 1] = { ...last, min, max: Math.max(min, max), as: last.as + part.as, lazy: last.lazy || part.lazy }
    } else of.push(part)
  }
  return of.length === 1 && of[0] ? of[0] : { type: 'sequence', of }
}

/** In how many ways the alternatives of a pattern may be tried at one place, at most. */
function waysOf(pattern: Pattern): number {
  switch (pattern.type) {
    case 'sequence':
      return pattern.of.reduce((ways, part) => ways * waysOf(part), 1)
    case 'choice':
      return pattern.of.reduce((sum, part) => sum + waysOf(part), 0)
    case 'optional':
      return 1 + waysOf(pattern.of)
    case 'capture':
    case 'ahead':
    case 'not':
      return waysOf(pattern.of)
    default:
      return 1
  }
}
