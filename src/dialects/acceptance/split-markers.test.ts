import { call, tool } from '../../../test/support/dialects/acceptance-case.ts'
import { testCases } from '../../../test/support/dialects/acceptance-table.ts'
import { clock, now, weather } from '../../../test/support/dialects/acceptance-tools.ts'

/** AC02 to AC13: markers that are cut between pieces, and pieces that hold more than one thing. */

const paris = call('get_weather', { city: 'Paris' })
const utc = call('get_time', { tz: 'UTC' })
const add = tool('add', { a: 'number', b: 'number' })
const multiply = tool('multiply', { a: 'number', b: 'number' })
const hermesParis = '{"name": "get_weather", "arguments": {"city": "Paris"}}'
const hermesUtc = '{"name": "get_time", "arguments": {"tz": "UTC"}}'

const step3 = {
  call: (name: string, key: string, value: string) =>
    `<｜tool_call_begin｜>function<｜tool_sep｜><steptml:invoke name="${name}"><steptml:parameter name="${key}">${value}</steptml:parameter></steptml:invoke><｜tool_call_end｜>`,
}

testCases('markers cut between pieces, and pieces that hold several things', [
  {
    id: 'AC02',
    title: 'a call without parameters, and no part of its marker as text',
    source: 'sglang PR#36691',
    dialect: 'minimax-m2',
    text: [
      'One moment.',
      ...'<minimax:tool_call>',
      '\n<invoke name="get_current_time">\n</invoke>\n',
      ...'</minimax:tool_call>',
    ],
    tools: [now],
    reply: ['One moment.', call('get_current_time')],
  },
  {
    id: 'AC03',
    title: 'the second call of an array is not text',
    source: 'sglang PR#36692',
    dialect: 'mistral',
    text: '[TOOL_CALLS] [{"name": "get_weather", "arguments": {}}, {"name": "get_weather", "arguments": {}}]',
    tools: [weather],
    reply: [call('get_weather'), call('get_weather')],
  },
  {
    id: 'AC04a',
    title: 'text and a call in one piece',
    source: 'sglang PR#34898',
    dialect: 'mistral',
    text: 'Sure.\n[TOOL_CALLS]get_weather[ARGS]{"city":"SF"}',
    tools: [weather],
    reply: ['Sure.', call('get_weather', { city: 'SF' })],
  },
  {
    id: 'AC04b',
    title: 'prose after a call, wherever it is cut',
    source: 'sglang PR#34898',
    dialect: 'mistral',
    text: ['[TOOL_CALLS]get_weather[ARGS]{"city":"SF"}', '\nThat should be ', 'all.'],
    tools: [weather],
    reply: [call('get_weather', { city: 'SF' }), 'That should be all.'],
  },
  {
    id: 'AC05',
    title: 'two calls in one piece keep their own parameters',
    source: 'sglang PR#34925',
    dialect: 'step3',
    text: `<｜tool_calls_begin｜>${step3.call('get_weather', 'city', 'SF')}${step3.call('get_time', 'tz', 'UTC')}<｜tool_calls_end｜>`,
    tools: [weather, clock],
    reply: [call('get_weather', { city: 'SF' }), utc],
  },
  {
    id: 'AC06',
    title: 'the end of a call and the separator of the next in one piece',
    source: 'sglang PR#35153',
    dialect: 'deepseek-v3.1',
    text: [
      '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>get_weather<｜tool▁sep｜>{"city": "Par',
      'is"}<｜tool▁call▁end｜><｜tool▁call▁begin｜>get_time<｜tool▁sep｜>{"tz": "UTC"}',
      '<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
    ],
    tools: [weather, clock],
    reply: [paris, utc],
  },
  {
    id: 'AC07',
    title: 'all of three calls in one piece',
    source: 'sglang PR#31860',
    dialect: 'inkling',
    text: ['Paris', 'Tokyo', 'Lima']
      .map(
        (city) =>
          `<|message_model|>get_weather<|content_invoke_tool_json|>{"name":"get_weather","args":{"city":"${city}"}}<|end_message|>`,
      )
      .join(''),
    tools: [weather],
    reply: ['Paris', 'Tokyo', 'Lima'].map((city) => call('get_weather', { city })),
  },
  {
    id: 'AC08',
    title: 'the marker of the next call ends the arguments, also without [ARGS]',
    source: 'vllm#48318',
    dialect: 'mistral',
    text: 'I will help.[TOOL_CALLS]add{"a": 3.5, "b": 4}[TOOL_CALLS]multiply{"a": 3, "b": 6}',
    tools: [add, multiply],
    reply: ['I will help.', call('add', { a: 3.5, b: 4 }), call('multiply', { a: 3, b: 6 })],
  },
  {
    id: 'AC09',
    title: 'the arguments of the first of two calls that arrive together',
    source: 'vllm#41967',
    dialect: 'gemma4',
    text: [
      '<|tool_call>call:get_weather{city:<|"|>Par',
      'is<|"|>}<tool_call|><|tool_call>call:get_time{tz:<|"|>UTC<|"|>}<tool_call|>',
    ],
    tools: [weather, clock],
    reply: [paris, utc],
  },
  {
    id: 'AC10',
    title: 'arguments that arrive with their tags',
    source: 'vllm#55082',
    dialect: 'step3',
    text: [
      '<｜tool_calls_begin｜><｜tool_call_begin｜>function<｜tool_sep｜><steptml:invoke name="get_weather"><steptml:para',
      'meter name="city">Paris</steptml:parameter></steptml:invoke><｜tool_call_end｜>',
      '<｜tool_calls_end｜>',
    ],
    tools: [weather],
    reply: [paris],
  },
  ...[
    {
      title: 'reasoning, text and a marker',
      text: ['<think>plan', '</think> xxx<tool_call>', `\n${hermesParis}`, '\n</tool_call>'],
    },
    {
      title: 'a closing tag with text after it',
      text: ['<think>plan</think> xxx<tool_call>\n', hermesParis, '\n</tool_call>yyy'],
      after: 'yyy',
    },
    {
      title: 'a closing and an opening tag',
      text: [
        `<think>plan</think> xxx<tool_call>\n${hermesParis}\n`,
        '</tool_call><tool_call>',
        `${hermesUtc}\n</tool_call>`,
      ],
      second: true,
    },
    {
      title: 'the end of a name and the beginning of arguments',
      text: [
        '<think>plan</think> xxx',
        '<tool_call>\n{"name": "get_wea',
        'ther", "arguments": {"ci',
        'ty": "Paris"}}\n</tool_call>',
      ],
    },
    {
      title: 'the last brackets and a closing tag',
      text: [
        '<think>plan</think> xxx<tool_call>\n{"name": "get_weather", "arguments": {"city": "Par',
        'is"}}\n</tool_call>',
      ],
    },
    {
      title: 'a whole call and the next one begun',
      text: [
        '<think>plan</think> xxx',
        `<tool_call>\n${hermesParis}\n</tool_call>\n<tool_call>\n{"name": "get`,
        '_time", "arguments": {"tz": "UTC"}}\n</tool_call>',
      ],
      second: true,
    },
    {
      title: 'everything',
      text: [`<think>plan</think> xxx<tool_call>${hermesParis}</tool_call><tool_call>${hermesUtc}</tool_call>yyy`],
      second: true,
      after: 'yyy',
    },
  ].map(({ title, text, second, after }, index) => ({
    id: `AC11${'abcdefg'.charAt(index)}`,
    title: `a piece with ${title}`,
    source: 'rtp-llm PR#694',
    dialect: 'hermes' as const,
    text,
    tools: [weather, clock],
    reply: [{ think: 'plan' }, 'xxx', paris, ...(second ? [utc] : []), after ?? ''],
  })),
  {
    id: 'AC12a',
    title: 'a marker whose last character comes with what follows',
    source: 'exo#2233',
    dialect: 'hermes',
    text: ['Yes.<tool_call', `>\n${hermesParis}\n</tool_`, 'call', '>\nDone'],
    tools: [weather],
    reply: ['Yes.', paris, 'Done'],
  },
  {
    id: 'AC12b',
    title: 'tags whose last characters come with what follows',
    source: 'mlx-lm#1335',
    dialect: 'qwen3-coder',
    text: [
      '<tool_call',
      '>\n<function',
      '=get_weather',
      '>\n<parameter',
      '=city',
      '>\nParis\n</parameter',
      '>\n</function',
      '>\n</tool_call',
      '>',
    ],
    tools: [weather],
    reply: [paris],
  },
  {
    id: 'AC13',
    title: 'a marker between name and arguments that is cut',
    source: 'Rapid-MLX#579',
    dialect: 'mistral',
    text: ['[TOOL_CALLS]get_weather[', 'ARGS', ']{"', 'city": "Paris', '"}'],
    tools: [weather],
    reply: [paris],
  },
])
