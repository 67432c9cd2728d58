import {
  type Capture,
  call,
  choice,
  type Expression,
  jsonArguments,
  jsonValue,
  oneOrMore,
  type PatternLike,
  pattern,
  refersBack,
  sequence,
  token,
  tolerated,
  untagged,
  type Value,
  value,
} from '../../../grammar/index.ts'
import { markerOf, slots } from '../probes/slots.ts'
import { isMarker, segmentsOf } from '../turn/segments.ts'
import { closeOf, gapOf, leadingSpace, neededSpace, nextIsOneOf, spacedOut, trailingSpace } from './hypothesis.ts'

/** The literals of calls with each argument in markers, with the white space around them. */
export interface TaggedLiterals {
  /** After the name. */
  nameEnd: string
  /** From the beginning of an argument to its value, with the slots of its key and its type. */
  argumentOpen: string
  argumentClose: string
  /** Between the closer of an argument and the opener of the next. */
  separator: string
  /** The opening of a call whose first marker was left out; empty if there is none. */
  strayOpen: string
  callClose: string
  sectionClose: string
}

/**
 * The form of a call without arguments: with white space in their place, with a mark in their place, or different as a
 * whole.
 */
export type EmptyForm = { gap: string } | { inside: string } | { whole: string }

/** The form of values between their markers. */
export type WrittenValue = Pick<Value, 'encoding' | 'typeWords'> & { pythonWords: boolean }

/** The tree of such a call after its opener. The rest is the same for all openers, so a grammar prints it once. */
export function taggedCalls(
  literals: TaggedLiterals,
  written: WrittenValue,
  empty: EmptyForm,
): (callOpen: string) => Expression {
  const { nameEnd, argumentOpen, argumentClose, separator, strayOpen, callClose, sectionClose } = literals
  const next = trailingSpace(argumentClose) + separator + leadingSpace(argumentOpen)
  const first = trailingSpace(nameEnd) + leadingSpace(argumentOpen)
  // Nothing but white space ends the name.
  const isBlank = nameEnd.trim() === '' && firstLiteral(argumentOpen).trim() === ''
  const argument = argumentTree(literals, written)
  const start = isBlank ? '' : first
  const end = trailingSpace(argumentClose) + leadingSpace(callClose)
  // A value that no marker ends is ended by white space.
  const given =
    argumentClose.trim() === ''
      ? sequence(gapOf(start), oneOrMore(argument, neededSpace(next)), token(neededSpace(end)))
      : sequence(spacedOut(argument, start, next), gapOf(end))
  const nameEnds = nameEnd.trim() === '' ? [nextIsOneOf(firstLiteral(argumentOpen), callClose, sectionClose)] : []
  const closing = closingOf(callClose.trim(), strayOpen)
  const callOf = (callOpen: string, body: Expression) => {
    const head = notCloser(markerOf((callOpen.trimStart() + slots.name + nameEnd).trimEnd()), [sectionClose])
    return call(token(...head, ...(isBlank ? [neededSpace(first)] : nameEnds)), body, ...closing)
  }
  if ('whole' in empty) {
    // Models also write the form of calls with arguments that they were trained on.
    const others = [call(token(...markerOf(empty.whole)))]
    return (open) => choice(callOf(open, given), ...others, callOf(open, gapOf('')))
  }
  // Models that have seen much JSON write all arguments as one object, between the tags of the call (DeepSeek V3.2).
  const asObject = sequence(token(pattern.space(), pattern.ahead('{')), jsonArguments({}, { isWrapped: true }))
  const body = choice(given, ...(isBlank ? [] : [asObject]), ...withoutArguments(empty, isBlank))
  return (open) => callOf(open, body)
}

/**
 * The closing of a call, one expression per tag: models leave out either of `</function>` and `</tool_call>`, and write one more function between
 * them.
 */
function closingOf(callClose: string, strayOpen: string): Expression[] {
  if (callClose === '') return []
  const marks = segmentsOf(callClose)
  if (!marks.every((mark) => isMarker(mark) || mark.trim() === '')) return [closeOf(callClose)]
  const others = strayOpen === '' ? [] : [strayOpen]
  return marks.flatMap((mark, at) => {
    if (!isMarker(mark)) return [gapOf(mark)]
    const close = closeOf(mark, at < marks.length - 1 ? others : [])
    return at > 0 && isMarker(marks[at - 1] ?? '') ? [gapOf(''), close] : [close]
  })
}

/** The mark in place of arguments. */
function withoutArguments(empty: Exclude<EmptyForm, { whole: string }>, isBlank: boolean): Expression[] {
  if ('gap' in empty) return [gapOf(isBlank ? '' : empty.gap)]
  const mark = sequence(gapOf(leadingSpace(empty.inside)), token(...markerOf(empty.inside.trim())))
  return [sequence(mark, gapOf(trailingSpace(empty.inside))), gapOf('')]
}

/** A name or a key that is written as a tag, `<city>`, must not match the closing marks around it, `<call_end>`. */
function notCloser(marker: readonly PatternLike[], closers: readonly string[]): PatternLike[] {
  const [start, ...rest] = marker
  if (typeof start !== 'string' || rest.length === 0) return [...marker]
  // The end of the turn may follow, or be missing.
  const others = closers
    .map((close) => segmentsOf(close.trim())[0] ?? '')
    .filter((close) => close !== start && close.startsWith(start))
  return [
    start,
    ...others.map((close) => pattern.notAhead(pattern.sequence(...markerOf(close.slice(start.length))))),
    ...rest,
  ]
}

function argumentTree(literals: TaggedLiterals, written: WrittenValue): Expression {
  const own = argumentWithout('', literals, written)
  const mark = sharedMark(literals)
  return mark === '' ? own : choice(own, argumentWithout(mark, literals, written))
}

