import { type Expression, keysOfSlot, type Pattern, pattern, searchableHead, turnStarts } from '../../grammar/index.ts'
import type { FormatData } from '../format/format.ts'
import { isOfWords, type ReasoningForm, thinkTags } from '../format/reasoning-forms.ts'
import type { Mark } from './mark-pattern.ts'

/**
 * The marks of a format: texts that must not occur in text that the model did not write, because readers would take
 * them for calls.
 */
export function marksOfFormat({
  blocks,
  reasoning = [],
  markers = [],
}: Pick<FormatData, 'blocks' | 'reasoning' | 'markers'>): Mark[] {
  // Words are no marks: they count at the beginning of a reply only, and any text may contain them.
  const forms: readonly ReasoningForm[] = [...thinkTags, ...reasoning].filter((form) => !isOfWords(form))
  const marks: Mark[] = [
    ...blocks.flatMap(({ tree }) => marksOfTree(tree)),
    ...forms.flatMap(({ open, close }) => [open, ...close]).map((text) => text.trim()),
    ...marksOfMarker(turnStarts),
    ...markers.flatMap((marker) => (typeof marker === 'string' ? [marker.trim()] : marksOfMarker(marker))),
  ]
  const seen = new Set<string>()
  return marks.filter((mark) => {
    const key = typeof mark === 'string' ? mark.toLowerCase() : JSON.stringify(mark)
    const isNew = !seen.has(key)
    seen.add(key)
    return isNew
  })
}

/** The marks of a tree: all its tags, its beginnings, and its closing markers. */
export function marksOfTree(tree: Expression): Mark[] {
  return [...openersOf(tree).found, ...innerMarks(tree)]
}

/**
 * The marks with which a tree may begin. `isOver` is false if that may be empty text, so that the next part counts as
 * well.
 */
function openersOf(tree: Expression): { found: Mark[]; isOver: boolean } {
  switch (tree.type) {
    case 'token': {
      const found = marksOfMarker(tree.pattern)
      return { found, isOver: found.length > 0 }
    }
    case 'tag':
      return { found: [tree], isOver: true }
    case 'sequence': {
      const found: Mark[] = []
      for (const part of tree.of) {
        const opener = openersOf(part)
        found.push(...opener.found)
        if (opener.isOver) return { found, isOver: true }
      }
      return { found, isOver: false }
    }
    case 'choice': {
      const openers = tree.of.map(openersOf)
      return { found: openers.flatMap(({ found }) => found), isOver: openers.every(({ isOver }) => isOver) }
    }
    case 'optional':
      return { found: openersOf(tree.of).found, isOver: false }
    case 'repeat': {
      const { found, isOver } = openersOf(tree.of)
      return { found, isOver: isOver && !tree.isOptional }
    }
    case 'call':
      return openersOf(tree.of)
    case 'json':
      return { found: tree.isBare ? [bareCallMark] : [], isOver: true }
    default:
      return { found: [], isOver: true }
  }
}

/** Closing markers, and all markers of a kind that only formats have: those with a `<`. */
function innerMarks(tree: Expression): Mark[] {
  switch (tree.type) {
    case 'token':
      return [
        ...literalMarks(searchableHead(tree.pattern)).filter((mark) => mark.includes('<')),
        ...angledParts(tree.pattern),
      ]
    case 'tag':
      return [tree]
    case 'close':
    case 'value': {
      const marker = tree.type === 'close' ? tree.of : tree.close
      return marker.type === 'tag' ? [marker] : alternativesOf(marker.pattern).flatMap(marksWithin)
    }
    case 'sequence':
    case 'choice':
      return tree.of.flatMap(innerMarks)
    case 'optional':
    case 'repeat':
    case 'call':
      return innerMarks(tree.of)
    default:
      return []
  }
}

/** Returns the most distinctive literals of a marker. A marker without any, such as `[f(`, is one mark: its pattern. */
function marksOfMarker(whole: Pattern): Mark[] {
  // The text before a name is a separate mark, because readers find calls by it.
  const pattern = searchableHead(whole)
  const marks = marksWithin(pattern)
  if (marks.length > 0) return marks
  return isEmpty(pattern) ? [] : [withoutAnyLast(pattern)]
}

/** The ways in which a closing marker is written; each is a separate mark. */
function alternativesOf(pattern: Pattern): readonly Pattern[] {
  return pattern.type === 'choice' ? pattern.of.flatMap(alternativesOf) : [pattern]
}

function marksWithin(pattern: Pattern): Mark[] {
  return [...literalMarks(pattern), ...angledParts(pattern)]
}

