import * as fc from 'fast-check'
import { describe, expect } from 'vitest'
import { coveringTests } from '../../../../test/support/covering-tests.ts'
import { breaksOff, findsNone, readsAll, readsGarbageAlike, tools } from '../../../../test/support/dialects/blocks.ts'
import { readBlock, readInPieces } from '../../../../test/support/dialects/format-reading.ts'
import { writeCalls } from '../../../grammar/index.ts'
import type { FormatData } from '../../format/format.ts'
import { functiongemma, gemma4 } from '../names/gemma.ts'
import { lfm2, olmo3, pythonic } from './pythonic.ts'

const paris = 'get_weather {"city":"Paris"}'
const formats: readonly FormatData[] = [pythonic, olmo3, lfm2, gemma4, functiongemma]

const testsOf = coveringTests(formats, 2)

describe.each(formats.map((format) => [format.name, format] as const))('%s', (_name, format) => {
  const it = testsOf(format)
  const [block] = format.blocks
  const write = (json: string) =>
    block ? writeCalls(block.tree, [{ name: 'get_weather', arguments: json }], tools) : ''

  it('writes its example, and reads it without a notice', () => {
    const json = '{"city":"Paris","days":3}'
    expect(write(json)).toBe(format.example)
    expect(readInPieces(format.blocks, format.example, { tools })).toEqual({
      status: 'complete',
      calls: [`get_weather ${json}`],
      notices: [],
      rest: '',
    })
  })

  it('reads a beginning of the call where its text is cut', () => {
    const whole = 'get_weather {"city":"Paris","days":3}'
    for (let end = 1; end < format.example.length; end++) {
      const { status, calls } = readBlock(format.blocks, format.example.slice(0, end), { tools, cut: true })
      expect(calls.every((call) => whole.startsWith(call))).toBe(true)
      if (status === 'complete') expect(calls).toEqual([whole])
    }
  })

  it('reads whatever arguments it writes', () => {
    const key = fc.oneof(fc.constantFrom('a', 'b.c', 'a b', '1'), fc.string())
    fc.assert(
      fc.property(fc.dictionary(key, fc.jsonValue({ maxDepth: 3 })), (value) => {
        const json = JSON.stringify(value)
        // No tools: no schema then changes a type.
        const { status, calls, notices, rest } = readBlock(format.blocks, write(json), { size: 5 })
        expect({ status, notices, rest }).toEqual({ status: 'complete', notices: [], rest: '' })
        expect(JSON.parse(calls.join('').replace('get_weather ', ''))).toEqual(JSON.parse(json))
      }),
    )
  })

  it('reads all calls that it writes', () => {
    const calls = ['get_weather', 'get_time'].map((name) => ({ name, arguments: '{}' }))
    const options = { separator: format.separator ?? '\n' }
    let rest = block ? writeCalls(block.tree, calls, tools, options) : ''
    const names: string[] = []
    while (rest !== '') {
      const reading = readInPieces(format.blocks, rest, { tools })
      expect(reading).toMatchObject({ status: 'complete', notices: [] })
      names.push(...reading.calls)
      rest = reading.rest
    }
    expect(names).toEqual(['get_weather {}', 'get_time {}'])
  })
})

readsAll('pythonic', pythonic.blocks, [
  ['[get_weather(city="Paris"), get_time()]', [paris, 'get_time {}']],
  [
    "[ get_weather( city = 'Paris' ,\n  days = 3, ) ] I look.",
    ['get_weather {"city":"Paris","days":3}'],
    [],
    ' I look.',
  ],
  ['[get_time()]', ['get_time {}']],
  ['[get_time(), f(a=-1.5)]', ['get_time {}', 'f {"a":-1.5}']],
  ['[f(b="hello]world) \\"x\\"")]', ['f {"b":"hello]world) \\"x\\""}']],
  ['[f(b="""a\n"b" c""")]', ['f {"b":"a\\n\\"b\\" c"}']],
  ["[f(list=(1, 'x', None), opts={'k': {'n': [True]}})]", ['f {"list":[1,"x",null],"opts":{"k":{"n":[true]}}}']],
  ['[get_weather(city="Paris", days="3")]', ['get_weather {"city":"Paris","days":3}'], ['retyped']],
  ['[get_weather(city=Paris)]', [paris], ['repaired']],
  ['[get_weather(city="Paris"', [paris], ['repaired', 'repaired']],
  ['[get_weather(city="Paris")', [paris], ['repaired']],
  ['<|python_start|>[get_weather(city="Paris")]<|python_end|>!', [paris], [], '!'],
  ['<|python_start|> get_weather(city="Paris")\n<|python_end|>', [paris]],
  ['<|python_tag|>[get_weather(city="Paris")]', [paris]],
  ['{"name": "get_weather", "parameters": {"city": "Paris"}}', [paris]],
])

