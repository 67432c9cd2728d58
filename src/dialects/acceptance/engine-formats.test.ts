import { type AcceptanceCase, call, tool } from '../../../test/support/dialects/acceptance-case.ts'
import { testCases } from '../../../test/support/dialects/acceptance-table.ts'
import { clock, forecast, now, weather } from '../../../test/support/dialects/acceptance-tools.ts'

/** Formats as the parsers of vLLM, SGLang and llama.cpp take them, with arguments of our own. */

const bonn = call('get_weather', { city: 'Bonn' })
const oslo = call('get_weather', { city: 'Oslo' })
const list = (...cities: string[]) =>
  `[${cities.map((city) => `{"name": "get_weather", "arguments": {"city": "${city}"}}`).join(', ')}]`
const pair = (key: string, value: string) => `<arg_key>${key}</arg_key><arg_value>${value}</arg_value>`
const inDsml = (...cities: string[]) =>
  `<｜DSML｜ calls>\n${cities
    .map(
      (city) =>
        `<｜DSML｜ invoke name="get_weather">\n<｜DSML｜ parameter name="city" string="true">${city}</｜DSML｜ parameter>\n</｜DSML｜ invoke>\n`,
    )
    .join('')}</｜DSML｜ calls>`

const iquest: readonly AcceptanceCase[] = [
  {
    id: 'EF01a',
    title: 'arguments typed by the schema',
    source: 'vLLM iquest_coder_v2',
    dialect: 'iquest',
    tools: [forecast],
    text: `<iquestcoder_tool_call>forecast${pair('city', '53111')}${pair('days', '3')}</iquestcoder_tool_call>`,
    reply: [call('forecast', { city: '53111', days: 3 })],
  },
  {
    id: 'EF01b',
    title: 'no arguments, after text',
    source: 'vLLM iquest_coder_v2',
    dialect: 'iquest',
    tools: [clock],
    text: 'Let me see.\n<iquestcoder_tool_call>get_time</iquestcoder_tool_call>',
    reply: ['Let me see.', call('get_time')],
  },
  {
    id: 'EF01c',
    title: 'two calls with line breaks between tags',
    source: 'SGLang iquest_q1',
    dialect: 'iquest',
    tools: [weather],
    text: ['Bonn', 'Oslo']
      .map(
        (city) =>
          `<iquest_tool_call>get_weather\n<arg_key>city</arg_key>\n<arg_value>${city}</arg_value>\n</iquest_tool_call>`,
      )
      .join('\n'),
    reply: [bonn, oslo],
  },
  {
    id: 'EF01d',
    title: 'a family of which nothing is known, with its word before all tags',
    source: 'the rule',
    dialect: 'iquest',
    tools: [weather],
    text: '<acme_tool_call>get_weather<acme_arg_key>city</acme_arg_key><acme_arg_value>Bonn</acme_arg_value></acme_tool_call>',
    reply: [bonn],
  },
  {
    id: 'EF01e',
    title: 'a call in the argument of a call, unescaped',
    source: 'the rule',
    dialect: 'iquest',
    tools: [weather],
    text: `<iquest_tool_call>get_weather${pair('city', `<iquest_tool_call>get_weather${pair('city', 'Bonn')}</iquest_tool_call>`)}</iquest_tool_call>`,
    reply: [call('get_weather', { city: `<iquest_tool_call>get_weather${pair('city', 'Bonn')}</iquest_tool_call>` })],
  },
]

const anyFamily: readonly AcceptanceCase[] = [
  ['JSON', '{"name": "get_weather", "arguments": {"city": "Bonn"}}'],
  ['JSON in a fence', '\n```json\n{"name": "get_weather", "arguments": {"city": "Bonn"}}\n```\n'],
  ['tags of Qwen3-Coder', '\n<function=get_weather>\n<parameter=city>\nBonn\n</parameter>\n</function>\n'],
  ['tags of MiniMax M2', '\n<invoke name="get_weather">\n<parameter name="city">Bonn</parameter>\n</invoke>\n'],
].map(
  ([what, body], index): AcceptanceCase => ({
    id: `EF02${'abcd'[index]}`,
    title: `${what} between tags of any family`,
    source: 'the rule',
    dialect: 'universal',
    tools: [weather],
    text: `<acme_tool_call>${body}</acme_tool_call>`,
    reply: [bonn],
  }),
)

