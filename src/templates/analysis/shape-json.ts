import type { JsonValue } from '../../conversation/index.ts'
import {
  ahead,
  type EnvelopeKeys,
  type Expression,
  jsonCall,
  jsonCalls,
  seq,
  sequence,
  space,
  token,
} from '../../grammar/index.ts'
import { blocksOf, type CallHypothesis, closeOf, gapOf, leadingSpace, trailingSpace } from './call-hypothesis.ts'
import { layoutOf } from './call-layout.ts'
import type { CallText } from './call-text.ts'
import { countedBefore } from './edges.ts'
import { isObject, type JsonInText, jsonAround, parsed } from './json-around.ts'
import { nonces } from './nonces.ts'
import { stringCall } from './probe-replies.ts'
import { markerOf, slots } from './slots.ts'

/** T1 and T4: the name stands in JSON, with the arguments: `{"name": …, "arguments": {…}}`, one object a call or all in a list. */
export function jsonShape(calls: CallText): CallHypothesis | undefined {
  const text = calls.of([stringCall(1)])
  const found = text === undefined ? undefined : callIn(text, 0)
  if (text === undefined || !found) return undefined
  const keys = keysOf(found.value)
  if (!keys) return undefined
  const isList = Array.isArray(found.value)
  const pair = calls.of([stringCall(1), stringCall(1, 1)])
  const second = pair === undefined || isList ? undefined : callIn(pair, callIn(pair, 0)?.end ?? 0)
  const first = pair === undefined ? undefined : callIn(pair, 0)
  const layout = layoutOf({
    before:
      pair !== undefined && first
        ? countedBefore(text.slice(0, found.start), pair.slice(0, first.start))
        : text.slice(0, found.start),
    middle: pair !== undefined && first && second ? pair.slice(first.end, second.start) : undefined,
    after: text.slice(found.end),
  })
  const { open, close } = layout.call
  const isBare = open.trim() === '' && layout.section.open.trim() === ''
  const start = isBare ? [ahead(firstMember(text.slice(found.start, found.end)))] : []
  const json = isList ? jsonCalls(keys, { isBare }) : jsonCall(keys, { isBare })
  const unit: Expression = seq(
    ...(open.trim() === '' && !isBare ? [] : [token(...markerOf(open.trimStart()), ...start)]),
    json,
    ...(close.trim() === '' ? [] : [gapOf(leadingSpace(close)), closeOf(close.trim())]),
  )
  const words = `${isList ? 'a JSON list of all calls' : 'a JSON object a call'}, ${keysInWords(keys)}`
  return {
    shape: isList ? 'json-list' : 'json',
    words,
    layout,
    markers: { 'call open': open, 'call close': close, ...keyMarkers(keys) },
    blocks: blocksOf(layout, unit, open),
    separator: layout.separator + trailingSpace(close),
  }
}

function callIn(text: string, from: number): JsonInText | undefined {
  const name = text.indexOf(slots.name, from)
  if (name < 0) return undefined
  const value = text.indexOf(nonces.values[0], from)
  const found = jsonAround(text.slice(from), name - from, Math.max(name, value) - from)
  return found && { ...found, start: found.start + from, end: found.end + from }
}

/** Under which keys a call has its name, its arguments and its id, in their order; undefined where it is no call. */
function keysOf(value: JsonValue): EnvelopeKeys | undefined {
  const call = Array.isArray(value) ? value[0] : value
  if (!isObject(call)) return undefined
  const keys: { name?: string; arguments?: string; id?: string; isEncoded?: boolean } = {}
  for (const [key, member] of Object.entries(call)) {
    if (key === slots.name && holdsArguments(member)) return { name: undefined, arguments: 'arguments' }
    if (member === slots.name) keys.name = key
    else if (holdsArguments(member)) {
      keys.arguments = key
      if (typeof member === 'string') keys.isEncoded = true
    } else if (isId(key, member)) keys.id = key
    else if (isObject(member)) {
      const inner = keysOf(member)
      if (inner) return inner
    }
  }
  return keys.name !== undefined && keys.arguments !== undefined
    ? { ...keys, name: keys.name, arguments: keys.arguments }
    : undefined
}

function holdsArguments(member: JsonValue | undefined): boolean {
  const value = typeof member === 'string' ? parsed(member) : member
  return isObject(value) && value[nonces.keys[0]] === nonces.values[0]
}

/** The client's id, or a number that the template counts. */
function isId(key: string, member: JsonValue | undefined): boolean {
  return member === slots.id || (/id|index/i.test(key) && /^\d+$/.test(String(member)))
}

function firstMember(json: string): ReturnType<typeof sequence> {
  const [, bracket = '', key = ''] = /^(\[?)\s*\{\s*"([^"]*)"/.exec(json) ?? []
  const name = key === slots.name ? [] : [`"${key}"`]
  return sequence(...(bracket === '' ? [] : ['[', space()]), '{', space(), ...name)
}

function keysInWords(keys: EnvelopeKeys): string {
  if (keys.name === undefined) return 'the name as the key of the arguments'
  return `with ${[keys.name, keys.arguments, ...(keys.id === undefined ? [] : [keys.id])].map((key) => JSON.stringify(key)).join(', ')}`
}

function keyMarkers(keys: EnvelopeKeys): Record<string, string> {
  return {
    // Where the name is the key there is no other.
    ...(keys.name !== undefined && { 'name key': keys.name, 'arguments key': keys.arguments }),
    ...(keys.id !== undefined && { 'id key': keys.id }),
  }
}
