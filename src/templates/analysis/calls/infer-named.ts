import { call, type Expression, jsonArguments, pattern, sequence, token } from '../../../grammar/index.ts'
import { type JsonStyle, sidesOf } from '../../../json/index.ts'
import { nonces } from '../probes/nonces.ts'
import { stringCall, typedCall } from '../probes/replies.ts'
import { markerOf, slots } from '../probes/slots.ts'
import { argumentStyle } from './argument-style.ts'
import type { CallText } from './call-text.ts'
import { type Core, partsOf } from './edges.ts'
import {
  blockSeparator,
  blocksOf,
  type CallHypothesis,
  closeOf,
  gapOf,
  leadingSpace,
  neededSpace,
  trailingSpace,
  withoutEnd,
} from './hypothesis.ts'
import { bracketEnd, parsed } from './json-around.ts'

/**
 * T1 and T4: the name is in markers, and the arguments after it are one object: `<function=f>{…}</function>`,
 * `call:f{…}`.
 */
export function inferNamedCalls(calls: CallText): CallHypothesis | undefined {
  const single = calls.of([stringCall(1)])
  const pair = calls.of([stringCall(1), stringCall(1, 1)])
  if (single === undefined) return undefined
  const parts = partsOf(single, pair, objectCore, calls.header)
  if (!parts) return undefined
  const { layout, core } = parts
  const brace = core.indexOf('{')
  const plain = styleOf(core.slice(brace))
  if (!plain) return undefined
  // Strings between delimiters are the template's own writing, and so are its words; in JSON they would be Python's by mistake.
  const printsNone = calls.of([typedCall('null')], 'null')?.includes('None') === true
  const own: JsonStyle = Object.keys(plain).length === 0 ? argumentStyle(calls) : plain
  const style: JsonStyle = plain.delimiters && printsNone ? { ...plain, bothWords: true } : own
  const { open, close } = layout.call
  const between = core.slice(1, brace)
  const head = open.trimStart() + core.slice(0, brace)
  // Nothing but white space ends the name.
  const isBlank = between !== '' && between.trim() === ''
  const unit: Expression = sequence(
    call(
      token(
        ...markerOf(head.trimEnd()),
        isBlank ? neededSpace(between) : pattern.space(trailingSpace(head)),
        pattern.ahead('{'),
      ),
      jsonArguments(style),
      ...(close.trim() === '' ? [] : [gapOf(leadingSpace(close)), closeOf(close.trim())]),
    ),
  )
  return {
    shape: 'named-json',
    words: `the name in markers, the arguments after it as ${style.delimiters ? `an object with strings between ${style.delimiters.flatMap(sidesOf).join(' and ')}` : 'a JSON object'}`,
    layout,
    markers: { 'call open': open, 'between name and arguments': core.slice(1, brace), 'call close': close },
    blocks: blocksOf(layout, unit, open, withoutEnd(unit)),
    separator: blockSeparator(layout),
  }
}

/** From the name to the end of the object after it, which contains the argument. */
function objectCore(text: string, from: number): Core | undefined {
  const [key, value] = [nonces.keys[0], nonces.values[0]]
  for (let at = text.indexOf(key, from); at >= 0; at = text.indexOf(key, at + 1)) {
    // The name may also be in the closer of the call before.
    const start = text.lastIndexOf(slots.name, at)
    const brace = start < from ? -1 : text.indexOf('{', start)
    const end = brace < 0 || brace > at ? undefined : bracketEnd(text, brace)
    if (end !== undefined && text.slice(at, end).includes(value)) return { start, end }
  }
  return undefined
}

/** The form of an object with one string argument; undefined if it is no object of arguments. */
function styleOf(object: string): JsonStyle | undefined {
  if (parsed(object) !== undefined) return {}
  const [key, text] = [nonces.keys[0], nonces.values[0]]
  // Matched in parts, each with one repetition of a possible delimiter; a back reference to the quote could be any
  // text.
  const at = object.indexOf(text)
  if (at < 0) return undefined
  const begun = new RegExp(`^\\{\\s*(${key}|'${key}'|"${key}")\\s*[:=]\\s*([^\\s{}]+)$`, 'u').exec(object.slice(0, at))
  const [, close = ''] = /^([^\s{}]+)\s*\}$/u.exec(object.slice(at + text.length)) ?? []
  const [, name = '', open = ''] = begun ?? []
  if (open === '' || close === '') return undefined
  if (open === "'" && close === "'") return { python: true, singleQuotes: true }
  if (open === '"' && close === '"') return name.startsWith('"') ? {} : { delimiters: [] }
  return { delimiters: [open === close ? open : [open, close]] }
}
