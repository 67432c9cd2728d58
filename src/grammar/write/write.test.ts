import { expect, test } from 'vitest'
import type { Tool } from '../../conversation/index.ts'
import { Machine } from '../read/machine.ts'
import { compile } from '../read/program.ts'
import type { CallSink } from '../scan/call-sink.ts'
import { ModelText } from '../scan/model-text.ts'
import {
  call,
  choice,
  close,
  type Expression,
  jsonArguments,
  jsonCall,
  jsonCalls,
  jsonValue,
  oneOrMore,
  optional,
  repeat,
  sequence,
  token,
  tolerated,
  value,
} from '../tree/expression.ts'
import * as pattern from '../tree/pattern.ts'
import { closeTag, openTag } from '../tree/tag.ts'
import { writeCalls } from './write.ts'

const weather: Tool = {
  name: 'get_weather',
  description: '',
  schema: { type: 'object', properties: { city: { type: 'string' }, days: { type: 'integer' }, free: {} } },
}
const paris = { name: 'get_weather', id: 'call_1', arguments: '{"city":"Paris","days":3}' }
const empty = { name: 'ping', id: 'call_2', arguments: '{}' }

const hermes = sequence(
  '<tool_call>',
  token(pattern.space('\n')),
  jsonCall(),
  token(pattern.space('\n')),
  close('</tool_call>'),
)
const array = sequence('[TOOL_CALLS]', jsonCalls({ name: 'name', arguments: 'arguments', id: 'id' }))
const idFirst = sequence(
  '<|S|>',
  jsonCalls({ name: 'tool_name', arguments: 'parameters', id: 'tool_call_id', order: ['tool_call_id'] }),
  close('<|E|>'),
)
const nameKey = sequence('<|p|>', jsonCalls({ name: undefined, arguments: '' }), close('<|s|>'))
const encoded = sequence('<c>', jsonCall({ name: 'name', arguments: 'arguments', isEncoded: true }), close('</c>'))
const kimi = sequence(
  '<|section|>',
  oneOrMore(
    call(
      token(
        '<|call|>',
        pattern.optional('functions.'),
        pattern.capture('name', '^<:\\s'),
        pattern.optional(pattern.sequence(':', pattern.chars('0-9', 1, 4, '0'))),
        pattern.ahead('<|args|>'),
      ),
      '<|args|>',
      jsonArguments(),
      close('<|end|>'),
    ),
  ),
  close('<|/section|>'),
)
const withId = call(
  token(
    '[C]',
    pattern.capture('name', '\\w.-'),
    '[ID]',
    { type: 'capture', as: 'id', of: pattern.chars('A-Za-z0-9', 9, 9) },
    '[ARGS]',
  ),
  jsonArguments(),
)
const qwen = sequence(
  '<tool_call>',
  call(
    token(pattern.space('\n'), '<function=', pattern.capture('name', '^<>\\n'), '>'),
    repeat(
      sequence(
        token(pattern.space('\n'), '<parameter=', pattern.capture('key', '^<>\\n'), '>'),
        value('</parameter>', { lines: true }),
      ),
    ),
    tolerated(token(pattern.space('\n')), jsonArguments()),
    token(pattern.space('\n')),
    close('</function>'),
  ),
  token(pattern.space('\n')),
  close('</tool_call>'),
)
const dsml = sequence(
  openTag('calls', { prefix: 'vendor', written: '｜DSML｜' }),
  repeat(
    call(
      token(pattern.space('\n')),
      openTag('invoke', { attributes: { name: ['name'] }, needs: ['name'], prefix: 'vendor', written: '｜DSML｜' }),
      repeat(
        sequence(
          token(pattern.space('\n')),
          openTag('parameter', {
            attributes: { key: ['name'], type: ['string'] },
            needs: ['key'],
            prefix: 'vendor',
            written: '｜DSML｜',
          }),
          value(closeTag('parameter', { prefix: 'vendor', written: '｜DSML｜' }), {
            trim: 'none',
            typeWords: { string: 'true', other: 'false' },
          }),
        ),
      ),
      token(pattern.space('\n')),
      close(closeTag('invoke', { prefix: 'vendor', written: '｜DSML｜' })),
    ),
  ),
  token(pattern.space('\n')),
  close(closeTag('calls', { prefix: 'vendor', written: '｜DSML｜' })),
)
const typed = call(
  token('<o>call "', pattern.capture('name', '^"'), '">'),
  choice(
    oneOrMore(
      sequence(
        token('<o>arg key="', pattern.capture('key', '^"<>'), '" type="', pattern.capture('type', 'a-z'), '">'),
        value('<c>arg', { trim: 'none', typeWords: { number: 'number' } }),
      ),
    ),
    jsonArguments({}, { isWrapped: true, entities: true }),
    token(pattern.space()),
  ),
  close('<c>call'),
)
const pythonic = sequence(
  '[',
  oneOrMore(
    call(
      token(pattern.capture('name', '\\w.-'), '('),
      repeat(
        sequence(token(pattern.capture('key', '\\w'), '='), jsonValue({ python: true })),
        pattern.sequence(',', pattern.space(' ')),
      ),
      close(')'),
    ),
    pattern.sequence(',', pattern.space(' ')),
  ),
  ']',
)
const gemma = call(
  token('<|tool_call>call:', pattern.capture('name', '^{'), pattern.ahead('{')),
  jsonArguments({ delimiters: ['<|"|>'] }),
  close('<tool_call|>'),
)
const entities = call(
  openTag('f', { attributes: { name: ['n'], id: ['id'] }, needs: ['name'] }),
  repeat(
    sequence(openTag('p', { attributes: { key: ['k'] }, needs: ['key'] }), value(closeTag('p'), { entities: true })),
  ),
  close(closeTag('f')),
)
const optionals = sequence(
  optional('<a>'),
  tolerated('<b>'),
  pattern.choice('x', 'y').type === 'choice' ? token(pattern.choice('x', 'y')) : '',
  jsonCall(),
  close('</a>'),
)

