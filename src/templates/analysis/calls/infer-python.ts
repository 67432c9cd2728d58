import { argumentsUpTo, bareListOf } from '../../../dialects/index.ts'
import {
  call,
  type Expression,
  oneOrMore,
  optional,
  type PatternLike,
  pattern,
  sequence,
  token,
  tolerated,
} from '../../../grammar/index.ts'
import type { JsonStyle } from '../../../json/index.ts'
import { nonces } from '../probes/nonces.ts'
import { stringCall, typedCall } from '../probes/replies.ts'
import { markerOf, slots } from '../probes/slots.ts'
import type { CallText } from './call-text.ts'
import { type Core, partsOf } from './edges.ts'
import { blockSeparator, type CallHypothesis, closeOf, gapOf, leadingSpace } from './hypothesis.ts'
import { bracketEnd, parsed } from './json-around.ts'

/** T1: calls are written as Python calls functions: `[f(a=1), g(b="x")]`, in a list or a line each. */
export function inferPythonCalls(calls: CallText): CallHypothesis | undefined {
  const single = calls.of([stringCall(1)])
  const pair = calls.of([stringCall(1), stringCall(1, 1)])
  if (single === undefined) return undefined
  const parts = partsOf(single, pair, parenthesised, calls.header)
  if (!parts) return undefined
  const { layout, core } = parts
  // A template may print a string unchanged. Such text cannot be read reliably; its model was still trained on Python.
  const quote = new RegExp(`${nonces.keys[0]}\\s*=\\s*(["']?)${nonces.values[0]}`).exec(core)?.[1]
  if (quote === undefined) return undefined
  const style: JsonStyle = {
    python: true,
    ...((quote === "'" || printsLists(calls)) && { singleQuotes: true }),
    ...(writesJsonWords(calls) && { bothWords: true }),
    ...(writesJsonObjects(calls) && { jsonObjects: true }),
    ...(writesRawControls(calls) && { rawControls: true }),
    ...(writesRawQuotes(calls, quote) && { rawQuotes: true }),
  }
  const gap = gapBetween(calls)
  const before = layout.section.open + layout.call.open
  const after = layout.call.close + layout.section.close
  const isList = before.trimEnd().endsWith('[') && after.trimStart().startsWith(']')
  const open = isList ? before.trimEnd().slice(0, -1) : before
  const close = isList ? after.trimStart().slice(1) : after
  const words = `Python calls, ${isList ? 'in a list' : `parted by ${JSON.stringify(layout.separator)}`}`
  const markers = { open, close, separator: layout.separator }
  const whole = { ...layout, section: { open, close }, call: { open: '', close: '' } }
  if (open.trim() === '' && isList) {
    const blocks = [{ tree: bareListOf(style, gap), place: 'phrase' as const, endsReasoning: true }]
    return { shape: 'python', words, layout: whole, markers, blocks, separator: '\n' }
  }
  if (open.trim() === '') return undefined
  const ends: PatternLike[] = [']', ...(close.trim() === '' ? [] : [pattern.sequence(...markerOf(close.trim()))])]
  const each = call(
    token(pattern.capture('name', '\\w.-'), '(', pattern.space()),
    argumentsUpTo(pattern.choice(...ends), style, gap),
  )
  const separator = blockSeparator(layout)
  const mark = separator.trim()
  const between = pattern.sequence(
    pattern.space(leadingSpace(separator)),
    mark === '' ? pattern.tolerated(pattern.choice(',', ';')) : pattern.optional(pattern.choice(mark, ';')),
    pattern.space(mark === '' ? '' : separator.slice(separator.indexOf(mark) + mark.length)),
  )
  const bracket = (text: string): Expression => {
    const marker = token(pattern.space(), text, pattern.space())
    return isList ? optional(marker) : tolerated(marker)
  }
  const tree = sequence(
    token(...markerOf(open.trimStart())),
    bracket('['),
    oneOrMore(each, between),
    tolerated(token(pattern.space(), ',')),
    bracket(']'),
    ...(close.trim() === '' ? [] : [gapOf(leadingSpace(close)), closeOf(close.trim())]),
  )
  return {
    shape: 'python',
    words,
    layout: whole,
    markers,
    blocks: [{ tree, place: 'anywhere', endsReasoning: true }],
    separator: '\n',
  }
}

/** T5: the white space after the comma between two arguments. */
function gapBetween(calls: CallText): string {
  const [first, second] = [nonces.values[0], nonces.keys[1]]
  const between = new RegExp(`${first}["']?\\s*,(\\s*)${second}`).exec(calls.of([stringCall(2)]) ?? '')
  return between?.[1] ?? ' '
}

/** A2: lists are as Python prints them, with strings in single quotes. */
function printsLists(calls: CallText): boolean {
  return calls.of([typedCall('array')], 'array')?.includes(`['${nonces.values[1]}'`) === true
}

/** A2: literals are in JSON's words. */
function writesJsonWords(calls: CallText): boolean {
  return new RegExp(`${nonces.keys[0]}\\s*=\\s*true`).test(calls.of([typedCall('boolean')], 'boolean') ?? '')
}

/** A2: an object is written as JSON although strings are in Python's quotes. */
function writesJsonObjects(calls: CallText): boolean {
  const text = calls.of([typedCall('object')], 'object')
  const start = text?.indexOf('{', text.indexOf(nonces.keys[0])) ?? -1
  const end = text === undefined || start < 0 ? undefined : bracketEnd(text, start)
  return end !== undefined && parsed(text?.slice(start, end) ?? '') !== undefined
}

/** A2: a line break in a string is written as it is, or a tab: LFM2.5 VL escapes the one and not the other. */
function writesRawControls(calls: CallText): boolean {
  const [first, second] = nonces.values
  return ['\n', '\t'].some((control) => {
    const value = `${first}${control}${second}`
    return written(calls, value)?.includes(value)
  })
}

/** A2: so is a quote in quotes. */
function writesRawQuotes(calls: CallText, quote: string): boolean {
  const value = `${nonces.values[0]}${quote}${nonces.values[1]}`
  return quote !== '' && written(calls, value)?.includes(quote + value + quote) === true
}

/** A call with a string. */
function written(calls: CallText, value: string): string | undefined {
  return calls.of([{ tool: 0, arguments: { [nonces.keys[0]]: JSON.stringify(value) } }])
}

/** From a name to the parenthesis that closes its arguments. */
function parenthesised(text: string, from: number): Core | undefined {
  const start = text.indexOf(slots.name, from)
  if (start < 0 || text[start + 1] !== '(') return undefined
  const end = text.indexOf(')', start)
  const key = text.indexOf(nonces.keys[0], start)
  return end > key && key > start ? { start, end: end + 1 } : undefined
}