const code = tool('bash', { 'command!': 'string' })

testCases("formats of engines' parsers", [
  ...iquest,
  ...anyFamily,
  {
    id: 'EF03a',
    title: 'a blank after each special token',
    source: 'llama.cpp llm-jp-harmony',
    dialect: 'harmony',
    tools: [weather],
    text: '<|channel|> analysis<|message|> Two places.<|end|><|start|> assistant to=functions.get_weather<|channel|> commentary json<|message|> {"city": "Bonn"}<|end|><|start|> assistant<|channel|> commentary to=functions.get_weather <|constrain|> json<|message|> {"city": "Oslo"}<|call|>',
    reply: [{ think: 'Two places.' }, bonn, oslo],
  },
  {
    id: 'EF03b',
    title: 'an answer with a blank after each special token',
    source: 'llama.cpp llm-jp-harmony',
    dialect: 'harmony',
    tools: [weather],
    text: '<|channel|> analysis<|message|> Simple.<|end|><|start|> assistant<|channel|> final<|message|> Hello.<|return|>',
    reply: [{ think: 'Simple.' }, 'Hello.'],
  },
  {
    id: 'EF04a',
    title: 'kind, name and arguments on a line each',
    source: 'vLLM step_audio_2',
    dialect: 'step-audio-2',
    tools: [weather],
    text: 'One moment.<tool_call>function\nget_weather\n{"city": "Bonn"}</tool_call><tool_call>function\nget_weather\n{"city": "Oslo"}</tool_call>',
    reply: ['One moment.', bonn, oslo],
  },
  {
    id: 'EF05a',
    title: 'a command as it stands',
    source: 'vLLM cwm',
    dialect: 'universal',
    tools: [code],
    text: '<think>List them.</think>\n<tool: bash>\nls -la | grep "x"\necho {a,b}\n</tool>',
    reply: [{ think: 'List them.' }, call('bash', { command: 'ls -la | grep "x"\necho {a,b}' })],
  },
  {
    id: 'EF05b',
    title: 'the name before the command',
    source: 'vLLM cwm',
    dialect: 'universal',
    tools: [code],
    text: '<tool: function>\nbash echo hi\n</tool>\n<tool: function>\nbash {"command": "echo bye"}\n</tool>',
    reply: [call('bash', { command: 'echo hi' }), call('bash', { command: 'echo bye' })],
  },
  {
    id: 'EF05c',
    title: "the tag's bracket left out",
    source: 'vLLM cwm',
    dialect: 'universal',
    tools: [code],
    text: '<tool: bash echo hi </tool>',
    reply: [call('bash', { command: 'echo hi' })],
  },
  {
    id: 'EF05d',
    title: 'text after the closing tag',
    source: 'the rule',
    dialect: 'universal',
    tools: [code],
    text: '<tool: bash>\nls\n</tool>\nI will wait.',
    reply: [call('bash', { command: 'ls' }), 'I will wait.'],
  },
  {
    id: 'EF05e',
    title: 'a tool without arguments, and the token that ends the turn',
    source: 'the rule',
    dialect: 'universal',
    tools: [code, now],
    text: '<tool: bash>\nls\n</tool>\n<tool: get_current_time>\n</tool><|eot_id|>',
    reply: [call('bash', { command: 'ls' }), call('get_current_time', {})],
  },
  {
    id: 'EF05f',
    title: 'a tag without its closing tag',
    source: 'the rule',
    dialect: 'universal',
    tools: [code],
    text: '<tool: bash> is the tag',
    reply: [{ call: 'bash', begun: '{"command":"is the tag' }],
    whole: ['<tool: bash> is the tag'],
  },
  {
    id: 'EF06a',
    title: 'a header after the role',
    source: 'vLLM hyperclovax_seed_think_14b',
    dialect: 'hyperclova',
    tools: [weather],
    text: ` -> tool/function_call\n${list('Bonn', 'Oslo')}<|im_end|>`,
    reply: [bonn, oslo],
  },
  {
    id: 'EF06b',
    title: 'a message of its own after an answer',
    source: 'vLLM hyperclovax_seed_think_14b',
    dialect: 'hyperclova',
    tools: [weather],
    text: `I look.<|im_end|>\n<|im_start|>assistant -> tool/function_call\n${list('Bonn')}<|im_end|>`,
    reply: ['I look.', bonn],
  },
  {
    id: 'EF07a',
    title: 'tokens that the tokenizer has left over',
    source: 'vLLM pangu',
    dialect: 'openpangu',
    tools: [weather],
    text: `[unused16]Rain?[unused17]I look.[unused11]${list('Bonn', 'Oslo')}[unused12]`,
    reply: [{ think: 'Rain?' }, 'I look.', bonn, oslo],
  },
  {
    id: 'EF07b',
    title: 'the tokens of openPangu 2',
    source: 'vLLM openpangu_v2',
    dialect: 'openpangu',
    tools: [weather],
    text: `I look.\n<|tool_call_start|>\n${list('Bonn')}\n<|tool_call_end|>`,
    reply: ['I look.', bonn],
  },
  {
    id: 'EF08a',
    title: 'a blank after the mark',
    source: 'vLLM and SGLang deepseekv41',
    dialect: 'dsml-spaced',
    tools: [weather],
    text: `Two.\n\n${inDsml('Bonn', 'Oslo')}`,
    reply: ['Two.', bonn, oslo],
  },
  {
    id: 'EF08b',
    title: 'a blank after the mark, where V4 is expected',
    source: 'vLLM and SGLang deepseekv41',
    dialect: 'dsml',
    tools: [weather],
    text: inDsml('Bonn'),
    reply: [bonn],
  },
  {
    id: 'EF09a',
    title: 'calls in the form of a list of dictionaries, and of strings',
    source: 'Llama 4, ToolACE',
    dialect: 'pythonic',
    tools: [weather],
    text: "[get_weather({'city': 'Bonn'}), get_weather(city='Oslo')]",
    reply: [bonn, oslo],
  },
  {
    id: 'EF09b',
    title: 'each call as a string',
    source: 'Llama 4, ToolACE',
    dialect: 'pythonic',
    tools: [weather],
    text: `['get_weather(city="Bonn")', 'get_weather(city="Oslo")']`,
    reply: [bonn, oslo],
  },
  {
    id: 'EF10a',
    title: 'calls without their opening markers',
    source: 'servers that skip special tokens',
    dialect: 'kimi-k2',
    tools: [weather],
    text: 'functions.get_weather:0<|tool_call_argument_begin|>{"city": "Bonn"}<|tool_call_end|>functions.get_weather:1<|tool_call_argument_begin|>{"city": "Oslo"}<|tool_call_end|><|tool_calls_section_end|>',
    reply: [bonn, oslo],
  },
  {
    id: 'EF10b',
    title: 'calls of which the server dropped all markers',
    source: 'servers that skip special tokens',
    dialect: 'kimi-k2',
    tools: [weather],
    text: 'functions.get_weather:0{"city": "Bonn"}functions.get_weather:1{"city": "Oslo"}',
    reply: [bonn, oslo],
  },
])

