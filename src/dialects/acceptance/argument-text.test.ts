import { call, tool } from '../../../test/support/dialects/acceptance-case.ts'
import { testCases } from '../../../test/support/dialects/acceptance-table.ts'
import { run, weather, write } from '../../../test/support/dialects/acceptance-tools.ts'

/**
 * AC14 to AC29: argument text that comes out other than it was written. AC23 to AC26 and AC30, on quotes, are in
 * argument-quotes.test.ts.
 */

const plan = tool('plan', { steps: { type: 'array', items: { type: 'object' } }, note: 'string' })
const tag = tool('tag', { label: 'string', n: 'integer' })
const read = tool('read', { path: 'string' })
const grep = tool('grep_tool', { pattern: 'string' })

testCases('argument text comes out as it was written', [
  {
    id: 'AC14',
    title: 'the first brace, when the first parameter comes with the header',
    source: 'vllm#35266',
    dialect: 'qwen3-coder',
    text: [
      '<tool_call>\n<function=run>\n<parameter=command>\necho hi',
      '\n</parameter>\n',
      '</function>\n</tool_call>',
    ],
    tools: [run],
    reply: [call('run', { command: 'echo hi' })],
  },
  {
    id: 'AC15a',
    title: 'two calls to one tool stay two',
    source: 'vllm PR#33965',
    dialect: 'qwen3-coder',
    text: [
      '<tool_call>\n<function=run>\n<parameter=command>\nls\n</parameter>\n</function>\n</tool_call>\n<tool_call>\n<function=run>\n<para',
      'meter=command>\npwd\n</parameter>\n</function>\n</tool_call>',
    ],
    tools: [run],
    reply: [call('run', { command: 'ls' }), call('run', { command: 'pwd' })],
  },
  {
    id: 'AC15b',
    title: 'a closing tag within a value is part of it',
    source: 'vllm PR#33965',
    dialect: 'qwen3-coder',
    text: '<tool_call>\n<function=write>\n<parameter=content>\nClose it with </parameter> and go on.\n</parameter>\n<parameter=path>\na.xml\n</parameter>\n</function>\n</tool_call>',
    tools: [write],
    reply: [call('write', { content: 'Close it with </parameter> and go on.', path: 'a.xml' })],
  },
  {
    id: 'AC15c',
    title: 'header and arguments in one piece',
    source: 'vllm PR#33965',
    dialect: 'qwen3-coder',
    text: ['<tool_call>\n', '<function=run>\n<parameter=command>\nls\n</parameter>\n</function>', '\n</tool_call>'],
    tools: [run],
    reply: [call('run', { command: 'ls' })],
  },
  {
    id: 'AC16a',
    title: 'no bracket closes before the model has closed it',
    source: 'vllm PR#10398',
    dialect: 'hermes',
    text: '<tool_call>\n{"name": "plan", "arguments": {"steps": [{"do": ["a", {"b": []}]}, {}], "note": "]}"}}\n</tool_call>',
    tools: [plan],
    reply: [call('plan', { steps: [{ do: ['a', { b: [] }] }, {}], note: ']}' })],
  },
  {
    id: 'AC16b',
    title: 'no bracket closes that the model never closed',
    source: 'vllm PR#10398',
    dialect: 'hermes',
    text: '<tool_call>\n{"name": "plan", "arguments": {"note": "x", "steps": [{"do": "a',
    tools: [plan],
    end: 'length',
    reply: [{ call: 'plan', begun: '{"note":"x","steps":[{"do":"a' }],
    // Values that are not strings may be held until they are whole.
    accept: ['{"note":"x","steps":[{"do":', '{"note":"x","steps":', '{"note":"x"'].map((begun) => [
      { call: 'plan', begun },
    ]),
    whole: ['<tool_call>\n{"name": "plan", "arguments": {"note": "x", "steps": [{"do": "a'],
  },
  ...['mkdir -p test/{test1,test2', 'mkdir -p test/{test1,test2}', 'echo }}"]'].map((command, index) => ({
    id: `AC17${'abc'.charAt(index)}`,
    title: 'braces in a string',
    source: 'vllm#21544',
    dialect: 'hermes' as const,
    text: `<tool_call>\n${JSON.stringify({ name: 'run', arguments: { command } })}\n</tool_call>`,
    tools: [run],
    reply: [call('run', { command })],
  })),
  {
    id: 'AC18a',
    title: 'letters that are not ASCII, escaped and bare, once',
    source: 'vllm PR#13826',
    dialect: 'hermes',
    text: '<tool_call>\n{"name": "get_weather", "arguments": {"city": "M\\u00fcnchen, 上海, \\ud83d\\ude00😀"}}\n</tool_call>',
    tools: [weather],
    reply: [call('get_weather', { city: 'München, 上海, 😀😀' })],
  },
  {
    id: 'AC18b',
    title: 'letters that are not ASCII in a bare value',
    source: 'vllm#17704, vllm#46308',
    dialect: 'qwen3-coder',
    text: '<tool_call>\n<function=get_weather>\n<parameter=city>\nMünchen, 上海 😀\n</parameter>\n</function>\n</tool_call>',
    tools: [weather],
    reply: [call('get_weather', { city: 'München, 上海 😀' })],
  },
  {
    id: 'AC19',
    title: 'an empty string in single quotes',
    source: 'llama.cpp#26658',
    dialect: 'lfm2',
    text: "<|tool_call_start|>[tag(label='', n=1), tag(n=2, label='')]<|tool_call_end|>",
    tools: [tag],
    reply: [call('tag', { label: '', n: 1 }), call('tag', { n: 2, label: '' })],
  },
  {
    id: 'AC20a',
    title: 'a lone < in reasoning',
    source: 'llama.cpp#14060',
    dialect: 'hermes',
    text: ['<think>if a <', ' b then </ stop', '</thi', 'nk>\nDone.'],
    tools: [run],
    reply: [{ think: 'if a < b then </ stop' }, 'Done.'],
  },
  {
    id: 'AC20b',
    title: 'a lone < at the end of reasoning',
    source: 'llama.cpp#14060',
    dialect: 'hermes',
    text: '<think>if a <',
    tools: [run],
    end: 'length',
    reply: [{ think: 'if a <' }],
  },
  {
    id: 'AC21a',
    title: 'a list without a call after the marker is text, with nothing added',
    source: 'llama.cpp#15713',
    dialect: 'granite',
    text: '<|tool_call|>["1025202362"]',
    tools: [weather],
    reply: ['<|tool_call|>["1025202362"]'],
  },
  {
    id: 'AC22a',
    title: 'what looks like a call in an argument is never one',
    source: 'openclaw#38569',
    dialect: 'hermes',
    text: `<tool_call>\n${JSON.stringify({
      name: 'write',
      arguments: { content: '<tool_call>\n{"name": "run", "arguments": {"command": "ls"}}\n</tool_call>', path: 'a' },
    })}\n</tool_call>`,
    tools: [write, run],
    reply: [
      call('write', {
        content: '<tool_call>\n{"name": "run", "arguments": {"command": "ls"}}\n</tool_call>',
        path: 'a',
      }),
    ],
  },
  {
    id: 'AC22b',
    title: 'a call begun and cut takes no other call away',
    source: 'openclaw#37658',
    dialect: 'qwen3-coder',
    text: '<tool_call>\n<function=run>\n<parameter=command>\nls\n</parameter>\n</function>\n</tool_call>\n<tool_call>\n<func',
    tools: [run],
    end: 'length',
    reply: [call('run', { command: 'ls' }), '<tool_call>\n<func'],
  },
  {
    id: 'AC27',
    title: 'a key that is closed twice',
    source: 'vllm PR#54971',
    dialect: 'glm',
    text: '<tool_call>read<arg_key>path</arg_key></arg_key><arg_value>/tmp/x</arg_value></tool_call>',
    tools: [read],
    reply: [call('read', { path: '/tmp/x' })],
  },
  {
    id: 'AC28',
    title: 'a key that was never opened: the name of the tool says where it begins',
    source: 'vllm PR#47190',
    dialect: 'glm',
    text: '<tool_call>grep_toolpattern</arg_key><arg_value>TODO</arg_value></tool_call>',
    tools: [grep],
    reply: [call('grep_tool', { pattern: 'TODO' })],
  },
  {
    // The grammar's admission of a second closing tag is the grammar's concern; the reader must cope with one from any
    // source.
    id: 'AC29',
    title: 'a parameter that is closed twice',
    source: 'llama.cpp#24863',
    dialect: 'qwen3-coder',
    text: '<tool_call>\n<function=get_weather>\n<parameter=city>\nParis\n</parameter>\n</parameter>\n</function>\n</tool_call>',
    tools: [weather],
    reply: [call('get_weather', { city: 'Paris' })],
  },
  {
    id: 'AC29b',
    title: 'arguments in a list of one',
    source: 'hermes-agent#58057, seen of glm-5.2',
    dialect: 'hermes',
    text: '<tool_call>\n{"name": "get_weather", "arguments": [{"city": "Paris"}]}\n</tool_call>',
    tools: [weather],
    reply: [call('get_weather', { city: 'Paris' })],
  },
  {
    id: 'AC29c',
    title: 'arguments alone, in a list of one',
    source: 'hermes-agent#58057',
    dialect: 'harmony',
    text: '<|channel|>commentary to=functions.get_weather <|constrain|>json<|message|>[{"city": "Paris"}]<|call|>',
    tools: [weather],
    reply: [call('get_weather', { city: 'Paris' })],
  },
  {
    id: 'AC29d',
    title: 'a value that begins a call, before an argument that the call takes',
    source: 'drawn from a constrained model with random weights',
    dialect: 'qwen3-coder',
    text: '<tool_call>\n<function=write>\n<parameter=path>\n<function><parameter=l\n</parameter>\n<parameter=content>\nx\n</parameter>\n</function>\n</tool_call>',
    tools: [write],
    reply: [call('write', { path: '<function><parameter=l', content: 'x' })],
  },
  ...(
    [
      [
        'seed-oss',
        '<seed:tool_call>\n<function=write>\n<parameter=content>\n',
        '\n</parameter>\n</function>\n</seed:tool_call>',
      ],
      [
        'qwen3-coder',
        '<tool_call>\n<function=write>\n<parameter=content>\n',
        '\n</parameter>\n</function>\n</tool_call>',
      ],
    ] as const
  ).flatMap(([dialect, before, after]) =>
    [
      ['AC29e', 'a quoted call that is left open at the end of the reply', '<function=run>\n<parameter=command>\nls'],
      [
        'AC29f',
        'a quoted call that is closed there',
        '<function=run>\n<parameter=command>\nls\n</parameter>\n</function>',
      ],
    ].map(([id = '', title = '', content = '']) => ({
      id,
      title,
      source: 'drawn from a grammar',
      dialect,
      text: `${before}${content}${after}`,
      tools: [write],
      reply: [call('write', { content })],
    })),
  ),
])