/** The prefix that vendors put before the names of all tags of a call, and models leave out of one (DeepSeek V3.2 and V4): `｜DSML｜`. */
function sharedMark({ argumentOpen, argumentClose, callClose }: TaggedLiterals): string {
  const mark = /^<([^\w\s<>/"'=]+(?:\w+[^\w\s<>/"'=]+)?)[A-Za-z]/.exec(argumentOpen.trim())?.[1] ?? ''
  const isShared = [argumentClose, callClose].every((close) => close.trim().startsWith(`</${mark}`))
  return isShared ? mark : ''
}

/** An argument whose opening tag lacks the mark; its closer may have it. */
function argumentWithout(
  mark: string,
  { argumentOpen, argumentClose, callClose, sectionClose }: TaggedLiterals,
  { encoding, typeWords, pythonWords }: WrittenValue,
): Expression {
  const open = argumentOpen.replace(mark, '')
  // A line break after the opening marker and one before the closing are no part of the value.
  const lines = /\n[^\S\n]*$/.test(open) && /^\s*\n/.test(argumentClose)
  const marker = lines ? bracketLeftOut(openingOf(open.trim())) : openingOf(open.trimStart())
  const whole = token(...notCloser(marker, [callClose, sectionClose]))
  const close = argumentClose.trim()
  const valueTagLeftOut = untaggedOpening(open.trim(), segmentsOf(close + callClose))
  const opening = valueTagLeftOut ? choice(whole, valueTagLeftOut) : whole
  if (close === '') return sequence(opening, jsonValue({}))
  const [start, rest] = mark === '' ? [[], close] : [['</', pattern.tolerated(mark)], close.slice(`</${mark}`.length)]
  const closer = pattern.sequence(...start, ...markerOf(rest, new Set<Capture>(['key'])))
  return sequence(
    opening,
    value(closer, {
      trim: lines ? 'line' : 'none',
      lines,
      encoding,
      typeWords,
      tagPrefix: encoding === 'markup' ? tagPrefixOf(open) : '',
      keepsQuotes: encoding !== 'json',
      pythonWords,
    }),
    // Models write it twice; one that is named like its argument may be another's.
    ...(refersBack(closer) ? [] : [tolerated(gapOf(''), token(closer))]),
  )
}

/** An attribute that names the type of the value. */
const typeAttribute = new RegExp(` [\\w:-]+="${slots.type}"`)

/** Tags right around a key: `<arg_key>city</arg_key>`. */
const keyTags = new RegExp(`(<[\\w:.-]+>)(\\s*${slots.key}\\s*)(</[\\w:.-]+>)`)

/**
 * The opening of an argument: if an attribute of its tag names the type, models leave it out (DeepSeek V3.2,
 * `string="true"`), and they write tags around its key twice (GLM 4.7).
 */
function openingOf(text: string): PatternLike[] {
  const tags = keyTags.exec(text)
  if (tags) return keyInTags(text, tags)
  const found = typeAttribute.exec(text)
  if (!found) return markerOf(text)
  const [attribute] = found
  const before = text.slice(0, found.index)
  const after = text.slice(found.index + attribute.length)
  return [...markerOf(before), pattern.optional(pattern.sequence(...markerOf(attribute))), ...markerOf(after)]
}

function keyInTags(
  text: string,
  { index, 0: all, 1: open = '', 2: key = '', 3: close = '' }: RegExpExecArray,
): PatternLike[] {
  const again = (tag: string) => pattern.tolerated(pattern.sequence(pattern.space(), tag))
  const before = text.slice(0, index) + open
  const after = text.slice(index + all.length)
  const gap = /^\s/.test(after) ? [] : [pattern.space()]
  return [...markerOf(before), again(open), ...markerOf(key + close), again(close), ...gap, ...markerOf(after)]
}

/**
 * The same without the tag between key and value, which GLM 5.2 leaves out: `<arg_key>city</arg_key>Paris</arg_value>`.
 * `closers` are the tags after the value.
 */
function untaggedOpening(text: string, closers: readonly string[]): Expression | undefined {
  const tags = keyTags.exec(text)
  if (!tags) return undefined
  const valueAt = tags.index + tags[0].length
  const [, keyOpen = '', , keyClose = ''] = tags
  const valueTag = text.slice(valueAt).trim()
  if (!isMarker(valueTag)) return undefined
  const others = [text.slice(0, tags.index), ...closers].filter(isMarker)
  return token(...markerOf(text.slice(0, valueAt)), pattern.space(), untagged(keyOpen, keyClose, valueTag, ...others))
}

/** An opening without its bracket: models leave it out right after a key if the value begins a line: `<parameter=path` (Qwen3.6). */
function bracketLeftOut(marker: PatternLike[]): PatternLike[] {
  // A quote may come between.
  const endsInKey = marker.at(-1) === '>' && marker.slice(-3).some(isKey)
  return endsInKey ? [...marker.slice(0, -1), pattern.choice('>', pattern.ahead(pattern.choice('\n', '\r\n')))] : marker
}

function isKey(part: PatternLike): boolean {
  return typeof part === 'object' && part.type === 'capture' && part.as === 'key'
}

/** The text before the bracket of a tag: MiniMax-M3 writes an own token there. */
function tagPrefixOf(open: string): string {
  return open.slice(0, open.lastIndexOf('<', open.indexOf(slots.key))).trim()
}

function firstLiteral(open: string): string {
  return open.slice(0, Math.min(...[slots.key, slots.type].map((slot) => open.indexOf(slot)).filter((at) => at >= 0)))
}
