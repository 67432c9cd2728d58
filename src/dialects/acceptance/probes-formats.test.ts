import { call } from '../../../test/support/dialects/acceptance-case.ts'
import { testCases } from '../../../test/support/dialects/acceptance-table.ts'
import { weather } from '../../../test/support/dialects/acceptance-tools.ts'

/** P20 to P28: the probes of probes.test.ts for formats other than Hermes, Qwen and GLM. */

const source = 'measured'
const paris = call('get_weather', { city: 'Paris' })
const call1 = '{"name": "get_weather", "arguments": {"city": "Paris"}}'

const kimi = (section: string) =>
  `<|tool_${section}_section_begin|><|tool_call_begin|>get_weather:0<|tool_call_argument_begin|>{"city": "Paris"}<|tool_call_end|><|tool_${section}_section_end|>`
const deepseek = (between: string, after: string) =>
  `<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>get_weather<｜tool▁sep｜>${between}{"city": "Paris"}<｜tool▁call▁end｜><｜tool▁calls▁end｜>${after}`

testCases('probes on which others fail: other formats', [
  {
    id: 'P20',
    title: 'an answer in JSON is text',
    source,
    dialect: 'llama-json',
    tools: [weather],
    text: '{"temperature": 21}',
    reply: ['{"temperature": 21}'],
  },
  {
    id: 'P21',
    title: 'no marker as text',
    source,
    dialect: 'llama-json',
    tools: [weather],
    text: '<|python_tag|>{"name": "get_weather", "parameters": {"city": "Paris"}}',
    reply: [paris],
  },
  {
    id: 'P22',
    title: 'two calls joined by a semicolon',
    source,
    dialect: 'llama-json',
    tools: [weather],
    text: '{"name": "get_weather", "parameters": {"city": "Paris"}}; {"name": "get_weather", "parameters": {"city": "Tokyo"}}',
    reply: [paris, call('get_weather', { city: 'Tokyo' })],
  },
  {
    id: 'P23',
    title: 'a list of calls without ids',
    source,
    dialect: 'mistral',
    tools: [weather],
    text: `[TOOL_CALLS][${call1}]`,
    reply: [paris],
  },
  {
    id: 'P24a',
    title: 'an id without its name space',
    source,
    dialect: 'kimi-k2',
    tools: [weather],
    text: kimi('calls'),
    reply: [paris],
  },
  {
    id: 'P24b',
    title: 'a section in the singular',
    source,
    dialect: 'kimi-k2',
    tools: [weather],
    text: kimi('call'),
    reply: [paris],
  },
  {
    id: 'P25a',
    title: 'a line break after the separator',
    source,
    dialect: 'deepseek-v3.1',
    tools: [weather],
    text: deepseek('\n', ''),
    reply: [paris],
  },
  {
    id: 'P25b',
    title: 'text after the calls',
    source,
    dialect: 'deepseek-v3.1',
    tools: [weather],
    text: deepseek('', '\nI wait.'),
    reply: [paris, 'I wait.'],
  },
  {
    id: 'P26',
    title: 'plain quotes',
    source,
    dialect: 'gemma4',
    tools: [weather],
    text: '<|tool_call>call:get_weather{city:"Paris"}<tool_call|>',
    reply: [paris],
  },
  {
    id: 'P27',
    title: 'a bare line break in a string, and prose',
    source,
    dialect: 'lfm2',
    tools: [weather],
    text: '<|tool_call_start|>[get_weather(city="Paris\nFrance")]<|tool_call_end|>I wait.',
    reply: [call('get_weather', { city: 'Paris\nFrance' }), 'I wait.'],
  },
  {
    id: 'P28',
    title: 'a call as its format says',
    source,
    dialect: 'solar-open',
    tools: [weather],
    text: '<|tool_calls|><|tool_call:begin|>call00001<|tool_call:name|>get_weather<|tool_call:args|>{"city":"Paris"}<|tool_call:end|>',
    reply: [paris],
    notices: [],
  },
  {
    id: 'P33',
    title: 'a recipient in the role after another message',
    source,
    dialect: 'universal',
    tools: [weather],
    text: '<|channel|>commentary<|message|>Sure.<|end|><|start|>assistant to=functions.get_weather<|channel|>commentary json<|message|>{"city": "Paris"}<|call|>',
    reply: ['Sure.', paris],
  },
  {
    id: 'P34',
    title: 'the kind of content of an answer is no text',
    source,
    dialect: 'harmony',
    tools: [weather],
    text: '<|channel|>final <|constrain|>JSON<|message|>{"a": 1}<|return|>',
    reply: ['{"a": 1}'],
  },
  {
    id: 'P35',
    title: 'markers whose words are parted as in Markdown',
    source,
    dialect: 'deepseek-v3.1',
    tools: [weather],
    text: '<｜tool\\_calls\\_begin｜><｜tool\\_call\\_begin｜>get_weather<｜tool\\_sep｜>{"city": "Paris"}<｜tool\\_call\\_end｜><｜tool\\_calls\\_end｜>',
    reply: [paris],
  },
  {
    id: 'P36',
    title: 'Python between the tags of Hermes',
    source,
    dialect: 'universal',
    tools: [weather],
    text: '<tool_call>get_weather(city="Paris")</tool_call>',
    reply: [paris],
  },
  {
    id: 'P37',
    title: 'the end of a section whose beginning is missing',
    source,
    dialect: 'universal',
    tools: [weather],
    text: '<invoke name="get_weather"><parameter name="city">Paris</parameter></invoke>\n</minimax:tool_call>',
    reply: [paris],
  },
])
