import { call, tool } from '../../../test/support/dialects/acceptance-case.ts'
import { testCases } from '../../../test/support/dialects/acceptance-table.ts'
import { forecast, now, weather, write } from '../../../test/support/dialects/acceptance-tools.ts'

/**
 * P01 to P19, and P20 to P28 in probes-formats.test.ts: inputs on which two other readers were measured, llama.cpp's and that of @ai-sdk-tool/parser 4.1.26. Each
 * was lost, thrown at or broken by one of them at least.
 */

const source = 'measured'
const paris = call('get_weather', { city: 'Paris' })
const call1 = '{"name": "get_weather", "arguments": {"city": "Paris"}}'
const call2 = '{"name": "get_weather", "arguments": {"city": "Tokyo"}}'
const hermes = (json: string) => `<tool_call>\n${json}\n</tool_call>`
const qwen = (...parameters: [key: string, value: string][]) => {
  const tags = parameters.map(([key, value]) => `<parameter=${key}>\n${value}\n</parameter>\n`)
  return `<tool_call>\n<function=forecast>\n${tags.join('')}</function>\n</tool_call>`
}
const cut = '<tool_call>\n{"name": "get_weather", "arguments": {"city": "Par'
const unknown = hermes('{"name": "get_stocks", "arguments": {"city": "Paris"}}')
const loose = tool('set', {
  nullable: { type: ['integer', 'null'] },
  either: { anyOf: [{ type: 'integer' }, { type: 'null' }] },
  any: {},
})

const onHermes = { source, dialect: 'hermes', tools: [weather] } as const
const onQwen = { source, dialect: 'qwen3-coder', tools: [forecast, write, loose] } as const
const onGlm = { source, dialect: 'glm', tools: [forecast, now] } as const

testCases('probes on which others fail: JSON in tags', [
  {
    ...onHermes,
    id: 'P01',
    title: 'prose after a call',
    text: `${hermes(call1)}\nDone, thanks.`,
    reply: [paris, 'Done, thanks.'],
  },
  {
    ...onHermes,
    id: 'P02',
    title: 'the name after the arguments',
    text: hermes('{"arguments": {"city": "Paris"}, "name": "get_weather"}'),
    reply: [paris],
  },
  {
    ...onHermes,
    id: 'P03',
    title: 'arguments named parameters',
    text: hermes('{"name": "get_weather", "parameters": {"city": "Paris"}}'),
    reply: [paris],
  },
  {
    ...onHermes,
    id: 'P04',
    title: 'arguments as a string of JSON',
    text: hermes('{"name": "get_weather", "arguments": "{\\"city\\":\\"Paris\\"}"}'),
    reply: [paris],
  },
  {
    ...onHermes,
    id: 'P05',
    title: 'single quotes',
    text: hermes("{'name': 'get_weather', 'arguments': {'city': 'Paris'}}"),
    reply: [paris],
  },
  {
    ...onHermes,
    id: 'P06',
    title: 'a tool that is not offered',
    text: unknown,
    reply: [unknown],
    notices: ['unknown-tool'],
    rejected: ['get_stocks'],
  },
  {
    ...onHermes,
    id: 'P07',
    title: 'a bare line break in a string',
    text: hermes('{"name": "get_weather", "arguments": {"city": "Paris\nFrance"}}'),
    reply: [call('get_weather', { city: 'Paris\nFrance' })],
  },
  {
    ...onHermes,
    id: 'P08',
    title: 'a brace missing before the closing tag',
    text: hermes('{"name": "get_weather", "arguments": {"city": "Paris"}'),
    reply: [paris],
  },
  {
    ...onHermes,
    id: 'P09',
    title: 'a cut in a string',
    text: cut,
    end: 'length',
    reply: [{ call: 'get_weather', begun: '{"city":"Par' }],
    whole: [cut],
  },
  { ...onHermes, id: 'P10', title: 'no closing tag', text: `<tool_call>\n${call1}`, reply: [paris] },
  {
    ...onHermes,
    id: 'P11a',
    title: 'calls without line breaks',
    text: `<tool_call>${call1}</tool_call><tool_call>${call2}</tool_call>`,
    reply: [paris, call('get_weather', { city: 'Tokyo' })],
  },
  {
    ...onHermes,
    id: 'P11b',
    title: 'calls without line breaks, the last without its closing tag',
    text: `<tool_call>${call1}</tool_call><tool_call>${call2}`,
    reply: [paris, call('get_weather', { city: 'Tokyo' })],
  },
])

