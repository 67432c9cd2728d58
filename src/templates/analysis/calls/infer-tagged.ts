import type { TypeWords } from '../../../grammar/index.ts'
import { nonces } from '../probes/nonces.ts'
import { stringCall, typedCall, typedValues, type ValueType } from '../probes/replies.ts'
import { slots } from '../probes/slots.ts'
import { isMarker, segmentsOf, sharedEnd, sharedStart } from '../turn/segments.ts'
import type { CallText } from './call-text.ts'
import { type Core, partsOf } from './edges.ts'
import { blockSeparator, blocksOf, type CallHypothesis, leadingSpace, trailingSpace } from './hypothesis.ts'
import { bracketEnd } from './json-around.ts'
import type { CallLayout } from './layout.ts'
import { type EmptyForm, taggedCalls } from './tagged-tree.ts'

/** The literals around one argument, with KEY and TYPE slots. */
interface ArgumentMarkers {
  /** After the name, before the first argument. */
  nameEnd: string
  /** From the beginning of an argument to its value. */
  open: string
  /** After its value. */
  close: string
  /** White space between two arguments only. */
  separator: string
}

/** T5, T6, A1, A2: the name is in markers, and so is each argument: `<parameter=city>Paris</parameter>`. */
export function inferTaggedCalls(calls: CallText): CallHypothesis | undefined {
  const single = calls.of([stringCall(1)])
  const pair = calls.of([stringCall(1), stringCall(1, 1)])
  if (single === undefined) return undefined
  const parts = partsOf(single, pair, valueCore, calls.header)
  if (!parts) return undefined
  const { layout, core } = parts
  const found = argumentMarkers(calls, core, single, layout.call.open)
  if (!found) return undefined
  const isJson = quotesStrings(calls, found)
  const markers = isJson ? withoutQuotes(found) : found
  const close = layout.call.close
  if (!close.startsWith(found.close.replaceAll(slots.key, nonces.keys[0]))) return undefined
  const typed = typesOf(calls, markers)
  const argumentOpen = typed.open
  const callClose = close.slice(found.close.replaceAll(slots.key, nonces.keys[0]).length)
  // A value that only a line break ends must be JSON: its end is visible without a marker.
  if (markers.close.trim() === '' && !isJson) return undefined
  const stray = strayOpen(layout)
  const treeOf = taggedCalls(
    {
      nameEnd: markers.nameEnd,
      argumentOpen,
      argumentClose: markers.close,
      separator: markers.separator,
      strayOpen: stray,
      callClose,
      sectionClose: layout.section.close,
    },
    {
      encoding: isJson ? 'json' : typed.isMarkup ? 'markup' : 'text',
      typeWords: typed.words,
      pythonWords: printsPython(calls),
    },
    emptyForm(calls, layout.call.open, markers.nameEnd, callClose),
  )
  const unit = treeOf(layout.call.open)
  const whole = { ...layout, call: { open: layout.call.open, close: callClose } }
  return {
    shape: 'tagged',
    words: `the name and each argument in markers, ${typed.isMarkup ? 'objects as elements' : isJson ? 'values as JSON' : 'strings as they are'}`,
    layout: whole,
    markers: {
      'call open': layout.call.open,
      'after the name': markers.nameEnd,
      'argument open': readable(argumentOpen),
      'argument close': readable(markers.close),
      'call close': callClose,
    },
    blocks: [
      ...blocksOf(whole, unit, layout.call.open),
      ...(stray === '' ? [] : [{ tree: treeOf(stray), place: 'line' as const, endsReasoning: true }]),
    ],
    separator: blockSeparator(whole),
  }
}

