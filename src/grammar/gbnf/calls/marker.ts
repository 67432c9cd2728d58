import { memoize } from '../../../conversation/index.ts'
import { CharSet } from '../../regex/chars.ts'
import type { Expression, Token, TokenOrTag } from '../../tree/expression.ts'
import type { Captures, Pattern } from '../../tree/pattern.ts'
import { bindPattern, refersBack, writePattern } from '../../tree/pattern-queries.ts'
import { capturesOf, escapeName, writeMarker } from '../../write/marker.ts'
import { typeWord } from '../../write/tree.ts'
import { charsOf, choice, empty, type Gbnf, optional, repeat, sequence, text } from '../gbnf.ts'
import { regexOf } from '../schema-regex.ts'
import { longestWord } from './word-place.ts'

/** The values in a marker: the text if it is known, otherwise the texts that it may be. */
export interface MarkerValues {
  name: string | undefined
  /** The argument's key, or the texts that it may be. */
  key: string | Gbnf | undefined
  /** The word for the type of the value that follows. */
  type: string | undefined
  /** True if white space is free at line breaks of the format. */
  isLoose?: boolean
}

/** Sample words that fit every marker, to test whether it admits given values in their places. */
const sample: Captures = { id: 'call_0', index: '0', name: 'a_name', key: 'a_key' }
const idChars = CharSet.range('a', 'z').or(CharSet.range('A', 'Z')).or(CharSet.range('0', '9'))

/** Markers that hold nothing are the same in each call; false for others. */
const plainMarkers = new WeakMap<TokenOrTag, { gbnf: Gbnf | undefined } | false>()
const loosePlainMarkers: typeof plainMarkers = new WeakMap()

/** The grammar of a marker as it is written; undefined if its reader would capture other values from it. */
export function markerOf(of: TokenOrTag, values: MarkerValues, isForced: boolean): Gbnf | undefined {
  const { isLoose = false } = values
  const known = isLoose ? loosePlainMarkers : plainMarkers
  let plain = known.get(of)
  if (plain === undefined) {
    const isPlain = capturesOf(of).size === 0 && !isBound(of)
    plain = isPlain && { gbnf: filledMarker(of, { name: undefined, key: undefined, type: undefined, isLoose }, false) }
    known.set(of, plain)
  }
  return plain ? plain.gbnf : filledMarker(of, values, isForced)
}

function filledMarker(of: TokenOrTag, values: MarkerValues, isForced: boolean): Gbnf | undefined {
  if (!isForced && of.type === 'token' && fitsWords(of, values)) return patternOf(of.pattern, values)
  const key = typeof values.key === 'string' ? values.key : values.key && sample.key
  const captures: Captures = {
    ...sample,
    ...(values.name !== undefined && { name: values.name }),
    ...(values.type !== undefined && { type: values.type }),
  }
  delete captures.key
  if (key !== undefined) captures.key = key
  const written = writeMarker(of, captures, isForced)
  if (written === undefined) return undefined
  if (isForced && values.name !== undefined && !written.includes(values.name)) {
    return filledMarker(of, { ...values, name: escapeName(values.name) }, false)
  }
  if (of.type === 'token') return patternOf(of.pattern, values)
  const places: [string | undefined, Gbnf | undefined][] = [
    [of.attributes.id?.[0], id],
    [of.attributes.key?.[0], typeof values.key === 'string' ? undefined : values.key],
  ]
  let rest = written
  const parts: (Gbnf | string)[] = []
  for (const [attribute, gbnf] of Object.entries(of.attributes).flatMap(([, names]) =>
    places.filter(([name]) => name === names[0]),
  )) {
    const at = attribute === undefined || !gbnf ? -1 : rest.indexOf(` ${attribute}="`)
    if (at < 0 || attribute === undefined || !gbnf) continue
    const start = at + attribute.length + 3
    parts.push(rest.slice(0, start), gbnf)
    rest = rest.slice(rest.indexOf('"', start))
  }
  return sequence(...parts, rest)
}

