import { overlapOf } from '../regex/overlap.ts'
import { type Expression, isExpression, type TokenOrTag } from './expression.ts'
import { type Pattern, patternOf } from './pattern.ts'
import { wholeSource } from './pattern-source.ts'

/**
 * The length of the longest marker of any model. It bounds the text that is kept because a marker may have begun at its
 * end.
 */
export const longestMarker = 500

/**
 * Returns the reason why a marker, or a tree because of one of its markers, cannot be read; undefined if it can.
 * Patterns from outside, of a chat template or a published expression, are checked before anything is compiled: markers
 * have a bounded length, and no text matches one in many ways.
 *
 * @example
 * unreadableMarker('<tool_call>') // undefined
 * unreadableMarker('x'.repeat(1000)) // 'a marker has 1000 characters'
 */
export function unreadableMarker(marker: string | Pattern | Expression): string | undefined {
  const patterns = typeof marker === 'string' || !isExpression(marker) ? [patternOf(marker)] : patternsIn(marker)
  for (const pattern of patterns) {
    const length = literalLength(pattern)
    if (length > longestMarker) return `a marker has ${length} characters`
    if (overlapOf({ source: wholeSource(pattern), flags: 'iy' })) return 'it may fit in too many ways'
  }
  return undefined
}

function patternsIn(tree: Expression): readonly Pattern[] {
  switch (tree.type) {
    case 'token':
      return [tree.pattern]
    case 'tag':
      return tree.before ? [tree.before] : []
    case 'sequence':
    case 'choice':
      return tree.of.flatMap(patternsIn)
    case 'optional':
    case 'call':
      return patternsIn(tree.of)
    case 'repeat':
      return [...patternsIn(tree.of), ...(tree.separator ? [tree.separator] : [])]
    case 'close': {
      const markers: readonly TokenOrTag[] = [tree.of, ...(tree.others ?? [])]
      return [...markers.flatMap(patternsIn), ...(tree.before ? [tree.before] : [])]
    }
    case 'value':
      return patternsIn(tree.close)
    case 'json':
      return []
  }
}

/** The length of all literals together. */
function literalLength(pattern: Pattern): number {
  switch (pattern.type) {
    case 'literal':
      return pattern.text.length
    case 'sequence':
      return pattern.of.reduce((sum, part) => sum + literalLength(part), 0)
    case 'choice':
      return Math.max(0, ...pattern.of.map(literalLength))
    case 'optional':
    case 'capture':
    case 'ahead':
    case 'not':
      return literalLength(pattern.of)
    case 'chars':
    case 'captured':
      return 0
  }
}