findsNone('pythonic', pythonic.blocks, [
  '[text](url)',
  '[get_weather](url)',
  '[get_time()](docs/time.md) tells the time.',
  '[1, 2]',
  '[INFO] x',
  '[get_weather(x)] is not how it is called',
  '[get_weather("Paris")]',
  '[f(a==1)]',
  '[f (a=1)]',
  '[',
  '[get_weather(',
  '[x for x in f(a=1)]',
  'f(a=1)',
  '<|python_start|> begins code',
  '{"temperature": 21}',
])

breaksOff('pythonic', pythonic.blocks, [
  ['[get_weather(city="Par', ['get_weather {"city":"Par']],
  ['[get_weather(city="Paris"', ['get_weather {"city":"Paris']],
  ['[get_weather(city="Paris",', ['get_weather {"city":"Paris"']],
  ['[f(a=1 + 2)]', ['f {"a":']],
  ['[f(a=g(1))]', ['f {"a":']],
  ['[f(b="x", a=)]', ['f {"b":"x"']],
  ['[f(b="x", "y")]', ['f {"b":"x"']],
  ['[get_time(), f(a=1 b=2)]', ['get_time {}', 'f {"a":']],
])

readsAll('olmo3', olmo3.blocks, [
  ['<function_calls>\nget_weather(city="Paris")\nget_time()\n</function_calls> on', [paris, 'get_time {}'], [], ' on'],
  ['<function_calls>get_weather(city="Paris")</function_calls>', [paris]],
  ['<function_calls>\n[get_weather(city="Paris"), get_time()]\n</function_calls>', [paris, 'get_time {}']],
  ['<function_calls>\nget_weather(city="Paris")\n\nDone.', [paris], ['repaired'], 'Done.'],
  ['<function_calls>\nget_weather(city="Paris"\n</function_calls>', [paris], ['repaired']],
])

findsNone('olmo3', olmo3.blocks, [
  '<function_calls>\n<invoke name="f"></invoke>\n</function_calls>',
  '<function_calls>[{"name": "f"}]</function_calls>',
  '<function_calls> is where calls stand (see below)',
])

readsAll('lfm2', lfm2.blocks, [
  [
    '<|tool_call_start|>[Calendar.create_event(title="demo", participants=["Alice", "Bob"], metadata={"high": true})]<|tool_call_end|>',
    ['Calendar.create_event {"title":"demo","participants":["Alice","Bob"],"metadata":{"high":true}}'],
  ],
  ["<|tool_call_start|>[f(b='')]<|tool_call_end|>", ['f {"b":""}']],
  [
    '<|tool_call_start|>[f(a=null), f(a=None), f(a=true)]',
    ['f {"a":null}', 'f {"a":null}', 'f {"a":true}'],
    ['repaired'],
  ],
  ['<|tool_call_start|>[f(from="a", class="b")]<|tool_call_end|>', ['f {"from":"a","class":"b"}']],
  ['<|tool_call_start|>\nget_weather(city="Paris")\nget_time()\n<|tool_call_end|>', [paris, 'get_time {}']],
  ['<|tool_call_start|>[{"name": "get_weather", "arguments": {"city": "Paris"}}]<|tool_call_end|>', [paris]],
  ['<|tool_call_start|>{"name": "get_weather", "arguments": {"city": "Paris"}}<|tool_call_end|>', [paris]],
  ['<|tool_call_start|>[get_weather({"city": "Paris"})]<|tool_call_end|>', [paris]],
  ['<|tool_call_start|>[get_weather(**{"city": "Paris"})]<|tool_call_end|>', [paris]],
  [
    '<|tool_call_start|>[get_weather("Paris", days=3)]<|tool_call_end|>',
    ['get_weather {"city":"Paris","days":3}'],
    ['repaired'],
  ],
  [
    "<|tool_call_start|>[get_weather('Paris', 3)]<|tool_call_end|>",
    ['get_weather {"city":"Paris","days":3}'],
    ['repaired', 'repaired'],
  ],
  [
    '<|tool_call_start|>[get_weather(r"C:\\new", -3)]<|tool_call_end|>',
    ['get_weather {"city":"C:\\\\new","days":-3}'],
    ['repaired', 'repaired'],
  ],
  ["<|tool_call_start|>[f(城市='上海', x-y=None)]<|tool_call_end|>", ['f {"城市":"上海","x-y":null}']],
  ["<|tool_call_start|>[get_weather(city='Paris']<|tool_call_end|>", [paris], ['repaired']],
])

