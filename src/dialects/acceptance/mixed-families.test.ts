import { type AcceptanceCase, call, tool } from '../../../test/support/dialects/acceptance-case.ts'
import { testCases } from '../../../test/support/dialects/acceptance-table.ts'
import { forecast, weather } from '../../../test/support/dialects/acceptance-tools.ts'

/** Mixed markup, as written by models that were trained on the formats of several families. */

const bonn = call('get_weather', { city: 'Bonn' })
const oslo = call('get_weather', { city: 'Oslo' })
const json = (city: string) => `{"name": "get_weather", "arguments": {"city": "${city}"}}`
const [inBonn, inOslo] = [json('Bonn'), json('Oslo')]
const hermes = `<tool_call>\n${inBonn}\n</tool_call>`
const qwen = '<function=get_weather>\n<parameter=city>\nBonn\n</parameter>\n</function>'

type Row = [id: string, title: string, text: string, reply?: AcceptanceCase['reply'], tools?: AcceptanceCase['tools']]

function rows(source: string, dialect: AcceptanceCase['dialect'], of: readonly Row[]): AcceptanceCase[] {
  return of.map(([id, title, text, reply = [bonn], tools = [weather]]) => ({
    id,
    title,
    source,
    dialect,
    tools,
    text,
    reply,
  }))
}

testCases(
  'markers of another family around calls',
  rows('the rule', 'universal', [
    ['MF01a', 'Granite around Hermes', `<|tool_call|>${hermes}`],
    ['MF01b', 'Mistral around Hermes, closed', `[TOOL_CALLS]${hermes}[/TOOL_CALLS]`],
    ['MF01c', 'Llama around Hermes', `<|python_tag|>${hermes}`],
    ['MF01d', 'Cohere around Hermes', `<|START_ACTION|>${hermes}<|END_ACTION|>`],
    ['MF01e', 'Kimi K2 around Hermes', `<|tool_calls_section_begin|>${hermes}<|tool_calls_section_end|>`],
    ['MF01f', 'DeepSeek around Hermes', `<｜tool▁calls▁begin｜>${hermes}<｜tool▁calls▁end｜>`],
    ['MF01g', 'LFM2 around Hermes', `<|tool_call_start|>${hermes}<|tool_call_end|>`],
    ['MF01h', 'a section of XML around Hermes', `<function_calls>${hermes}</function_calls>`],
    [
      'MF01i',
      'a section around two',
      `<|tool_calls|>${hermes}\n<tool_call>${inOslo}</tool_call><|/tool_calls|>`,
      [bonn, oslo],
    ],
    ['MF02a', 'a section around Qwen3-Coder', `<tool_calls>${qwen}</tool_calls>`],
    ['MF02b', 'Granite around Qwen3-Coder', `<|tool_call|>${qwen}`],
    ['MF03a', 'a section around Mistral', `<tool_calls>[TOOL_CALLS][${inBonn}]</tool_calls>`],
    ['MF03b', 'Hermes around Mistral', '<tool_call>[TOOL_CALLS]get_weather[ARGS]{"city": "Bonn"}</tool_call>'],
    ['MF04a', 'JSON where Kimi K2 has an id', `<|tool_call_begin|>${inBonn}<|tool_call_end|>`],
    ['MF04b', 'JSON in the section of DeepSeek', `<｜tool▁calls▁begin｜>${inBonn}<｜tool▁calls▁end｜>`],
    ['MF05a', 'the closing token of another family', `<tool_call>${inBonn}<|tool_call_end|>`],
    ['MF05b', 'the same of tags', `<tool_call>${qwen}<|tool_call_end|>`],
    ['MF06a', 'text on both sides', `So. <|tool_call|> ${hermes} Done`, ['So.', bonn, 'Done']],
    ['MF06b', 'a marker that only text follows', 'So <|tool_call|> is a token.', ['So <|tool_call|> is a token.']],
    [
      'MF06c',
      'a marker around a tool that is not offered',
      '<|tool_call|><tool_call>{"name": "rm", "arguments": {}}</tool_call>',
      ['<|tool_call|><tool_call>{"name": "rm", "arguments": {}}</tool_call>'],
    ],
  ]),
)

testCases('the tag of a call twice', [
  ...rows('ds2api', 'dsml', [
    [
      'MF10a',
      'around itself',
      '<｜DSML｜invoke name="get_weather">\n<｜DSML｜invoke name="get_weather">\n<｜DSML｜parameter name="city">Bonn</｜DSML｜parameter>\n</｜DSML｜invoke>\n</｜DSML｜invoke>',
    ],
    [
      'MF10b',
      'in a section, around another',
      '<｜DSML｜tool_calls>\n<｜DSML｜invoke name="call">\n<｜DSML｜invoke name="get_weather">\n<｜DSML｜parameter name="city">Bonn</｜DSML｜parameter>\n</｜DSML｜invoke>\n</｜DSML｜invoke>\n</｜DSML｜tool_calls>',
    ],
  ]),
])