const atem =
  '<atem:function_calls>\n<atem:invoke name="get_weather.get_weather">\n<atem:parameter name="city">Bonn</atem:parameter>\n</atem:invoke>\n</atem:function_calls>'
const toUser = (text: string) => `<|start|>assistant to=user<|message|>${text}`

testCases('messages and whom they are addressed to', [
  {
    id: 'EF30a',
    title: 'thoughts are addressed to oneself, and a call to its tool',
    source: 'SGLang muse',
    dialect: 'muse-glimmer',
    tools: [weather],
    text: ` to=self<|message|>Rain?<|eom|><|start|>assistant to=get_weather.get_weather<|message|>${atem}<|eom|>${toUser('I look.')}`,
    reply: [{ think: 'Rain?' }, bonn, 'I look.'],
  },
  {
    id: 'EF30b',
    title: 'what is shown to the user is no call',
    source: 'SGLang muse',
    dialect: 'muse-glimmer',
    tools: [weather],
    text: ` to=self<|message|>Show it.<|eom|>${toUser(`Write:\n${atem}`)}`,
    reply: [{ think: 'Show it.' }, `Write:\n${atem}`],
  },
  {
    id: 'EF30c',
    title: 'after what is shown to the user a call counts again',
    source: 'SGLang muse',
    dialect: 'muse-glimmer',
    tools: [weather],
    text: `${toUser('I look.')}<|eom|><|start|>assistant to=get_weather.get_weather<|message|>${atem}`,
    reply: ['I look.', bonn],
  },
  {
    id: 'EF31a',
    title: 'the final channel holds no call of another form',
    source: 'the response format of openai/harmony',
    dialect: 'harmony',
    tools: [weather],
    text: '<|channel|>final<|message|>Write:\n<tool_call>\n{"name": "get_weather", "arguments": {"city": "Bonn"}}\n</tool_call><|return|>',
    reply: ['Write:\n<tool_call>\n{"name": "get_weather", "arguments": {"city": "Bonn"}}\n</tool_call>'],
  },
  {
    id: 'EF31b',
    title: 'a call after the end of the final channel',
    source: 'the response format of openai/harmony',
    dialect: 'harmony',
    tools: [weather],
    text: '<|channel|>final<|message|>I look.<|end|><|start|>assistant<|channel|>commentary to=functions.get_weather<|message|>{"city": "Bonn"}<|call|>',
    reply: ['I look.', bonn],
  },
  {
    id: 'EF31c',
    title: 'a header without its special tokens',
    source: 'servers that skip special tokens',
    dialect: 'harmony',
    tools: [weather],
    text: 'I look.assistantcommentary to=functions.get_weather json{"city": "Bonn"}',
    reply: ['I look.', bonn],
  },
])

