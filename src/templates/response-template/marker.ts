import type { JsonObject, JsonValue } from '../../conversation/index.ts'
import { type Pattern, pattern } from '../../grammar/index.ts'
import { type GroupNames, isNothing, joined, translate } from './pattern.ts'
import { parseRegex, type RegexNode } from './regex.ts'

/** The opening or closing delimiter of a field: one expression; undefined if there is none. */
export type Delimiter = { type: 'delimiter'; node: RegexNode } | { type: 'error'; why: string } | undefined

/** `open`, a literal or a list of them, or `open_pattern`; the same for `close` and the anchor. */
export function readDelimiter(field: JsonObject, key: string): Delimiter {
  const { [key]: literal, [`${key}_pattern`]: pattern } = field
  if (literal !== undefined && literal !== null) {
    const all = (Array.isArray(literal) ? literal : [literal]).filter(isText)
    if (all.length === 0) return { type: 'error', why: `"${key}" is no text` }
    // If two begin alike, the longer one counts.
    const of = [...new Set(all)].sort((one, other) => other.length - one.length).map(literalNode)
    return { type: 'delimiter', node: of.length === 1 && of[0] ? of[0] : { type: 'choice', of } }
  }
  if (pattern === undefined || pattern === null) return undefined
  if (!isText(pattern)) return { type: 'error', why: `"${key}_pattern" is no text` }
  const parsed = parseRegex(pattern)
  if (parsed.type === 'regex') return { type: 'delimiter', node: parsed.node }
  return { type: 'error', why: `"${key}_pattern" is no expression that can be read: ${parsed.why}` }
}

/** Longer than any marker. */
const longestMarker = 500

function isText(value: JsonValue): value is string {
  return typeof value === 'string' && value !== '' && value.length <= 2000
}

function literalNode(text: string): RegexNode {
  return { type: 'literal', text: text.slice(0, longestMarker) }
}

const noNames: GroupNames = new Map()

/**
 * The pattern of a delimiter without the white space at its ends, which is formatting; undefined if nothing is left of
 * it, as for a lookahead.
 */
export function markerPattern(node: RegexNode, names: GroupNames = noNames): Pattern | { type: 'error'; why: string } {
  const translated = translate(node, names)
  if (translated.type === 'error') return translated
  return trimmedPattern(translated.pattern)
}

export function trimmedPattern(marker: Pattern): Pattern {
  switch (marker.type) {
    case 'literal':
      return { type: 'literal', text: marker.text.trim() }
    case 'choice': {
      const of = marker.of.map(trimmedPattern).filter((one) => !isEmpty(one))
      return of.length === 1 && of[0] ? of[0] : pattern.choice(...of)
    }
    case 'chars':
      return isBlank(marker) ? { type: 'sequence', of: [] } : marker
    case 'optional':
      return isBlank(marker.of) ? { type: 'sequence', of: [] } : marker
    case 'sequence': {
      const of = loosened(marker.of)
      while (of[0] && isBlank(of[0])) of.shift()
      while (isBlank(of.at(-1))) of.pop()
      const [first, last] = [of[0], of.at(-1)]
      if (first?.type === 'literal') of[0] = { type: 'literal', text: first.text.trimStart() }
      const end = of.at(-1)
      if (last && end?.type === 'literal') of[of.length - 1] = { type: 'literal', text: end.text.trimEnd() }
      return joined(of)
    }
    default:
      return marker
  }
}

/** White space between two markers is formatting, too: line breaks, and anything but a gap between words. */
function loosened(of: readonly Pattern[]): Pattern[] {
  const parts = of.flatMap((part): Pattern[] => {
    if (part.type !== 'literal') return [part]
    const texts = part.text.split(/((?<!\s)[^\S\n]*\n\s*)/).filter((text) => text !== '')
    return texts.map((text) => (text.trim() === '' ? pattern.space(text) : { type: 'literal', text }))
  })
  const loose = parts.map((part, index): Pattern => {
    const [before, after] = [parts[index - 1], parts[index + 1]]
    const isGap =
      before?.type === 'literal' && /\w$/.test(before.text) && after?.type === 'literal' && /^\w/.test(after.text)
    return part.type === 'chars' && isBlank(part) && !isGap ? pattern.space(part.as) : part
  })
  const whole = joined(loose)
  return whole.type === 'sequence' ? [...whole.of] : [whole]
}

function isBlank(pattern: Pattern | undefined): boolean {
  if (!pattern) return false
  if (pattern.type === 'literal') return pattern.text.trim() === ''
  if (pattern.type === 'optional') return isBlank(pattern.of)
  if (pattern.type === 'sequence') return pattern.of.every(isBlank)
  return pattern.type === 'chars' && /^(?:\\s|\\u000[9ad]| )+$/.test(pattern.set)
}

export function isEmpty(pattern: Pattern): boolean {
  return isNothing(pattern) || (pattern.type === 'literal' && pattern.text === '') || isLook(pattern)
}

function isLook(pattern: Pattern): boolean {
  if (pattern.type === 'ahead' || pattern.type === 'not') return true
  if (pattern.type === 'choice') return pattern.of.every(isEmpty)
  return pattern.type === 'sequence' && pattern.of.every((part) => isLook(part) || isBlank(part))
}

/** The alternatives of a pattern that is only a choice. */
export function branchesOf(pattern: Pattern): readonly Pattern[] {
  if (pattern.type === 'choice') return pattern.of.flatMap(branchesOf)
  return pattern.type === 'optional' ? branchesOf(pattern.of) : [pattern]
}

/**
 * A marker that is searched for begins with a literal: the text that may come before that belongs to an earlier
 * literal, `(?:<|turn|>)?[^<]*<|text|>`, or to nothing.
 */
export function anchored(marker: Pattern): Pattern | undefined {
  if (marker.type === 'choice') {
    const of = marker.of.map(anchored)
    return of.every((one) => one !== undefined) ? pattern.choice(...of) : undefined
  }
  if (marker.type === 'literal') return marker
  if (marker.type !== 'sequence') return undefined
  const start = marker.of.findIndex((part) => part.type === 'literal' || part.type === 'choice')
  const first = marker.of[start]
  const before = marker.of.slice(0, Math.max(start, 0))
  if (!first || anchored(first) === undefined || before.some(isCapture)) return undefined
  const rest = joined(marker.of.slice(start))
  const [head, ...runs] = before
  const isOwn = head?.type === 'optional' && anchored(head.of) !== undefined
  return isOwn ? joined([{ ...head, of: joined([head.of, ...runs]) }, rest]) : rest
}

function isCapture(pattern: Pattern): boolean {
  return (
    pattern.type === 'capture' ||
    ('of' in pattern && typeof pattern.of === 'object' && [pattern.of].flat().some(isCapture))
  )
}