breaksOff('lfm2', lfm2.blocks, [
  ['<|tool_call_start|>[get_weather(place)]<|tool_call_end|>', ['get_weather ']],
  ["<|tool_call_start|>[get_weather('Paris', 3, 'x')]<|tool_call_end|>", ['get_weather {"city":"Paris","days":3']],
  ['<|tool_call_start|>[get_weather(days=3, "Paris")]<|tool_call_end|>', ['get_weather {"days":3']],
  ['<|tool_call_start|>[get_weather({"city": "Paris"}, days=3)]<|tool_call_end|>', ['get_weather {"city":"Paris"']],
  ['<|tool_call_start|>[get_weather(', ['get_weather ']],
])

findsNone('lfm2', lfm2.blocks, ['<|tool_call_start|> is a marker'])

readsAll('gemma4', gemma4.blocks, [
  ['<|tool_call>call:get_time{}<tool_call|>', ['get_time {}']],
  ['<|tool_call> call: get_weather {city:"Paris"} <tool_call|>\n', [paris], [], '\n'],
  ['<|tool_call>call:f{b:<|"|>"} <tool_call|>{<|"|>,a:-7}<tool_call|>', ['f {"b":"\\"} <tool_call|>{","a":-7}']],
  ['<|tool_call>call:f{opts:{k:<|"|>v<|"|>,n:[1.5e10,null]}}<tool_call|>', ['f {"opts":{"k":"v","n":[1.5e10,null]}}']],
  ['<|tool_call>call:f{list:[\'x\'],b="v"}<tool_call|>', ['f {"list":["x"],"b":"v"}'], ['repaired', 'repaired']],
  ['<|tool_call>call:get_weather{{"city": "Paris"}}<tool_call|>', [paris], ['repaired']],
  ['<|tool_call>call:get_time{}call:get_weather{city:<|"|>Paris<|"|>}<tool_call|>', ['get_time {}', paris]],
  ['<|tool_call>get_weather{city:<|"|>Paris<|"|>}', [paris], ['repaired']],
  ['<|tool_call>{"name": "get_weather", "arguments": {"city": "Paris"}}<tool_call|>', [paris]],
  // The forms of other formats, and of quantised models.
  ['<|tool_call>call:get_weather({"city": "Paris"})<tool_call|>', [paris]],
  ['<|tool_call|>call:get_weather( {city:<|"|>Paris<|"|>} )<tool_call|>', [paris]],
  ['<tool_call:get_weather{city:<|"|>Paris<|"|>}><tool_call|>', [paris]],
  ['call:get_weather{city:<|"|>Paris<|"|>}<tool_call|>', [paris]],
  ['call:get_weather{city:<|"|>Paris<|"|>}\nSo.', [paris], ['repaired'], '\nSo.'],
])

findsNone('gemma4', gemma4.blocks, [
  'call:get_weather{city: a string}',
  'call: me {city:<|"|>',
  '<tool_call:get_weather>',
  '<|tool_call>call: me',
  '<|tool_call> is a marker',
  '<|tool_call|>[{"name": "f"}]',
])

breaksOff('gemma4', gemma4.blocks, [
  ['<|tool_call>call:get_weather{city:<|"|>Par', ['get_weather {"city":"Par']],
  ['<|tool_call>call:get_weather{city:<|"|>Paris<|"|>,', ['get_weather {"city":"Paris"']],
])

readsAll('functiongemma', functiongemma.blocks, [
  [
    '<start_function_call>call:f{b:<escape>a } "b"<escape>,a:true}<end_function_call> on',
    ['f {"b":"a } \\"b\\"","a":true}'],
    [],
    ' on',
  ],
])

readsGarbageAlike('pythonic', pythonic.blocks, ['[f(', '[', '<|python_start|>', '<|python_end|>'])
readsGarbageAlike('olmo3', olmo3.blocks, ['<function_calls>\n', '</function_calls>'])
readsGarbageAlike('lfm2', lfm2.blocks, ['<|tool_call_start|>[', '<|tool_call_start|>', '<|tool_call_end|>'])
readsGarbageAlike('gemma4', gemma4.blocks, ['<|tool_call>call:f{', '<|tool_call>', '<tool_call|>', '<|"|>', 'call:'])
readsGarbageAlike('functiongemma', functiongemma.blocks, [
  '<start_function_call>call:f{',
  '<end_function_call>',
  '<escape>',
])