testCases('probes on which others fail: parameters in tags', [
  {
    ...onQwen,
    id: 'P12',
    title: 'no line breaks',
    text: '<tool_call><function=forecast><parameter=city>Paris</parameter><parameter=days>3</parameter></function></tool_call>',
    reply: [call('forecast', { city: 'Paris', days: 3 })],
  },
  {
    ...onQwen,
    id: 'P13a',
    title: 'a parameter that the schema does not have',
    text: qwen(['city', 'Paris'], ['mood', 'good']),
    reply: [call('forecast', { city: 'Paris', mood: 'good' })],
  },
  {
    ...onQwen,
    id: 'P13b',
    title: 'a word for an integer',
    text: qwen(['city', 'Paris'], ['days', 'many']),
    reply: [call('forecast', { city: 'Paris', days: 'many' })],
  },
  {
    ...onQwen,
    id: 'P13c',
    title: 'a required parameter missing',
    text: qwen(['days', '3']),
    reply: [call('forecast', { days: 3 })],
  },
  {
    ...onQwen,
    id: 'P13d',
    title: 'a parameter closed twice',
    text: qwen(['city', 'Paris\n</parameter>'], ['days', '3']),
    reply: [call('forecast', { city: 'Paris', days: 3 })],
  },
  {
    ...onQwen,
    id: 'P14',
    title: 'a closing tag within the value',
    text: '<tool_call>\n<function=write>\n<parameter=content>\nuse </parameter> to close\n</parameter>\n</function>\n</tool_call>',
    reply: [call('write', { content: 'use </parameter> to close' })],
  },
  {
    ...onQwen,
    id: 'P15',
    title: 'null where it is allowed, and a number without a type',
    text: '<tool_call>\n<function=set>\n<parameter=nullable>\nnull\n</parameter>\n<parameter=either>\nnull\n</parameter>\n<parameter=any>\n5\n</parameter>\n</function>\n</tool_call>',
    reply: [call('set', { nullable: null, either: null, any: 5 })],
  },
  {
    ...onQwen,
    id: 'P16',
    title: 'True for a boolean',
    text: qwen(['city', 'Paris'], ['hourly', 'True']),
    reply: [call('forecast', { city: 'Paris', hourly: true })],
  },
  {
    ...onQwen,
    id: 'P17',
    title: 'prose after a call',
    text: `${qwen(['city', 'Paris'])}\nDone, thanks.`,
    reply: [call('forecast', { city: 'Paris' }), 'Done, thanks.'],
  },
  {
    ...onQwen,
    id: 'P18',
    title: 'a stray closing tag after a bare call',
    text: '<function=forecast>\n<parameter=city>\nParis\n</parameter>\n</function>\n</tool_call>',
    reply: [call('forecast', { city: 'Paris' })],
  },
  {
    ...onGlm,
    id: 'P19a',
    title: 'no line breaks',
    text: '<tool_call>forecast<arg_key>city</arg_key><arg_value>Paris</arg_value><arg_key>days</arg_key><arg_value>3</arg_value></tool_call>',
    reply: [call('forecast', { city: 'Paris', days: 3 })],
  },
  {
    ...onGlm,
    id: 'P19b',
    title: 'a key closed twice',
    text: '<tool_call>forecast<arg_key>city</arg_key></arg_key><arg_value>Paris</arg_value></tool_call>',
    reply: [call('forecast', { city: 'Paris' })],
  },
  {
    ...onGlm,
    id: 'P19c',
    title: 'a key that was never opened',
    text: '<tool_call>forecast<arg_key>city</arg_key><arg_value>Paris</arg_value>days</arg_key><arg_value>3</arg_value></tool_call>',
    reply: [call('forecast', { city: 'Paris', days: 3 })],
  },
])