/** The parts of a pattern from a `<` to a `>` that have more than one literal: tokens with bars of either width. */
function angledParts(pattern: Pattern): Pattern[] {
  const found: Pattern[] = []
  let open: Pattern[] = []
  for (const part of partsOf(pattern)) {
    const text = part.type === 'literal' ? part.text : ''
    const isPlain = ['literal', 'chars'].includes(part.type === 'optional' ? part.of.type : part.type)
    if (text.startsWith('<') || !isPlain) open = []
    if (!text.startsWith('<') && (open.length === 0 || !isPlain)) continue
    open.push(part)
    if (!text.endsWith('>')) continue
    // A tag without a distinctive word may be any tag.
    const words = open.map((one) => (one.type === 'literal' ? one.text.replace(/[^\p{L}]/gu, '') : '')).join('')
    if (open.length > 1 && words.length >= 4) found.push({ type: 'sequence', of: open })
    open = []
  }
  return found
}

function partsOf(pattern: Pattern): Pattern[] {
  return pattern.type === 'sequence' ? pattern.of.flatMap(partsOf) : [pattern]
}

/**
 * A pattern without the negated character at its end, such as the value's first character in `f(a=1`: if a text of
 * others ends before it, the text that follows would complete a call.
 */
function withoutAnyLast(pattern: Pattern): Pattern {
  switch (pattern.type) {
    case 'chars':
      return pattern.set.startsWith('^') ? { type: 'literal', text: '' } : pattern
    case 'sequence': {
      const last = pattern.of.at(-1)
      return last ? { ...pattern, of: [...pattern.of.slice(0, -1), withoutAnyLast(last)] } : pattern
    }
    case 'choice':
      return { ...pattern, of: pattern.of.map(withoutAnyLast) }
    case 'ahead':
    case 'capture':
      return { ...pattern, of: withoutAnyLast(pattern.of) }
    default:
      return pattern
  }
}

function literalMarks(pattern: Pattern): string[] {
  return requiredLiterals(pattern) ?? []
}

/**
 * Literals such that every match of the pattern contains at least one of them; undefined if no distinctive literal is
 * guaranteed.
 */
function requiredLiterals(pattern: Pattern): string[] | undefined {
  switch (pattern.type) {
    case 'literal': {
      const part = distinctivePart(pattern.text)
      return part === undefined ? undefined : [part]
    }
    case 'sequence': {
      const parts = pattern.of.map(requiredLiterals).filter((found) => found !== undefined)
      return parts.sort((one, other) => shortest(other) - shortest(one))[0]
    }
    case 'choice': {
      const parts = pattern.of.map(requiredLiterals)
      return parts.every((found) => found !== undefined) ? parts.flat() : undefined
    }
    case 'capture':
      return requiredLiterals(pattern.of)
    default:
      return undefined
  }
}

function shortest(literals: readonly string[]): number {
  return Math.min(...literals.map((literal) => literal.length + (literal.includes('<') ? 100 : 0)))
}

/**
 * The longest part of a literal without white space and quotes: in the JSON of a call's arguments those are escaped.
 * Short parts and plain words occur in any text.
 */
function distinctivePart(text: string): string | undefined {
  const [longest = ''] = text.split(/[\s"\\]+/).sort((one, other) => other.length - one.length)
  // A fence is no format's own.
  const isDistinctive = longest.length >= 3 && !/^`+$/.test(longest) && /[^\p{L}\p{N}_]/u.test(longest)
  return isDistinctive || /^<[^/]/.test(longest) ? longest : undefined
}

/** True for a pattern that is nothing but white space that may be there. */
function isEmpty(pattern: Pattern): boolean {
  switch (pattern.type) {
    case 'literal':
      return pattern.text.trim() === ''
    case 'chars':
      return pattern.min === 0 || pattern.set === '\\s'
    case 'sequence':
      return pattern.of.every(isEmpty)
    case 'optional':
      return true
    case 'not':
      return true
    default:
      return false
  }
}

/** Keys with which a call begins that is JSON without any marker. */
const callKeys = [
  ...keysOfSlot('name'),
  ...keysOfSlot('arguments'),
  ...keysOfSlot('id'),
  ...keysOfSlot('calls'),
  'type',
  'index',
]

/** The beginning of a call that is JSON without any marker: for trees without a more specific beginning. */
export const bareCallMark: Pattern = {
  type: 'sequence',
  of: [
    { type: 'literal', text: '{' },
    { type: 'chars', set: '\\s', min: 0, max: 64, as: '', lazy: false },
    { type: 'chars', set: '"\'\u201c\u201d', min: 0, max: 1, as: '', lazy: false },
    { type: 'choice', of: callKeys.map((text) => ({ type: 'literal' as const, text })) },
    pattern.ahead({ type: 'chars', set: '"\'\u201c\u201d\\s:=', min: 1, max: 1, as: '', lazy: false }),
  ],
}
