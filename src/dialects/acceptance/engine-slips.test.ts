import { type AcceptanceCase, call, tool } from '../../../test/support/dialects/acceptance-case.ts'
import { testCases } from '../../../test/support/dialects/acceptance-table.ts'
import { clock, forecast, weather } from '../../../test/support/dialects/acceptance-tools.ts'

/** Slips in the tests of vLLM's parsers, with other arguments. */

const bonn = call('get_weather', { city: 'Bonn' })
const oslo = call('get_weather', { city: 'Oslo' })
const json = (city: string) => `{"name": "get_weather", "arguments": {"city": "${city}"}}`
const stepInvoke =
  '<steptml:invoke name="get_weather"><steptml:parameter name="city">Bonn</steptml:parameter></steptml:invoke>'

testCases("slips that engines' parsers know", [
  {
    id: 'ES01a',
    title: 'no word for the kind of tool, and the separator between calls',
    source: 'vLLM test_step3_tool_parser',
    dialect: 'step3',
    tools: [weather],
    text: `<｜tool_calls_begin｜><｜tool_call_begin｜>${stepInvoke}<｜tool_call_end｜><｜tool_sep｜><｜tool_call_begin｜>${stepInvoke.replace('Bonn', 'Oslo')}<｜tool_call_end｜><｜tool_calls_end｜>`,
    reply: [bonn, oslo],
  },
  {
    id: 'ES01b',
    title: "the tool's name in the line of its kind",
    source: 'vLLM test_step3_tool_parser',
    dialect: 'step3',
    tools: [weather],
    text: `So.\n<｜tool_calls_begin｜><｜tool_call_begin｜>function<｜tool_sep｜>get_weather\n${stepInvoke}<｜tool_call_end｜><｜tool_calls_end｜>`,
    reply: ['So.', bonn],
  },
  {
    id: 'ES02a',
    title: 'no blank between the name of a tag and its attribute',
    source: 'vLLM test_minicpm5xml_tool_parser',
    dialect: 'minicpm5',
    tools: [forecast],
    text: '<functionname="forecast"><paramname="city">Bonn</param><paramname="days">3</param></function>',
    reply: [call('forecast', { city: 'Bonn', days: 3 })],
  },
  {
    id: 'ES02b',
    title: 'the blank as byte-level tokenizers have it',
    source: 'vLLM test_minicpm5xml_tool_parser',
    dialect: 'minicpm5',
    tools: [weather],
    text: '<function\u0120name="get_weather"><param\u0120name="city">Bonn</param></function>',
    reply: [bonn],
  },
  {
    id: 'ES03',
    title: 'all arguments under the word of the schema',
    source: 'vLLM test_minicpm5xml_tool_parser',
    dialect: 'minicpm5',
    tools: [weather],
    text: `<function name="get_weather"><param name="properties">{'city': 'Bonn'}</param></function>`,
    reply: [bonn],
  },
  {
    id: 'ES04',
    title: 'reasoning between tokens',
    source: 'vLLM test_solar_open2_tool_parser',
    dialect: 'solar-open2',
    tools: [weather],
    text: '<|think:start|>Bonn.<|think:end|>So.<|tool_call:start|>get_weather\n<|tool_arg:start|>city<|tool_arg:value|>Bonn<|tool_arg:end|>\n<|tool_call:end|>',
    reply: [{ think: 'Bonn.' }, 'So.', bonn],
  },
  {
    id: 'ES05',
    title: 'an argument without a value',
    source: 'vLLM test_gemma4_tool_parser',
    dialect: 'gemma4',
    tools: [tool('note', { title: 'string', text: 'string' })],
    text: '<|tool_call>call:note{title:,text:<|"|>x<|"|>}<tool_call|>',
    reply: [call('note', { title: '', text: 'x' })],
  },
  {
    id: 'ES06',
    title: 'semicolons between calls after words',
    source: 'vLLM test_llama3_json_tool_parser',
    dialect: 'universal',
    tools: [weather],
    text: `Both: ${json('Bonn')}; ${json('Oslo')}`,
    reply: ['Both:', bonn, oslo],
  },
  {
    id: 'ES07a',
    title: 'a bracket too many before the closing parenthesis',
    source: 'vLLM test_olmo3_tool_parser',
    dialect: 'olmo3',
    tools: [weather],
    text: '<function_calls>get_weather(city="Bonn"])</function_calls>',
    reply: [bonn],
  },
  {
    id: 'ES07b',
    title: 'the same in a bare list',
    source: 'vLLM test_pythonic_tool_parser',
    dialect: 'pythonic',
    tools: [weather],
    text: '[get_weather(city="Bonn"])]',
    reply: [bonn],
  },
  {
    id: 'ES08',
    title: 'marks around what is cited',
    source: 'vLLM test_cohere_command_tool_parser',
    dialect: 'cohere',
    tools: [weather],
    text: '<|START_RESPONSE|>It is <co>12 degrees</co: 0:[1,2],1:[3]> in Bonn.<|END_RESPONSE|>',
    reply: ['It is 12 degrees in Bonn.'],
  },
  {
    id: 'ES09',
    title: 'blanks next to special tokens',
    source: 'vLLM test_kimi_k3_tool_parser',
    dialect: 'kimi-k3',
    tools: [weather],
    text: '<|open|> response <|sep|>Hello.<|close|> response <|sep|>',
    reply: ['Hello.'],
  },
])

