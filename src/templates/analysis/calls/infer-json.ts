import type { JsonValue } from '../../../conversation/index.ts'
import {
  type EnvelopeKeys,
  type Expression,
  jsonCall,
  jsonCalls,
  oneOrMore,
  pattern,
  sequence,
  token,
  tolerated,
} from '../../../grammar/index.ts'
import { nonces } from '../probes/nonces.ts'
import { stringCall } from '../probes/replies.ts'
import { markerOf, slots } from '../probes/slots.ts'
import { argumentStyle } from './argument-style.ts'
import type { CallText } from './call-text.ts'
import { countedBefore } from './edges.ts'
import { envelopeKeys } from './envelope-keys.ts'
import {
  blockSeparator,
  blocksOf,
  type CallHypothesis,
  closeOf,
  gapOf,
  leadingSpace,
  withoutEnd,
} from './hypothesis.ts'
import { type JsonInText, jsonAround, signsIn } from './json-around.ts'
import { layoutOf } from './layout.ts'

/**
 * T1 and T4: the name is in JSON, with the arguments: `{"name": …, "arguments": {…}}`, one object per call or all in a
 * list.
 */
export function inferJsonCalls(calls: CallText): CallHypothesis | undefined {
  const text = calls.of([stringCall(1)])
  const found = text === undefined ? undefined : callIn(text, 0)
  if (text === undefined || !found) return undefined
  const isList = Array.isArray(found.value)
  const pair = calls.of([stringCall(1), stringCall(1, 1)])
  const first = pair === undefined ? undefined : callIn(pair, 0)
  const second = pair === undefined || isList ? undefined : callIn(pair, first?.end ?? 0)
  const keys = envelopeKeys(elementOf(found.value, 0), isList ? elementOf(first?.value, 1) : second?.value)
  if (!keys) return undefined
  const layout = layoutOf({
    before:
      pair !== undefined && first
        ? countedBefore(text.slice(0, found.start), pair.slice(0, first.start))
        : text.slice(0, found.start),
    middle: pair !== undefined && first && second ? pair.slice(first.end, second.start) : undefined,
    after: text.slice(found.end),
    header: calls.header,
  })
  const { open, close } = layout.call
  const isBare = open.trim() === '' && layout.section.open.trim() === ''
  // A mark in square brackets is no list.
  const isBracketed = open.trim() === '' && layout.section.close.trim().startsWith('[')
  const start = isBare
    ? [pattern.ahead(firstMember(text.slice(found.start, found.end)))]
    : isBracketed
      ? [pattern.ahead(pattern.choice('{', pattern.sequence('[', pattern.space(), '{')))]
      : []
  const signs = signsIn(text.slice(found.start, found.end), pair?.slice(first?.start, first?.end))
  const style = argumentStyle(calls)
  const own = signs ? { ...keys, signs } : keys
  const one = isList ? jsonCalls(own, { isBare, style }) : jsonCall(own, { isBare, style })
  // Without any marker, models part one object from the next as Llama 3 was taught: `{…}; {…}`.
  const mayPart = isBare && pair !== undefined && layout.separator.trim() === ''
  const between = (gap: string) =>
    pattern.sequence(
      pattern.space(gap),
      pattern.tolerated(pattern.choice(';', ',')),
      pattern.space(),
      ...start,
      pattern.ahead('{'),
    )
  // In one message, or between one pair of tags, models make several calls even if the template does not.
  const several = mayPart
    ? oneOrMore(one, between(blockSeparator(layout)))
    : sequence(one, tolerated(oneOrMore(sequence(token(between('')), one))))
  const json = isList ? one : several
  const unit: Expression = sequence(
    ...(open.trim() === '' && start.length === 0 ? [] : [token(...markerOf(open.trimStart()), ...start)]),
    json,
    ...(close.trim() === '' ? [] : [gapOf(leadingSpace(close)), closeOf(close.trim())]),
  )
  const words = `${isList ? 'a JSON list of all calls' : 'a JSON object a call'}, ${keysInWords(keys)}`
  return {
    shape: isList ? 'json-list' : 'json',
    words,
    layout,
    markers: { 'call open': open, 'call close': close, ...keyMarkers(keys) },
    blocks: blocksOf(layout, unit, open, withoutEnd(unit)),
    separator: blockSeparator(layout),
  }
}

/**
 * The JSON around the next name: the outermost that has a call's members, because a template may write a call within
 * its own message object.
 */
function callIn(text: string, from: number): JsonInText | undefined {
  const name = text.indexOf(slots.name, from)
  if (name < 0) return undefined
  const value = text.indexOf(nonces.values[0], from)
  let outermost: JsonInText | undefined
  for (let start = from; start <= name; ) {
    const found = jsonAround(text.slice(start), name - start, Math.max(name, value) - start)
    if (!found) break
    const placed = { ...found, start: found.start + start, end: found.end + start }
    outermost ??= placed
    if (envelopeKeys(elementOf(placed.value, 0), undefined)) return placed
    start = placed.start + 1
  }
  return outermost
}

function elementOf(value: JsonValue | undefined, index: number): JsonValue | undefined {
  return Array.isArray(value) ? value[index] : value
}

function firstMember(json: string): ReturnType<typeof pattern.sequence> {
  const [, bracket = '', key = ''] = /^(\[?)\s*\{\s*"([^"]*)"/.exec(json) ?? []
  const name = key === slots.name ? [] : [`"${key}"`]
  return pattern.sequence(...(bracket === '' ? [] : ['[', pattern.space()]), '{', pattern.space(), ...name)
}

function keysInWords(keys: EnvelopeKeys): string {
  if (keys.name === undefined) return 'the name as the key of the arguments'
  const { name, arguments: args, id, index, inside, constants = {} } = keys
  const own = [name, args, id, index?.key, ...Object.keys(constants)].filter((key) => key !== undefined)
  const within = inside === undefined ? '' : `, the call itself in ${JSON.stringify(inside)}`
  return `with ${own.map((key) => JSON.stringify(key)).join(', ')}${within}`
}

function keyMarkers(keys: EnvelopeKeys): Record<string, string> {
  return {
    // If the name is the key, there is no other key.
    ...(keys.name !== undefined && { 'name key': keys.name, 'arguments key': keys.arguments }),
    ...(keys.id !== undefined && { 'id key': keys.id }),
    ...(keys.index && { 'number key': keys.index.key }),
    ...(keys.inside !== undefined && { 'call key': keys.inside }),
  }
}
