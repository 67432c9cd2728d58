import type { Block } from '../../dialects/format.ts'
import {
  ahead,
  type Expression,
  maybe,
  type PatternLike,
  seq,
  sequence,
  some,
  space,
  token,
  tolerated,
} from '../../grammar/index.ts'
import type { CallLayout } from './call-layout.ts'
import { isMarker, segmentsOf } from './segments.ts'
import { markerOf } from './slots.ts'

export type CallShape = 'json' | 'json-list' | 'named-json' | 'tagged' | 'python'

/** How calls may be written, to be proven by the round trip. */
export interface CallHypothesis {
  shape: CallShape
  /** In words: what a call is, and what stands around it. */
  words: string
  layout: CallLayout
  /** All that was found, by name, for people. */
  markers: Readonly<Record<string, string>>
  blocks: readonly Block[]
  /** What stands between two blocks. */
  separator: string
}

/** Where a block counts that begins so: markup is not met in prose, words are, and JSON without any marker is in every answer. */
function placeOf(open: string): Block['place'] {
  const [first = ''] = segmentsOf(open.trim())
  const isMarked = isMarker(first) || /[<>|[\]\u2581\uff5c]{2,}|<\S|^(?:```|~~~)/.test(first)
  if (isMarked) return 'anywhere'
  return first === '' ? 'line' : 'phrase'
}

/** White space between two parts: any is read, this is written. */
export function gapOf(text: string): Expression {
  return token(space(/\n/.test(text) || text.trim() === '' ? text : ''))
}

export function leadingSpace(text: string): string {
  return /^\s*/.exec(text)?.[0] ?? ''
}

export function trailingSpace(text: string): string {
  return /\s*$/.exec(text)?.[0] ?? ''
}

/**
 * The blocks of a layout. `unit` is one call with its own markers. A section may begin without its opening marker, and calls may come without a
 * section at all, as models write them.
 */
export function blocksOf(layout: CallLayout, unit: Expression, unitOpen: string): Block[] {
  const { section, separator } = layout
  const open = section.open.trim()
  const close = section.close.trim()
  if (open === '' && close === '') return [{ tree: unit, place: placeOf(unitOpen), endsReasoning: true }]
  const between = separatorOf(separator)
  const lead = gapOf(leadingSpace(unitOpen))
  const each = between ? seq(lead, some(unit, between)) : some(seq(lead, unit))
  const closing: Expression[] = close === '' ? [] : [gapOf(leadingSpace(section.close)), closeOf(close)]
  const whole: Block = {
    tree: seq(...(open === '' ? [] : [token(...markerOf(open))]), each, ...closing),
    place: placeOf(open === '' ? unitOpen : open),
    endsReasoning: true,
  }
  const isMarked = placeOf(unitOpen) === 'anywhere' && unitOpen.trim() !== ''
  if (open === '' || !isMarked) return [whole]
  const stray = close === '' ? [] : [tolerated(gapOf(''), token(...markerOf(close)))]
  return [whole, { tree: seq(each, ...stray), place: 'anywhere', endsReasoning: true }]
}

/** Punctuation that stands between two calls; white space alone is none. */
function separatorOf(separator: string): PatternLike | undefined {
  const mark = separator.trim()
  if (mark === '') return undefined
  return sequence(space(leadingSpace(separator)), maybe(mark, true), space(trailingSpace(separator)))
}

export function closeOf(text: string): Expression {
  return { type: 'close', of: { type: 'token', pattern: sequence(...markerOf(text)) } }
}

/** What may come next, without being taken. */
export function nextIsOneOf(...texts: readonly string[]): PatternLike {
  const [first = '', ...rest] = texts.filter((text) => text.trim() !== '')
  const all = [first, ...rest].map((text) => sequence(...markerOf(text.trim())))
  return ahead(sequence(space(), { type: 'choice', of: all }))
}
