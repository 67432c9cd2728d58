import { call, tool } from '../../../test/support/dialects/acceptance-case.ts'
import { testCases } from '../../../test/support/dialects/acceptance-table.ts'
import { run, write } from '../../../test/support/dialects/acceptance-tools.ts'

/** AC23 to AC26 and AC30: values that are quoted as in another language, or contain text that would end them. */

const query = tool('query', {
  data_refs: { type: 'array', items: { type: 'string' } },
  tags: { type: 'array', items: { type: 'string' } },
  opts: 'object',
  key: 'string',
})
const place = tool('place', {
  lon: 'number',
  point: { type: 'array', items: { type: 'number' } },
  from: 'string',
  class: 'string',
})
const search = tool('search', { query: 'string' })

const gemmaCode = [
  'def f(x):',
  '    if x < 3 and x > 1:',
  '        return {"a": [1, 2], \'b\': f"{x}"}',
  '    print("done\\n")  # call:write{path:x} <tool_call|',
  '',
  'f({1: "}"})',
].join('\n')

testCases('quotes and brackets in values', [
  {
    id: 'AC23',
    title: 'quotes within a delimited string',
    source: 'vllm#39069',
    dialect: 'gemma4',
    text: '<|tool_call>call:write{content:<|"|>She said "hello" loudly<|"|>}<tool_call|>',
    tools: [write],
    reply: [call('write', { content: 'She said "hello" loudly' })],
  },
  ...[
    { text: 'data_refs:["ds_1"]', args: { data_refs: ['ds_1'] } },
    { text: "data_refs:['ds_1']", args: { data_refs: ['ds_1'] } },
    { text: 'opts:{"mode": "fast"}', args: { opts: { mode: 'fast' } } },
    { text: 'key="v"', args: { key: 'v' } },
    {
      text: 'data_refs:["ds_1"],tags:[\'ds_1\'],opts:{"mode": "fast"},key="v"',
      args: { data_refs: ['ds_1'], tags: ['ds_1'], opts: { mode: 'fast' }, key: 'v' },
    },
  ].map(({ text, args }, index) => ({
    id: `AC24${'abcde'.charAt(index)}`,
    title: `quotes as other languages have them: ${text}`,
    source: 'vllm#51284',
    dialect: 'gemma4' as const,
    text: `<|tool_call>call:query{${text}}<tool_call|>`,
    tools: [query],
    reply: [call('query', args)],
  })),
  ...[
    { text: `run(command='grep -F "]" f')`, name: 'run', args: { command: 'grep -F "]" f' } },
    { text: 'run(command="grep -F \\"]\\" f")', name: 'run', args: { command: 'grep -F "]" f' } },
    { text: 'run(command="first\nsecond")', name: 'run', args: { command: 'first\nsecond' } },
    { text: 'run(command="dir C:\\\\tmp\\\\")', name: 'run', args: { command: 'dir C:\\tmp\\' } },
    { text: 'place(lon=-74.0)', name: 'place', args: { lon: -74 } },
    { text: 'place(point=(1, -2.5))', name: 'place', args: { point: [1, -2.5] } },
    { text: 'place(from="a", class="b")', name: 'place', args: { from: 'a', class: 'b' } },
  ].map(({ text, name, args }, index) => ({
    id: `AC25${'abcdefg'.charAt(index)}`,
    title: `a Python call: ${JSON.stringify(text)}`,
    source: 'vllm PR#48171',
    dialect: 'lfm2' as const,
    text: `<|tool_call_start|>[${text}]<|tool_call_end|>`,
    tools: [run, place],
    reply: [call(name, args)],
  })),
  ...(['pythonic', 'lfm2'] as const).map((dialect, index) => ({
    id: `AC26${'ab'.charAt(index)}`,
    title: 'a bracket within a string ends no list',
    source: 'sglang PR#38869',
    dialect,
    text:
      dialect === 'lfm2'
        ? '<|tool_call_start|>[search(query="hello]world")]<|tool_call_end|>'
        : '[search(query="hello]world")]',
    tools: [search],
    reply: [call('search', { query: 'hello]world' })],
  })),
  {
    id: 'AC30',
    title: 'code of several lines, with every bracket and quote there is',
    source: 'llama.cpp#25986, llama.cpp#21680',
    dialect: 'gemma4',
    text: `<|tool_call>call:write{content:<|"|>${gemmaCode}<|"|>,path:<|"|>f.py<|"|>}<tool_call|>`,
    tools: [write],
    reply: [call('write', { content: gemmaCode, path: 'f.py' })],
  },
])