test.each<[name: string, tree: Expression, text: string]>([
  [
    'JSON in tags',
    hermes,
    '<tool_call>\n{"name": "get_weather", "arguments": {"city": "Paris", "days": 3}}\n</tool_call>\n<tool_call>\n{"name": "ping", "arguments": {}}\n</tool_call>',
  ],
  [
    'a list with ids',
    array,
    '[TOOL_CALLS][{"name": "get_weather", "arguments": {"city": "Paris", "days": 3}, "id": "call_1"}, {"name": "ping", "arguments": {}, "id": "call_2"}]',
  ],
  [
    'keys in the order that is said',
    idFirst,
    '<|S|>[{"tool_call_id": "call_1", "tool_name": "get_weather", "parameters": {"city": "Paris", "days": 3}}, {"tool_call_id": "call_2", "tool_name": "ping", "parameters": {}}]<|E|>',
  ],
  ['names as keys', nameKey, '<|p|>[{"get_weather": {"city": "Paris", "days": 3}}, {"ping": {}}]<|s|>'],
  [
    'encoded arguments',
    encoded,
    '<c>{"name": "get_weather", "arguments": "{\\"city\\": \\"Paris\\", \\"days\\": 3}"}</c>\n<c>{"name": "ping", "arguments": "{}"}</c>',
  ],
  [
    'a section',
    kimi,
    '<|section|><|call|>functions.get_weather:0<|args|>{"city": "Paris", "days": 3}<|end|><|call|>functions.ping:0<|args|>{}<|end|><|/section|>',
  ],
  [
    'ids of nine letters',
    withId,
    '[C]get_weather[ID]0000call1[ARGS]{"city": "Paris", "days": 3}\n[C]ping[ID]0000call2[ARGS]{}',
  ],
  [
    'a tag for each argument',
    qwen,
    '<tool_call>\n<function=get_weather>\n<parameter=city>\nParis\n</parameter>\n<parameter=days>\n3\n</parameter>\n</function>\n</tool_call>\n<tool_call>\n<function=ping>\n</function>\n</tool_call>',
  ],
  [
    'attributes that tell strings',
    dsml,
    '<｜DSML｜calls>\n<｜DSML｜invoke name="get_weather">\n<｜DSML｜parameter name="city" string="true">Paris</｜DSML｜parameter>\n<｜DSML｜parameter name="days" string="false">3</｜DSML｜parameter>\n</｜DSML｜invoke>\n<｜DSML｜invoke name="ping">\n</｜DSML｜invoke>\n</｜DSML｜calls>',
  ],
  [
    'types by name',
    typed,
    '<o>call "get_weather"><o>arg key="city" type="string">Paris<c>arg<o>arg key="days" type="number">3<c>arg<c>call\n<o>call "ping"><c>call',
  ],
  ['Python', pythonic, '[get_weather(city="Paris", days=3), ping()]'],
  [
    'strings between delimiters',
    gemma,
    '<|tool_call>call:get_weather{city:<|"|>Paris<|"|>,days:3}<tool_call|>\n<|tool_call>call:ping{}<tool_call|>',
  ],
  [
    'attributes for names',
    entities,
    '<f n="get_weather" id="call_1"><p k="city">Paris</p><p k="days">3</p></f>\n<f n="ping" id="call_2"></f>',
  ],
  [
    'what may be left out',
    optionals,
    '<a>x{"name": "get_weather", "arguments": {"city": "Paris", "days": 3}}</a>\n<a>x{"name": "ping", "arguments": {}}</a>',
  ],
])('writes %s', (_name, tree, text) => {
  expect(writeCalls(tree, [paris, empty], [weather])).toBe(text)
  const separated = text.includes('</a>') ? text.replaceAll('</a>\n', '</a>') : text
  expect(read(tree, separated)).toEqual(['get_weather {"city":"Paris","days":3}', 'ping {}'])
})

