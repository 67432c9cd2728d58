import type { Block } from '../../../dialects/index.ts'
import {
  type Capture,
  type Expression,
  oneOrMore,
  optional,
  type Pattern,
  type PatternLike,
  pattern,
  sequence,
  type TokenOrTag,
  token,
  tolerated,
} from '../../../grammar/index.ts'
import { markerOf } from '../probes/slots.ts'
import { isMarker, segmentsOf } from '../turn/segments.ts'
import type { CallLayout } from './layout.ts'

export type CallShape = 'json' | 'json-list' | 'named-json' | 'tagged' | 'python'

/** A guess at how calls are written, to be proven by the round trip. */
export interface CallHypothesis {
  shape: CallShape
  /** In words: the kind of a call, and the markers around it. */
  words: string
  layout: CallLayout
  /** All that was found, by name, for people. */
  markers: Readonly<Record<string, string>>
  blocks: readonly Block[]
  /** The text between two blocks. */
  separator: string
}

/**
 * The place where a block with such a beginning counts: markup does not occur in prose, words do, and any answer may
 * contain JSON without a marker.
 */
function placeOf(open: string): Block['place'] {
  const [first = ''] = segmentsOf(open.trim())
  const isMarked = isMarker(first) || /[<>|[\]\u2581\uff5c]{2,}|<\S|^(?:```|~~~|\[[A-Z_]{2,}\])/.test(first)
  if (isMarked) return 'anywhere'
  return first === '' ? 'line' : 'phrase'
}

/** White space between two parts: any is read, this is written. */
export function gapOf(text: string): Expression {
  return token(pattern.space(/\n/.test(text) || text.trim() === '' ? text : ''))
}

/** White space that is required, because nothing else separates the texts before and after it. */
export function neededSpace(text: string): Pattern {
  return { type: 'chars', set: '\\s', min: 1, max: 64, as: text, lazy: false }
}

export function leadingSpace(text: string): string {
  return /^\s*/.exec(text)?.[0] ?? ''
}

export function trailingSpace(text: string): string {
  return text.slice(text.trimEnd().length)
}

/**
 * The blocks of a layout. `unit` is one call with its own markers. A section may begin without its opening marker, and
 * calls may come without a section at all, as models write them; `alone` is such a call, if it differs.
 */
export function blocksOf(layout: CallLayout, unit: Expression, unitOpen: string, alone: Expression = unit): Block[] {
  const { section, separator } = layout
  const open = section.open.trim()
  const close = section.close.trim()
  // A marker that closes nothing ends the turn.
  if (open === '') return [{ tree: unit, place: placeOf(unitOpen), endsReasoning: true }]
  const first = trailingSpace(section.open) + leadingSpace(unitOpen)
  const next = trailingSpace(layout.call.close) + separator + leadingSpace(unitOpen)
  const each = spacedOut(unit, first, next)
  const end = trailingSpace(layout.call.close) + leadingSpace(section.close)
  const closed = section.isLeftOpen ? optional(token(...markerOf(close))) : closeOf(close)
  const closing: Expression[] = close === '' ? [] : [gapOf(end), closed]
  const whole: Block = {
    tree: sequence(token(...markerOf(open)), each, ...closing),
    place: placeOf(open),
    endsReasoning: true,
  }
  const isMarked = placeOf(unitOpen) === 'anywhere' && unitOpen.trim() !== ''
  if (!isMarked) return [whole]
  const stray = close === '' ? [] : [tolerated(gapOf(''), token(...markerOf(close)))]
  const calls = alone === unit ? each : spacedOut(alone, first, next)
  return [whole, { tree: sequence(calls, ...stray), place: 'anywhere', endsReasoning: true }]
}

/**
 * A call whose closing marker may be missing, as its arguments end by themselves: models that leave out the section leave out that as well (Kimi
 * K2).
 */
export function withoutEnd(unit: Expression): Expression {
  switch (unit.type) {
    case 'call':
      return { ...unit, of: withoutEnd(unit.of) }
    case 'sequence':
      return { ...unit, of: unit.of.map((part, at) => (at === unit.of.length - 1 ? withoutEnd(part) : part)) }
    case 'close':
      return { ...unit, mayBeMissing: true }
    default:
      return unit
  }
}

/** One or more of something, with this before the first and that before each other. */
export function spacedOut(each: Expression, first: string, next: string): Expression {
  if (next.trim() === '' && first === next) return oneOrMore(sequence(gapOf(first), each))
  return sequence(gapOf(first), oneOrMore(each, next.trim() === '' ? pattern.space(next) : separatorOf(next)))
}

/** The text between two calls, with the white space around it. */
function separatorOf(separator: string): PatternLike {
  return pattern.sequence(
    pattern.space(leadingSpace(separator)),
    pattern.optional(separator.trim()),
    pattern.space(trailingSpace(separator)),
  )
}

/** The text between two blocks of calls without a section. */
export function blockSeparator({ separator, call }: CallLayout): string {
  return trailingSpace(call.close) + separator + leadingSpace(call.open)
}

/**
 * The marker that closes a call, or all of them: a name in it is that of the call. `others` open calls that may come
 * after it too.
 */
export function closeOf(text: string, others: readonly string[] = []): Expression {
  const of: TokenOrTag = { type: 'token', pattern: pattern.sequence(...markerOf(text, capturesBeforeClose)) }
  if (others.length === 0) return { type: 'close', of }
  return { type: 'close', of, others: others.map((open) => token(...markerOf(open))) }
}

const capturesBeforeClose: ReadonlySet<Capture> = new Set(['name', 'id'])

/** A lookahead at the next text. */
export function nextIsOneOf(...texts: readonly string[]): PatternLike {
  const [first = '', ...rest] = texts.filter((text) => text.trim() !== '')
  const all = [first, ...rest].map((text) => pattern.sequence(...markerOf(text.trim())))
  return pattern.ahead(pattern.sequence(pattern.space(), { type: 'choice', of: all }))
}
