import { expect, test } from 'vitest'
import type { Tool } from '../../conversation/index.ts'
import type { CallSink } from '../scan/call-sink.ts'
import { ModelText } from '../scan/model-text.ts'
import {
  call,
  close,
  type Expression,
  jsonArguments,
  jsonCalls,
  oneOrMore,
  repeat,
  sequence,
  token,
  value,
} from '../tree/expression.ts'
import * as pattern from '../tree/pattern.ts'
import { closeTag, openTag } from '../tree/tag.ts'
import { Machine } from './machine.ts'
import { compile } from './program.ts'

const weather: Tool = {
  name: 'get_weather',
  description: '',
  schema: { type: 'object', properties: { city: { type: 'string' }, days: { type: 'integer' } } },
}

/** Reads a block in pieces of `size`; returns its status and the events, calls as `name {json}`. */
function read(format: Expression, text: string, size: number): { status: string; calls: string[]; rest: string } {
  const calls: string[] = []
  const sink: CallSink = {
    name: (name) => {
      calls.push(`${name} `)
      return weather
    },
    knows: (_name, key) => key === 'city',
    offers: () => true,
    toolWith: () => undefined,
    textKey: () => undefined,
    lateId: () => {},
    argument: (json) => {
      calls[calls.length - 1] += json
    },
    endCall: (complete) => {
      if (!complete) calls[calls.length - 1] += ' broken'
    },
    notice: () => {},
  }
  const source = new ModelText()
  const machine = new Machine(compile(format), source, sink)
  let status = 'more'
  for (let at = 0; at < text.length && status === 'more'; at += size) {
    source.add(text.slice(at, at + size))
    status = machine.read()
    if (status !== 'more') source.add(text.slice(at + size))
  }
  source.finish(false)
  if (status === 'more') status = machine.read()
  return { status, calls, rest: source.text.slice(source.place) }
}

const json = sequence('<tool_call>', token(pattern.space('\n')), jsonCalls(), close('</tool_call>'))
const tagged = sequence(
  '<tool_call>',
  call(
    token(pattern.space('\n'), '<function=', pattern.capture('name', '^<>\\n'), '>'),
    repeat(
      sequence(token(pattern.space('\n'), '<parameter=', pattern.capture('key', '^<>\\n'), '>'), value('</parameter>')),
    ),
    close('</function>'),
  ),
  close('</tool_call>'),
)
const section = sequence(
  '<calls>',
  oneOrMore(
    call(
      token(
        '<call>',
        pattern.tolerated('functions.'),
        pattern.capture('name', '^<:'),
        pattern.tolerated(pattern.sequence(':', pattern.choice('0', '1'))),
        pattern.ahead('<args>'),
      ),
      token('<args>'),
      jsonArguments(),
      close('</call>'),
    ),
  ),
  close('</calls>'),
)
const invoke = call(
  openTag('invoke', { attributes: { name: ['name'] }, needs: ['name'] }),
  repeat(
    sequence(
      token(pattern.space('\n')),
      openTag('parameter', { attributes: { key: ['name'] }, needs: ['key'] }),
      value(closeTag('parameter')),
    ),
  ),
  close(closeTag('invoke')),
)

const cases: [name: string, format: Expression, text: string, status: string, calls: string[], rest: string][] = [
  [
    'JSON in a tag',
    json,
    '<tool_call>\n{"name": "f", "arguments": {"city": "P"}}\n</tool_call> on',
    'complete',
    ['f {"city":"P"}'],
    ' on',
  ],
  [
    'a closing tag left out',
    json,
    '<tool_call>{"name":"f","arguments":{"city":"P"}} and on',
    'complete',
    ['f {"city":"P"}'],
    ' and on',
  ],
  ['a tag that is only talked about', json, '<tool_call> is a tag', 'no-call', [], '<tool_call> is a tag'],
  [
    'tags for arguments',
    tagged,
    '<tool_call>\n<function=f>\n<parameter=city>\nP\n</parameter>\n<parameter=days>3</parameter>\n</function>\n</tool_call>',
    'complete',
    ['f {"city":"P","days":3}'],
    '',
  ],
  [
    'a closing tag inside a value',
    tagged,
    '<tool_call><function=f><parameter=city>a </parameter> b</parameter></function></tool_call>',
    'complete',
    ['f {"city":"a </parameter> b"}'],
    '',
  ],
  [
    'two calls in a section',
    section,
    '<calls><call>functions.f:0<args>{"city":"P"}</call><call>g:1<args>{}</call></calls>!',
    'complete',
    ['f {"city":"P"}', 'g {}'],
    '!',
  ],
  [
    'attributes',
    invoke,
    '<invoke name="f"><parameter name="city"><![CDATA[<b> ]]></parameter></invoke>',
    'complete',
    ['f {"city":"<b> "}'],
    '',
  ],
  ['a tag that closes itself', invoke, '<invoke name="f"/> on', 'complete', ['f {}'], ' on'],
]

test.each(cases)('reads %s the same in pieces of every size', (_name, format, text, status, calls, rest) => {
  for (const size of [1, 2, 3, 7, text.length]) {
    const got = read(format, text, size)
    expect([size, got.status, got.calls]).toEqual([size, status, calls])
    if (size === text.length) expect(got.rest).toBe(rest)
  }
})

test('tells where a name stands, not where its letters do', () => {
  const spans: [role: string, text: string, start: number][] = []
  const text = 'call:a{}'
  const source = new ModelText((role, start, end) => spans.push([role, text.slice(start, end), start]))
  const sink: CallSink = {
    name: () => weather,
    knows: () => false,
    offers: () => true,
    toolWith: () => undefined,
    textKey: () => undefined,
    lateId: () => {},
    argument: () => {},
    endCall: () => {},
    notice: () => {},
  }
  source.add(text)
  source.finish(false)
  new Machine(
    compile(call(token('call:', pattern.capture('name', '\\w'), pattern.ahead('{')), jsonArguments())),
    source,
    sink,
  ).read()
  expect(spans.filter(([role]) => role === 'name')).toEqual([['name', 'a', 5]])
})