testCases('calls as lines of code', [
  {
    id: 'EF40a',
    title: 'lines that end the reply',
    source: 'vLLM granite_pythonic',
    dialect: 'granite',
    tools: [weather, clock],
    text: 'I look.\nget_weather(city="Bonn, (old) town")\nget_time()',
    reply: ['I look.', call('get_weather', { city: 'Bonn, (old) town' }), call('get_time')],
  },
  {
    id: 'EF40b',
    title: 'lines before text',
    source: 'vLLM granite_pythonic',
    dialect: 'granite',
    tools: [weather],
    text: 'get_weather(city="Bonn")\nThat is it.',
    reply: [bonn, 'That is it.'],
    onlyNamed: 'elsewhere it may be code that the text goes on about',
  },
  {
    id: 'EF40c',
    title: 'code in an answer, and a call that lacks what the tool requires',
    source: 'the rule',
    dialect: 'universal',
    tools: [weather],
    text: 'Write:\nget_weather(city="Bonn")\nprint("done")\nget_weather(unit="C")',
    reply: ['Write:\nget_weather(city="Bonn")\nprint("done")\nget_weather(unit="C")'],
  },
  {
    id: 'EF40d',
    title: "Gemma 3's fence",
    source: "Google's prompt guide for Gemma 3",
    dialect: 'universal',
    tools: [weather],
    text: 'I look.\n```tool_code\nprint(default_api.get_weather(city="Bonn"))\nget_weather(city="Oslo")\n```',
    reply: ['I look.', bonn, oslo],
  },
  {
    id: 'EF40e',
    title: "a list whose keys are tools' names",
    source: 'the rule',
    dialect: 'universal',
    tools: [weather],
    text: '[{"get_weather": {"city": "Bonn"}}, {"get_weather": {"city": "Oslo"}}]',
    reply: [bonn, oslo],
  },
  {
    id: 'EF41',
    title: 'a fence after its mark',
    source: 'vLLM rwkv',
    dialect: 'rwkv',
    tools: [weather],
    text: ['Bonn', 'Oslo']
      .map((city) => `**Tool Call:**\n\`\`\`json\n{"name": "get_weather", "arguments": {"city": "${city}"}}\n\`\`\``)
      .join('\n'),
    reply: [bonn, oslo],
  },
  {
    id: 'EF42',
    title: 'what is left of a marker that was split',
    source: 'vLLM gemma4_utils',
    dialect: 'gemma4',
    tools: [weather],
    text: '<call>get_weather{city:<|"|>Bonn<|"|>}',
    reply: [bonn],
  },
])