const nothing: readonly Pick<AcceptanceCase, 'dialect' | 'text'>[] = [
  { dialect: 'lfm2', text: '<|tool_call_start|>[ ]<|tool_call_end|>' },
  { dialect: 'jamba', text: '<tool_calls>[]</tool_calls>' },
  { dialect: 'nemotron-nano', text: '<TOOLCALL>[]</TOOLCALL>' },
  { dialect: 'mistral', text: '[TOOL_CALLS][]' },
  { dialect: 'granite', text: '<|tool_call|>[]' },
  { dialect: 'apertus', text: '<|tools_prefix|>[]<|tools_suffix|>' },
  { dialect: 'cohere', text: '<|START_ACTION|>[]<|END_ACTION|>' },
  // vllm#56184: a section without anything in it.
  { dialect: 'dsml', text: '<｜DSML｜tool_calls>\n</｜DSML｜tool_calls>' },
  { dialect: 'dsml-spaced', text: '<｜DSML｜ calls>\n</｜DSML｜ calls>' },
  { dialect: 'deepseek-v3', text: '<｜tool▁calls▁begin｜><｜tool▁calls▁end｜>' },
  { dialect: 'deepseek-v3.1', text: '<｜tool▁calls▁begin｜>[]<｜tool▁calls▁end｜>' },
  { dialect: 'step3', text: '<｜tool_calls_begin｜>\n<｜tool_calls_end｜>' },
]

testCases(
  'lists of no calls',
  nothing.map(({ dialect, text }, index) => ({
    id: `ES10-${index}`,
    title: `of ${dialect}`,
    source: 'vLLM test_lfm2_tool_parser',
    dialect,
    tools: [clock],
    text: `Hello.\n${text}`,
    reply: ['Hello.'],
  })),
)

testCases('calls with a slip', [
  {
    id: 'ES11a',
    title: 'a delimiter after a string in ordinary quotes',
    source: 'ollama#15315',
    dialect: 'gemma4',
    tools: [tool('find', { expression: 'string', limit: 'integer' })],
    text: `<|tool_call>call:find{expression:':\\s*\\w+'<|"|>,limit:3}<tool_call|>`,
    reply: [call('find', { expression: ':\\s*\\w+', limit: 3 })],
    notices: ['repaired'],
  },
  {
    id: 'ES11d',
    title: 'keys with blanks, without quotes',
    source: 'workflow JSON in arguments, as Gemma 4 writes objects',
    dialect: 'gemma4',
    tools: [tool('save', { nodes: 'object' })],
    text: '<|tool_call>call:save{nodes:{Basic LLM Chain:{to:<|"|>b<|"|>},3rd step (last): [1, 2],plain:{x:1}}}<tool_call|>',
    reply: [call('save', { nodes: { 'Basic LLM Chain': { to: 'b' }, '3rd step (last)': [1, 2], plain: { x: 1 } } })],
  },
  {
    id: 'ES11b',
    title: "Llama 3's JSON between Llama 4's markers of code",
    source: 'vllm#46863',
    dialect: 'pythonic',
    tools: [weather],
    text: `<|python_start|>{"type": "function", "name": "get_weather", "parameters": {"city": "Bonn"}}<|python_end|>`,
    reply: [bonn],
  },
  {
    id: 'ES11c',
    title: "the turn's end of Step-Audio 2",
    source: "Step-Audio 2's tokenizer",
    dialect: 'step-audio-2',
    tools: [weather],
    text: 'I look.<tool_call>function\nget_weather\n{"city": "Bonn"}</tool_call><|EOT|>',
    reply: ['I look.', bonn],
  },
  {
    id: 'ES11d',
    title: 'a sentence that speaks of a result',
    source: 'the rule',
    dialect: 'pythonic',
    tools: [weather],
    text: 'The result of [get_weather(city="Bonn")] was 4 degrees.',
    reply: ['The result of [get_weather(city="Bonn")] was 4 degrees.'],
  },
])
