import { type AcceptanceCase, call, tool } from '../../../test/support/dialects/acceptance-case.ts'
import { testCases } from '../../../test/support/dialects/acceptance-table.ts'
import { clock, run, weather } from '../../../test/support/dialects/acceptance-tools.ts'
import type { JsonObject, JsonValue } from '../../conversation/index.ts'

/**
 * AC49 to AC54: replies that break off, and values of all types.
 *
 * AC49 as the protocols say it is in protocols/anthropic/reply/stream.test.ts ("leaves the JSON of a call that broke off
 * open") and in encode.test.ts of both protocols (the tables from finish reason to the client's word); the truth of the
 * finish event itself is compared in every case of every table here.
 *
 * AC55, grammars that the engine runs into a dead end, belongs to the grammar printers: there is no grammar to test yet.
 */

const paris = call('get_weather', { city: 'Paris' })
const hermesParis = '<tool_call>\n{"name": "get_weather", "arguments": {"city": "Paris"}}\n</tool_call>'
const cutHermes = '<tool_call>\n{"name": "get_weather", "arguments": {"city": "Par'
const cutQwen = '<tool_call>\n<function=run>\n<parameter=command>\nls -l'
const harmonyHeader = '<|channel|>commentary to=functions.get_weather <|constrain|>json<|message|>'

testCases('a reply that breaks off says so, and keeps what there is', [
  {
    id: 'AC49a',
    title: 'a whole call before the limit does not hide that the reply was cut',
    source: 'vllm#53269, vllm#9053',
    dialect: 'hermes',
    text: `${hermesParis}\nAnd the`,
    tools: [weather],
    end: 'length',
    reply: [paris, 'And the'],
  },
  {
    id: 'AC49b',
    title: 'a call that the limit cuts is not complete',
    source: 'vllm#47903, vllm PR#47963',
    dialect: 'hermes',
    text: cutHermes,
    tools: [weather],
    end: 'length',
    reply: [{ call: 'get_weather', begun: '{"city":"Par' }],
    whole: [cutHermes],
  },
  {
    id: 'AC50a',
    title: 'a cut in the arguments',
    source: 'vllm#37937',
    dialect: 'harmony',
    text: `${harmonyHeader}{"city": "Par`,
    tools: [weather],
    end: 'length',
    reply: [{ call: 'get_weather', begun: '{"city":"Par' }],
    whole: [`${harmonyHeader}{"city": "Par`],
  },
  {
    id: 'AC50b',
    title: 'a cut in the header',
    source: 'vllm#37937',
    dialect: 'harmony',
    text: '<|channel|>commentary to=functions.get_wea',
    tools: [weather],
    end: 'length',
    reply: ['<|channel|>commentary to=functions.get_wea'],
    // A header that is no call yet is the format's as well.
    accept: [[]],
  },
  {
    id: 'AC51',
    title: 'a cut in the opening tag: it is text, streamed as whole',
    source: 'vllm#47137',
    dialect: 'hermes',
    text: 'Sure.<tool_call',
    tools: [weather],
    end: 'length',
    reply: ['Sure.<tool_call'],
  },
  {
    id: 'AC52a',
    title: 'JSON that ends in a string though the model was done',
    source: 'ollama#14570, ollama#14986',
    dialect: 'hermes',
    text: cutHermes,
    tools: [weather],
    reply: [{ call: 'get_weather', begun: '{"city":"Par' }],
    whole: [cutHermes],
  },
  {
    id: 'AC52b',
    title: 'tags that end in a value though the model was done',
    source: 'ollama#18563, ollama#17276',
    dialect: 'qwen3-coder',
    text: cutQwen,
    tools: [run],
    reply: [{ call: 'run', begun: '{"command":"ls -l' }],
    whole: [cutQwen],
  },
  {
    id: 'AC52c',
    title: 'a parameter that the end of the call closes',
    source: 'ollama#14834',
    dialect: 'qwen3-coder',
    text: '<tool_call>\n<function=run>\n<parameter=command>\nls\n</function>\n</tool_call>',
    tools: [run],
    reply: [call('run', { command: 'ls' })],
  },
  {
    id: 'AC52d',
    title: 'a < that begins no tag',
    source: 'ollama#12380',
    dialect: 'qwen3-coder',
    text: '<tool_call>\n<function=run>\n<parameter=command>\nif [ 1 < 2 ]; then cat <<EOF && x <- "</a"\n</parameter>\n</function>\n</tool_call>',
    tools: [run],
    reply: [call('run', { command: 'if [ 1 < 2 ]; then cat <<EOF && x <- "</a"' })],
  },
  {
    id: 'AC53a',
    title: 'a name whose arguments never come whole is a call that is not complete',
    source: 'sglang PR#32861',
    dialect: 'mistral',
    text: '[TOOL_CALLS]get_weather[ARGS]{"city": "Par',
    tools: [weather],
    reply: [{ call: 'get_weather', begun: '{"city":"Par' }],
    whole: ['[TOOL_CALLS]get_weather[ARGS]{"city": "Par'],
  },
  {
    id: 'AC53b',
    title: 'text after a call is kept',
    source: 'sglang PR#32861',
    dialect: 'deepseek-v3.1',
    text: '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>get_time<｜tool▁sep｜>{"tz": "UTC"}<｜tool▁call▁end｜><｜tool▁calls▁end｜>I wait.',
    tools: [clock],
    reply: [call('get_time', { tz: 'UTC' }), 'I wait.'],
  },
])