const word = /^\w+$/

/**
 * True if the marker certainly reads the given words back. Names and keys are nearly always words, and most markers
 * read any word back; then the marker need not be written and read to check it, which took a tenth of the time in which
 * grammars are made.
 */
function fitsWords(of: Token, { name, key, type }: MarkerValues): boolean {
  const captured = capturesOf(of)
  const fits = (as: 'name' | 'key', value: string | Gbnf | undefined) =>
    !captured.has(as) || (typeof value === 'string' && value.length <= longestWord(of, as) && word.test(value))
  return fits('name', name) && fits('key', key) && (type === undefined || !captured.has('type') || takesType(of, type))
}

const typesTaken = new WeakMap<Token, Map<string, boolean>>()

/** True if a format's word for a type is read back from the marker; a format has few of them. */
function takesType(of: Token, type: string): boolean {
  const known = typesTaken.get(of) ?? new Map<string, boolean>()
  typesTaken.set(of, known)
  const isTaken = known.get(type) ?? writeMarker(of, { ...sample, type }, false) !== undefined
  known.set(type, isTaken)
  return isTaken
}

const id: Gbnf = repeat(charsOf(idChars.or(CharSet.of('_-'))), 1, 40)

/** The most white space characters that are allowed in place of a line break. */
const mostBreaks = 2

function isLineBreak({ set, min, as }: Extract<Pattern, { type: 'chars' }>): boolean {
  return set === '\\s' && min === 0 && as.includes('\n')
}

/** The grammar of a pattern as it is written; undefined if it repeats a capture whose value is unknown. */
function patternOf(pattern: Pattern, values: MarkerValues): Gbnf | undefined {
  switch (pattern.type) {
    case 'literal':
      return text(pattern.text)
    case 'chars':
      return values.isLoose && isLineBreak(pattern)
        ? repeat(charsOf(CharSet.of(' \n')), 0, Math.max(mostBreaks, pattern.as.length))
        : text(pattern.as)
    case 'sequence': {
      const parts = pattern.of.map((part) => patternOf(part, values))
      return parts.every((part) => part !== undefined) ? sequence(...parts) : undefined
    }
    case 'choice':
      if (pattern.isFree) return choice(pattern.of.map((part) => patternOf(part, values)))
      return pattern.of[0] ? patternOf(pattern.of[0], values) : empty
    case 'optional': {
      if (!pattern.isWritten && !pattern.isFree) return empty
      const written = patternOf(pattern.of, values)
      return pattern.isFree && written ? optional(written) : written
    }
    case 'ahead':
    case 'not':
      return empty
    case 'captured':
      if (pattern.of === 'name') return text(values.name ?? '')
      return pattern.of === 'key' && typeof values.key === 'string' ? text(values.key) : undefined
    case 'capture':
      switch (pattern.as) {
        case 'name':
        case 'title':
          return text(values.name ?? '')
        case 'key':
          return typeof values.key === 'string' ? text(values.key) : values.key
        case 'type':
          return text(values.type ?? '')
        case 'index':
          return indexOf(pattern.of)
        case 'id':
          // An id may be made of the name and the number: `functions.get_weather:0`.
          return capturesOf({ type: 'token', pattern: pattern.of }).size > 0
            ? patternOf(pattern.of, values)
            : idOf(pattern.of)
        case 'joined':
          return undefined
      }
  }
}

/** A call's number: any, from that of the first on. */
function indexOf(pattern: Pattern): Gbnf {
  const isFromOne = pattern.type === 'chars' && pattern.as === '1'
  const digits = CharSet.range('0', '9')
  const many = sequence(charsOf(CharSet.range('1', '9')), repeat(charsOf(digits), 0, 3))
  return isFromOne ? many : { type: 'choice', of: [text('0'), many] }
}