/** A call without arguments, and without the part that holds them. */
const withoutArguments: readonly Pick<AcceptanceCase, 'dialect' | 'text'>[] = [
  {
    dialect: 'deepseek-v3',
    text: '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>get_time<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
  },
  {
    dialect: 'deepseek-v3',
    text: '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>get_time\n```json\n\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
  },
  {
    dialect: 'deepseek-v3.1',
    text: '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>get_time<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
  },
  {
    dialect: 'kimi-k2',
    text: '<|tool_calls_section_begin|><|tool_call_begin|>functions.get_time:0<|tool_call_end|><|tool_calls_section_end|>',
  },
  { dialect: 'mistral', text: '[TOOL_CALLS]get_time[ARGS]' },
  { dialect: 'mistral', text: '[TOOL_CALLS]get_time</s>' },
  { dialect: 'functionary-v3.1', text: '<function=get_time></function>' },
  { dialect: 'functionary-v3.2', text: '>>>get_time\n' },
  { dialect: 'gemma4', text: '<|tool_call>call:get_time<tool_call|>' },
  { dialect: 'functiongemma', text: '<start_function_call>call:get_time<end_function_call>' },
  { dialect: 'solar-open', text: '<|tool_calls|><|tool_call:begin|>c1<|tool_call:name|>get_time<|tool_call:end|>' },
  {
    dialect: 'plamo3',
    text: '<|plamo:begin_tool_requests:plamo|><|plamo:begin_tool_request:plamo|><|plamo:begin_tool_name:plamo|>get_time<|plamo:end_tool_name:plamo|><|plamo:end_tool_request:plamo|><|plamo:end_tool_requests:plamo|>',
  },
  { dialect: 'harmony', text: '<|channel|>commentary to=functions.get_time <|constrain|>json<|message|><|call|>' },
  { dialect: 'hermes', text: '<tool_call>\n{"name": "get_time"}\n</tool_call>' },
  { dialect: 'longcat', text: '<longcat_tool_call>{"name": "get_time"}</longcat_tool_call>' },
  { dialect: 'k2-horizon', text: '<ifm|tool_calls>\n<ifm|tool_call>get_time</ifm|tool_call>\n</ifm|tool_calls>' },
  { dialect: 'cohere', text: '<|START_ACTION|>[{"tool_call_id": "0", "tool_name": "get_time"}]<|END_ACTION|>' },
  { dialect: 'apertus', text: '<|tools_prefix|>[{"get_time": null}]<|tools_suffix|>' },
  { dialect: 'step-audio-2', text: '<tool_call>function\nget_time\n</tool_call>' },
]

testCases(
  'calls without arguments',
  withoutArguments.map(({ dialect, text }, index) => ({
    id: `EF20-${index}`,
    title: `of ${dialect}`,
    source: 'SGLang test_zero_argument_tool_call',
    dialect,
    tools: [clock],
    text,
    reply: [call('get_time')],
    notices: [],
  })),
)