interface Typing {
  of: string
  source: string
  schema: JsonObject
  written: string
  value: JsonValue
  /** The value for Python calls, as the model writes it there; absent if Python itself determines the type. */
  python?: string
}

const orNull = { anyOf: [{ type: 'integer' }, { type: 'null' }] }
const typings: readonly Typing[] = [
  { of: 'integer or null', source: 'vllm PR#37831', schema: orNull, written: '5', value: 5, python: '5' },
  {
    of: 'null of integer or null',
    source: 'vllm PR#37831',
    schema: orNull,
    written: 'null',
    value: null,
    python: 'null',
  },
  { of: 'None of integer or null', source: 'vllm#38885', schema: orNull, written: 'None', value: null, python: 'None' },
  { of: 'a reference', source: 'vllm PR#37831', schema: { $ref: '#/$defs/Count' }, written: '5', value: 5 },
  { of: 'a reference to text', source: 'vllm PR#37831', schema: { $ref: '#/$defs/Label' }, written: '5', value: '5' },
  { of: 'a list of types', source: 'vllm PR#37831', schema: { type: ['integer', 'null'] }, written: '7', value: 7 },
  {
    of: 'null of text or null',
    source: 'sglang PR#35914',
    schema: { type: ['string', 'null'] },
    written: 'null',
    value: null,
  },
  { of: 'text that reads null', source: 'sglang PR#35914', schema: { type: 'string' }, written: 'null', value: 'null' },
  { of: 'text of digits', source: 'vllm#47557', schema: { type: 'string' }, written: '5', value: '5' },
  { of: 'a value without a type', source: 'vllm#47557', schema: {}, written: '5', value: 5, python: '5' },
  { of: 'text without a type', source: 'vllm#47557', schema: {}, written: 'five', value: 'five' },
  { of: 'a number', source: 'vllm#49316', schema: { type: 'number' }, written: '-74.5', value: -74.5, python: '-74.5' },
  {
    of: 'a boolean',
    source: 'vllm#49316',
    schema: { type: 'boolean' },
    written: 'false',
    value: false,
    python: 'false',
  },
  {
    of: 'a Python boolean',
    source: 'vllm#49316',
    schema: { type: 'boolean' },
    written: 'True',
    value: true,
    python: 'True',
  },
  {
    of: 'an object',
    source: 'vllm#49316',
    schema: { type: 'object' },
    written: '{"a": [1, null]}',
    value: { a: [1, null] },
    python: '{"a": [1, None]}',
  },
  {
    of: 'a date for an integer',
    source: 'mlx-lm PR#1330',
    schema: { type: 'integer' },
    written: '2026-01-15',
    value: '2026-01-15',
  },
  {
    of: 'text of an XML document',
    source: 'continue#10896',
    schema: { type: 'string' },
    written: 'a < b && c > d &amp; <e/>',
    value: 'a < b && c > d &amp; <e/>',
  },
]

function typingCases(
  dialect: AcceptanceCase['dialect'],
  letter: string,
  write: (typing: Typing) => string | undefined,
): AcceptanceCase[] {
  return typings.flatMap((typing, index): AcceptanceCase[] => {
    const text = write(typing)
    if (text === undefined) return []
    const offered = tool('set', { v: typing.schema })
    const $defs = { Count: { type: 'integer' }, Label: { type: 'string' } }
    return [
      {
        id: `AC54${letter}${index + 1}`,
        title: `${typing.of}: ${typing.written}`,
        source: typing.source,
        dialect,
        text,
        tools: [{ ...offered, schema: { ...offered.schema, $defs } }],
        reply: [call('set', { v: typing.value })],
      },
    ]
  })
}

testCases('values have the types that the schema gives them', [
  ...typingCases(
    'qwen3-coder',
    'a',
    ({ written }) => `<tool_call>\n<function=set>\n<parameter=v>\n${written}\n</parameter>\n</function>\n</tool_call>`,
  ),
  ...typingCases(
    'glm',
    'b',
    ({ written }) => `<tool_call>set\n<arg_key>v</arg_key>\n<arg_value>${written}</arg_value>\n</tool_call>`,
  ),
  ...typingCases('lfm2', 'c', ({ python }) =>
    python === undefined ? undefined : `<|tool_call_start|>[set(v=${python})]<|tool_call_end|>`,
  ),
])