/** The opening of a call without the first of several markers, which models leave out: `<tool_call>` before `<function=`. */
function strayOpen({ section, call }: CallLayout): string {
  if (section.open.trim() !== '') return ''
  const [first = '', ...others] = segmentsOf(call.open.trim())
  const rest = others.join('').trimStart()
  return isMarker(first) && rest.length > 1 && /^[<[|\uff5c]/.test(rest) ? rest : ''
}

/** T6: how a call without arguments is written. */
function emptyForm(calls: CallText, open: string, nameEnd: string, close: string): EmptyForm {
  const text = calls.of([stringCall(0)])
  const at = text === undefined ? -1 : ownNameIn(text, open)
  if (text === undefined || at < 0) return { gap: trailingSpace(nameEnd) + leadingSpace(close) }
  const rest = nameEnd.includes(slots.index) ? text.slice(at + 1).replace(/\d+/, slots.index) : text.slice(at + 1)
  const [start, end] = [nameEnd.trimEnd(), close.trim()]
  const to = end === '' ? -1 : rest.indexOf(end, start.length)
  if (rest.startsWith(start) && (to >= 0 || end === '')) {
    const inside = end === '' ? '' : rest.slice(start.length, to)
    return inside.trim() === '' ? { gap: inside } : { inside }
  }
  // The closing marker of the section is not part of the call.
  const last = end === '' ? -1 : rest.lastIndexOf(end)
  const own = last >= 0 ? rest.slice(0, last + end.length) : (segmentsOf(rest)[0] ?? '')
  return { whole: open.trimStart() + slots.name + own.trimEnd() }
}

/** The offset of the name that the arguments follow: the opening of the call may hold it as well. */
function ownNameIn(text: string, callOpen: string): number {
  let at = text.indexOf(slots.name)
  for (const char of callOpen) if (char === slots.name && at >= 0) at = text.indexOf(slots.name, at + 1)
  return at
}

/** From the name to the end of the first argument's value. The name may also be in the closer of the call before. */
function valueCore(text: string, from: number): Core | undefined {
  const [name, key, value] = [slots.name, nonces.keys[0], nonces.values[0]]
  for (let at = text.indexOf(key, from); at >= 0; at = text.indexOf(key, at + 1)) {
    const start = text.lastIndexOf(name, at)
    const end = text.indexOf(value, at)
    if (start >= from && end >= 0) return { start, end: end + value.length }
  }
  return undefined
}

/** A1 and T5: the markers around one argument, from replies with none, one and two. */
function argumentMarkers(calls: CallText, core: string, single: string, callOpen: string): ArgumentMarkers | undefined {
  const [keyA, keyB] = nonces.keys
  const [valueA, valueB] = nonces.values
  const key = core.indexOf(keyA)
  const head = core.slice(1, key)
  const afterKey = core.slice(key + keyA.length, core.length - valueA.length).replaceAll(keyA, slots.key)
  const two = calls.of([stringCall(2)])
  const from = two?.indexOf(valueA) ?? -1
  const to = two?.indexOf(keyB, from) ?? -1
  if (two === undefined || from < 0 || to < 0 || two.indexOf(valueB, to) < 0) return undefined
  const between = two.slice(from + valueA.length, to).replaceAll(keyA, slots.key)
  const after = single.slice(single.indexOf(valueA) + valueA.length).replaceAll(keyA, slots.key)
  const none = calls.of([stringCall(0)])
  const afterName = none?.slice(ownNameIn(none, callOpen) + 1)
  for (const open of openings(head, between, afterName)) {
    const rest = between.slice(0, between.length - open.length)
    const close = sharedStart(rest, after)
    if (!between.endsWith(open) || close === '') continue
    const separator = rest.slice(close.length)
    return {
      nameEnd: head.slice(0, head.length - open.length),
      open: separator.trim() === '' ? open + slots.key + afterKey : '',
      close,
      separator,
    }
  }
  return undefined
}

/** The possible openings of an argument: the rest after the end of the name, or the common text before the first and second key. */
function* openings(head: string, between: string, afterName: string | undefined): Generator<string> {
  if (afterName !== undefined) {
    const nameEnd = sharedStart(head.replace(/\d+/g, slots.index), afterName.replace(/\d+/g, slots.index))
    if (nameEnd.length < head.length) yield head.slice(nameEnd.length)
  }
  yield sharedEnd(head, between)
  const segments = segmentsOf(head)
  for (let at = 1; at < segments.length; at++) yield segments.slice(at).join('')
}

/** True if strings are in JSON's quotes, which other values do not have. */
function quotesStrings(calls: CallText, { close }: ArgumentMarkers): boolean {
  const [text, number] = [calls.of([typedCall('string')]), calls.of([typedCall('integer')], 'integer')]
  const isQuoted = text?.includes(JSON.stringify(nonces.values[0])) === true && close.startsWith('"')
  return isQuoted && number?.includes(`"${typedValues.integer.json}"`) === false
}

function withoutQuotes({ open, close, ...rest }: ArgumentMarkers): ArgumentMarkers {
  return { ...rest, open: open.replace(/"(\s*)$/, '$1'), close: close.slice(1) }
}

const typeNames: readonly ValueType[] = ['string', 'integer', 'number', 'boolean', 'null', 'object', 'array']

/**
 * A2: the opening of an argument with a slot for the type of its value if it names one, the word for each type, and a
 * flag for objects as elements.
 */
function typesOf(calls: CallText, { open }: ArgumentMarkers): { open: string; words: TypeWords; isMarkup: boolean } {
  const isMarkup = isElements(calls)
  const heads = new Map(typeNames.map((type) => [type, headOf(calls, type, open)]))
  const plain = heads.get('string')
  const other = heads.get('integer')
  if (plain === undefined || other === undefined || plain === other) return { open, words: {}, isMarkup }
  const [start, end] = differing(plain, other)
  const words: Partial<Record<ValueType, string>> = {}
  for (const [type, head] of heads) {
    if (head?.startsWith(plain.slice(0, start)) && head.endsWith(plain.slice(end))) {
      words[type] = head.slice(start, head.length - (plain.length - end))
    }
  }
  const { string = '', ...others } = words
  const [first = '', ...rest] = Object.values(others)
  return {
    open: plain.slice(0, start) + slots.type + plain.slice(end),
    words: rest.every((word) => word === first) ? { string, other: first } : words,
    isMarkup,
  }
}

/** The opening of the first argument for a value of a type: as long as for a string, except for the type's word. */
function headOf(calls: CallText, type: ValueType, open: string): string | undefined {
  const text = calls.of([typedCall(type)], type)?.replaceAll(nonces.keys[0], slots.key)
  const name = text?.indexOf(slots.name) ?? -1
  const key = text?.indexOf(slots.key, name) ?? -1
  if (text === undefined || name < 0 || key < 0) return undefined
  const before = open.slice(0, open.indexOf(slots.key))
  const start = text.startsWith(before, key - before.length) ? key - before.length : key
  // The last of the opening's literals is directly before the value.
  const last = segmentsOf(open.slice(open.indexOf(slots.key) + 1)).findLast((segment) => segment.trim() !== '') ?? ''
  const tail = /(?<![^\p{L}\p{N}"'])[^\p{L}\p{N}"']*$/u.exec(last)?.[0] ?? ''
  const end = tail === '' ? -1 : text.indexOf(tail, key + 1)
  return end < 0 ? undefined : text.slice(start, end + tail.length)
}

/** The offsets at which the difference of two texts begins and ends, by whole words. */
function differing(one: string, other: string): [start: number, end: number] {
  let start = 0
  while (start < one.length && one[start] === other[start]) start++
  let back = 0
  while (back < one.length - start && back < other.length - start && one.at(-1 - back) === other.at(-1 - back)) back++
  while (start > 0 && /[\p{L}\p{N}]/u.test(one[start - 1] ?? '')) start--
  while (back > 0 && /[\p{L}\p{N}]/u.test(one.at(-back) ?? '')) back--
  return [start, one.length - back]
}

/** True if a boolean is printed as in Python. */
function printsPython(calls: CallText): boolean {
  return calls.of([typedCall('boolean')], 'boolean')?.includes('True') === true
}

/** True if an object is written as elements, and not as JSON or in Python's notation. */
function isElements(calls: CallText): boolean {
  const text = calls.of([typedCall('object')], 'object')
  const key = text?.indexOf(nonces.keys[1]) ?? -1
  if (text === undefined || key < 0) return false
  const brace = text.lastIndexOf('{', key)
  const end = brace < 0 ? undefined : bracketEnd(text, brace)
  return end === undefined || end < key
}

function readable(open: string): string {
  return open.replaceAll(slots.key, 'KEY').replaceAll(slots.type, 'TYPE')
}