/** An id of letters and digits, as long as the marker requires, or of any other characters that the marker captures. */
function idOf(pattern: Pattern): Gbnf {
  if (pattern.type === 'literal') return text(pattern.text)
  if (pattern.type !== 'chars') return id
  const set = regexOf(`^[${pattern.set}]$`)
  const own = set?.type === 'chars' ? set.set : idChars
  const usual = own.and(idChars.or(CharSet.of('_-')))
  return repeat(charsOf(usual.isEmpty ? own : usual), Math.max(1, pattern.min), Math.min(pattern.max, 40))
}

/**
 * The texts with which a marker may begin, or its whole text if it has no open parts. Text that the marker would end
 * must not contain them.
 */
export function headsOf(of: TokenOrTag, captures: Captures): readonly string[] {
  return isBound(of) ? findHeads(of, captures) : plainHeads(of)
}

/** True for a marker that repeats text captured earlier. */
export const isBound: (of: TokenOrTag) => boolean = memoize((of) => of.type === 'token' && refersBack(of.pattern))

const plainHeads = memoize((of: TokenOrTag) => findHeads(of, {}))

function findHeads(of: TokenOrTag, captures: Captures): readonly string[] {
  if (of.type === 'token') {
    const bound = bindPattern(of.pattern, captures)
    const heads = isText(bound) ? [writePattern(bound, {})] : expansions(bound).map((one) => one.text)
    return heads.filter((head) => head.length > 1)
  }
  const slash = of.side === 'close' ? '</' : '<'
  const prefixes = [...new Set([of.written, ''])]
  return of.names.flatMap((name) =>
    prefixes.flatMap((prefix) => [`${slash}${prefix}${name}>`, `${slash}${prefix}${name} `]),
  )
}

/** True if the pattern is fixed text: `</city>`. */
function isText(pattern: Pattern): boolean {
  return pattern.type === 'sequence' && pattern.of.every(({ type }) => type === 'literal')
}

interface Expansion {
  text: string
  isOpen: boolean
}

const maxExpansions = 16

function expansions(pattern: Pattern): Expansion[] {
  switch (pattern.type) {
    case 'literal':
      return [{ text: pattern.text, isOpen: false }]
    case 'sequence': {
      let found: Expansion[] = [{ text: '', isOpen: false }]
      for (const part of pattern.of) {
        found = found.flatMap((one) =>
          one.isOpen ? [one] : expansions(part).map((next) => ({ text: one.text + next.text, isOpen: next.isOpen })),
        )
        if (found.length > maxExpansions) return found.map((one) => ({ ...one, isOpen: true }))
      }
      return found
    }
    case 'choice':
      return pattern.of.flatMap(expansions)
    case 'optional':
      return [...expansions(pattern.of), { text: '', isOpen: false }]
    case 'chars':
      // White space that may be there mostly is not.
      return pattern.min === 0 ? [{ text: '', isOpen: false }] : [{ text: '', isOpen: true }]
    case 'ahead':
    case 'not':
      return [{ text: '', isOpen: false }]
    case 'capture':
    case 'captured':
      return [{ text: '', isOpen: true }]
  }
}

/** The word of a format for values of a type. */
export function wordFor(type: string, words: Parameters<typeof typeWord>[1]): string {
  const examples: Readonly<Record<string, string>> = {
    string: '""',
    number: '0.5',
    integer: '1',
    boolean: 'true',
    null: 'null',
    object: '{}',
    array: '[]',
  }
  return typeWord(examples[type] ?? '""', words)
}

/** The marker with which an argument begins. */
export const argumentOpenerOf: (tree: Expression) => TokenOrTag | undefined = memoize((tree) => {
  if (tree.type === 'tag') return tree
  if (tree.type === 'token') return headsOf(tree, {}).length > 0 ? tree : undefined
  if (tree.type === 'choice') return tree.of[0] && argumentOpenerOf(tree.of[0])
  if (tree.type !== 'sequence') return undefined
  for (const part of tree.of) {
    const found = argumentOpenerOf(part)
    if (found) return found
  }
  return undefined
})