testCases('arguments in other places', [
  ...rows('Roo and Cline', 'universal', [
    ['MF20a', 'a value in an attribute', '<invoke name="get_weather"><parameter name="city" value="Bonn"/></invoke>'],
    [
      'MF20b',
      'typed by the schema, beside one between tags',
      '<function_calls><invoke name="forecast"><parameter name="city">Bonn</parameter><parameter name="days" value="3" /></invoke></function_calls>',
      [call('forecast', { city: 'Bonn', days: 3 })],
      [forecast],
    ],
    [
      'MF20c',
      'a value in an attribute, and nothing between the tags',
      '<tool_call name="get_weather"><param name="city" value="Bonn"></param></tool_call>',
    ],
    [
      'MF20d',
      'a value between tags goes before an attribute',
      '<invoke name="get_weather"><parameter name="city" value="Rome">Bonn</parameter></invoke>',
    ],
    [
      'MF21a',
      'the tag around the arguments is only closed',
      '<tool_call><name>get_weather</name><city>Bonn</city></parameters></tool_call>',
    ],
    [
      'MF21b',
      'the same after named parameters',
      '<invoke name="get_weather"><parameter name="city">Bonn</parameter></parameters></invoke>',
    ],
    [
      'MF21c',
      'an argument after the tag around the others',
      '<tool_call><name>forecast</name><parameters><city>Bonn</city></parameters><days>3</days></tool_call>',
      [call('forecast', { city: 'Bonn', days: 3 })],
      [forecast],
    ],
    [
      'MF21d',
      'a tag around the parameters of Qwen3-Coder',
      '<tool_call>\n<function=get_weather>\n<parameters>\n<parameter=city>\nBonn\n</parameter>\n</parameters>\n</function>\n</tool_call>',
    ],
  ]),
])

testCases('objects around calls', [
  ...rows('proxies', 'universal', [
    [
      'MF30a',
      'the name as a key',
      '{"tool_calls":[{"get_weather":{"city":"Bonn"}},{"get_weather":{"city":"Oslo"}}]}',
      [bonn, oslo],
    ],
    ['MF30b', 'one object under the key of a list', '{"tool_calls":{"get_weather":{"city":"Bonn"}}}'],
    ['MF30c', 'a list under the key of one', `{"tool_call":[${inBonn}]}`],
    ['MF30d', 'a key in camel case', `{"toolCalls":[${inBonn}]}`],
    ['MF30e', 'the form of Gemini', '{"functionCall":{"name":"get_weather","args":{"city":"Bonn"}}}'],
    ['MF30f', 'a key that says calls', `{"calls":[${inBonn},${inOslo}]}`, [bonn, oslo]],
    ['MF30g', 'an action', '{"action":{"name":"get_weather","arguments":{"city":"Bonn"}}}'],
    [
      'MF31a',
      'a key that names no tool',
      '{"tool_calls":[{"lookup":{"city":"Bonn"}}]}',
      ['{"tool_calls":[{"lookup":{"city":"Bonn"}}]}'],
    ],
    [
      'MF31b',
      'the definition of a tool',
      '{"calls":[{"name":"get_weather","parameters":{"type":"object"}}]}',
      ['{"calls":[{"name":"get_weather","parameters":{"type":"object"}}]}'],
    ],
  ]),
])

const note = tool('note', { 'text!': 'string', tags: 'array' })

testCases('strings that end with what closes the call', [
  ...rows('LiteLLM and vLLM', 'mistral', [
    ['MF40a', 'the end of the turn', '[TOOL_CALLS]get_weather[ARGS]{"city": "Bonn</s>'],
    ['MF40b', 'the same in a list', '[TOOL_CALLS][{"name":"get_weather","arguments":{"city":"Bonn</s>'],
  ]),
  ...rows('Dynamo', 'kimi-k2', [
    [
      'MF41a',
      'the end of the call and of the section',
      '<|tool_calls_section_begin|><|tool_call_begin|>functions.get_weather:0<|tool_call_argument_begin|>{"city": "Bonn<|tool_call_end|><|tool_calls_section_end|>',
    ],
  ]),
  ...rows('the rule', 'deepseek-v3.1', [
    [
      'MF42a',
      'DeepSeek',
      '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>get_weather<｜tool▁sep｜>{"city": "Bonn<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
    ],
  ]),
  ...rows('the rule', 'gemma4', [
    ['MF43a', 'a string between delimiters', '<|tool_call>call:get_weather{city:<|"|>Bonn<tool_call|>'],
  ]),
  ...rows('the rule', 'lfm2', [
    ['MF44a', "a string of Python's", '<|tool_call_start|>[get_weather(city="Bonn<|tool_call_end|>'],
  ]),
  ...rows('the rule', 'hermes', [
    [
      'MF45a',
      'a closing tag on a line of its own',
      '<tool_call>\n{"name": "get_weather", "arguments": {"city": "Bonn\n</tool_call>',
    ],
    [
      'MF45b',
      'the end of the turn in place of the tag',
      '<tool_call>\n{"name": "get_weather", "arguments": {"city": "Bonn<|im_end|>',
    ],
    [
      'MF45c',
      'such marks within a whole string',
      '<tool_call>\n{"name": "note", "arguments": {"text": "a\n</tool_call> and </s>", "tags": []}}\n</tool_call>',
      [call('note', { text: 'a\n</tool_call> and </s>', tags: [] })],
      [note],
    ],
  ]),
])