const one = (json: string) => [{ name: 'get_weather', arguments: json }]

test.each<[what: string, tree: Expression, json: string, text: string]>([
  [
    'what would be taken for an envelope in another, and entities that are none',
    typed,
    '{"input":{"&amp;":"&lt; &"},"a>b":1}',
    '<o>call "get_weather">{"input": {"input": {"&amp;": "&amp;lt; &"}, "a>b": 1}}<c>call',
  ],
  [
    'Python literals at any depth',
    pythonic,
    '{"free":{"a":[true,null,1e5]}}',
    '[get_weather(free={"a": [True, None, 1e5]})]',
  ],
  [
    'a key that is no word, among them',
    gemma,
    '{"free":{"a b":false}}',
    '<|tool_call>call:get_weather{free:{<|"|>a b<|"|>:false}}<tool_call|>',
  ],
  [
    'quotes around what holds the delimiter',
    gemma,
    '{"city":"<|\\"|>\\n"}',
    '<|tool_call>call:get_weather{city:"<|\\"|>\\n"}<tool_call|>',
  ],
  [
    'a line break of the value',
    qwen,
    '{"city":"\\na\\n"}',
    '<tool_call>\n<function=get_weather>\n<parameter=city>\n\na\n\n</parameter>\n</function>\n</tool_call>',
  ],
  [
    'a carriage return of the value',
    qwen,
    '{"city":"a\\r"}',
    '<tool_call>\n<function=get_weather>\n<parameter=city>\na\r\r\n</parameter>\n</function>\n</tool_call>',
  ],
  [
    'quotes around a string that looks like a number',
    qwen,
    '{"free":"42","city":"42"}',
    '<tool_call>\n<function=get_weather>\n<parameter=free>\n"42"\n</parameter>\n<parameter=city>\n42\n</parameter>\n</function>\n</tool_call>',
  ],
  [
    'no quotes where a marker tells a string',
    typed,
    '{"free":"42"}',
    '<o>call "get_weather"><o>arg key="free" type="string">42<c>arg<c>call',
  ],
  [
    'one object where a key fits no marker',
    qwen,
    '{"a>b":1,"city":"x"}',
    '<tool_call>\n<function=get_weather>\n{"a>b": 1, "city": "x"}\n</function>\n</tool_call>',
  ],
  [
    'one object as the next choice',
    typed,
    '{"a>b":1,"city":"x"}',
    '<o>call "get_weather">{"a>b": 1, "city": "x"}<c>call',
  ],
  [
    'quotes around what looks like CDATA',
    qwen,
    '{"city":" <![CDATA[x"}',
    '<tool_call>\n<function=get_weather>\n<parameter=city>\n" <![CDATA[x"\n</parameter>\n</function>\n</tool_call>',
  ],
  [
    'entities',
    entities,
    '{"city":"&lt; </p></f>"}',
    '<f n="get_weather" id="call_0"><p k="city">&amp;lt; &lt;/p&gt;&lt;/f&gt;</p></f>',
  ],
  [
    'all digits',
    hermes,
    '{"free":12345678901234567890}',
    '<tool_call>\n{"name": "get_weather", "arguments": {"free": 12345678901234567890}}\n</tool_call>',
  ],
])('writes %s', (_what, tree, json, text) => {
  expect(writeCalls(tree, one(json), [weather])).toBe(text)
  expect(read(tree, text)).toEqual([`get_weather ${json}`])
})

test('escapes names and keys that no form of the format can hold', () => {
  expect(writeCalls(entities, [{ name: 'a"b', arguments: '{"c d\\"":1}' }], [])).toBe(
    '<f n="a_b" id="call_0"><p k="c_d_">1</p></f>',
  )
})

test('breaks marks in strings and keys, in the form in which they are read', () => {
  const neutralise = (content: string) => content.replaceAll('<x', '<\u2060x')
  const calls = one('{"city":"\\u003cx","<x":["<x"]}')
  expect(writeCalls(hermes, calls, [weather], { neutralise })).toContain(
    '{"city": "<\u2060x", "<\u2060x": ["<\u2060x"]}',
  )
})

/** Reads blocks up to the end of the text; gives their calls as `name {json}`. */
function read(tree: Expression, text: string): string[] {
  const calls: string[] = []
  const sink: CallSink = {
    name: (name) => {
      calls.push(`${name} `)
      return weather
    },
    knows: () => true,
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
  source.add(text)
  source.finish(false)
  while (!source.isAtEnd) {
    const status = new Machine(compile(tree), source, sink).read()
    if (status !== 'complete') calls.push(`${status} at ${source.place}`)
    if (status !== 'complete') break
    source.take(source.place + source.length(/\s*/y), 'marker')
  }
  return calls
}
