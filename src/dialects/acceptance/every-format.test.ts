import {
  type AcceptanceCase,
  call,
  type DialectName,
  type Part,
} from '../../../test/support/dialects/acceptance-case.ts'
import { testCases } from '../../../test/support/dialects/acceptance-table.ts'
import { weather } from '../../../test/support/dialects/acceptance-tools.ts'

/**
 * AC01: a sweep over all formats found that two calls lost data in 71 and 91 % of random splits, and that one call in
 * one piece had arguments "". Each format therefore writes two calls, or one if it allows no more.
 *
 * PLaMo 3 and K2 Horizon are missing: only renderers of their formats are known, and a model's output must not be
 * guessed.
 */

interface Format {
  dialect: DialectName
  of: string
  text: string
  calls?: 1
  acceptUniversal?: readonly (readonly Part[])[]
}

const cities = ['Paris', 'Tokyo'] as const

/** The text of both calls, each as written by `one`. */
function both(one: (city: string, index: number) => string, between = ''): string {
  return cities.map(one).join(between)
}

const named = (city: string) => `{"name": "get_weather", "arguments": {"city": "${city}"}}`
const parameters = (city: string) => `{"name": "get_weather", "parameters": {"city": "${city}"}}`
const args = (city: string) => `{"city": "${city}"}`
const list = `[${both(named, ', ')}]`

const actionFence = `Action:\n\`\`\`json\n[${both((city) => `{"tool_name": "get_weather", "parameters": ${args(city)}}`, ',\n')}]\n\`\`\``

const formats: readonly Format[] = [
  {
    dialect: 'hermes',
    of: 'Hermes, Qwen 2.5',
    text: both((city) => `<tool_call>\n${named(city)}\n</tool_call>`, '\n'),
  },
  {
    dialect: 'qwen3-coder',
    of: 'Qwen3-Coder',
    text: both(
      (city) =>
        `<tool_call>\n<function=get_weather>\n<parameter=city>\n${city}\n</parameter>\n</function>\n</tool_call>`,
      '\n',
    ),
  },
  {
    dialect: 'glm',
    of: 'GLM 4.6',
    text: both(
      (city) => `<tool_call>get_weather\n<arg_key>city</arg_key>\n<arg_value>${city}</arg_value>\n</tool_call>`,
      '\n',
    ),
  },
  {
    dialect: 'glm',
    of: 'GLM 4.7',
    text: both((city) => `<tool_call>get_weather<arg_key>city</arg_key><arg_value>${city}</arg_value></tool_call>`),
  },
  {
    dialect: 'kimi-k2',
    of: 'Kimi K2',
    text: `<|tool_calls_section_begin|>${both(
      (city, index) =>
        `<|tool_call_begin|>functions.get_weather:${index}<|tool_call_argument_begin|>${args(city)}<|tool_call_end|>`,
    )}<|tool_calls_section_end|>`,
  },
  {
    dialect: 'kimi-k3',
    of: 'Kimi K3',
    text: `<|open|>tools<|sep|>${both(
      (city, index) =>
        `<|open|>call tool="get_weather" index="${index + 1}"<|sep|><|open|>argument key="city" type="string"<|sep|>${city}<|close|>argument<|sep|><|close|>call<|sep|>`,
    )}<|close|>tools<|sep|><|close|>message<|sep|>`,
  },
  {
    dialect: 'deepseek-v3',
    of: 'DeepSeek V3, R1',
    text: `<｜tool▁calls▁begin｜>${both(
      (city) =>
        `<｜tool▁call▁begin｜>function<｜tool▁sep｜>get_weather\n\`\`\`json\n${args(city)}\n\`\`\`<｜tool▁call▁end｜>`,
      '\n',
    )}<｜tool▁calls▁end｜>`,
  },
  {
    dialect: 'deepseek-v3.1',
    of: 'DeepSeek V3.1',
    text: `<｜tool▁calls▁begin｜>${both(
      (city) => `<｜tool▁call▁begin｜>get_weather<｜tool▁sep｜>${args(city)}<｜tool▁call▁end｜>`,
    )}<｜tool▁calls▁end｜>`,
  },
  ...(['function_calls', 'tool_calls'] as const).map(
    (section): Format => ({
      dialect: 'dsml',
      of: `DeepSeek, ${section}`,
      text: `<｜DSML｜${section}>\n${both(
        (city) =>
          `<｜DSML｜invoke name="get_weather">\n<｜DSML｜parameter name="city" string="true">${city}</｜DSML｜parameter>\n</｜DSML｜invoke>\n`,
      )}</｜DSML｜${section}>`,
    }),
  ),
  { dialect: 'mistral', of: 'Mistral Nemo', text: `[TOOL_CALLS]${list}` },
  {
    dialect: 'mistral',
    of: 'Devstral, Ministral 3',
    text: both((city) => `[TOOL_CALLS]get_weather[ARGS]${args(city)}`),
  },
  {
    dialect: 'mistral',
    of: 'Mistral Small 3.2',
    text: both((city, index) => `[TOOL_CALLS]get_weather[CALL_ID]00000000${index}[ARGS]${args(city)}`),
  },
  { dialect: 'llama-json', of: 'Llama 3.1', text: both(parameters, '; ') },
  { dialect: 'pythonic', of: 'Llama 4', text: `[${both((city) => `get_weather(city="${city}")`, ', ')}]` },
  {
    dialect: 'olmo3',
    of: 'OLMo 3',
    text: `<function_calls>\n${both((city) => `get_weather(city="${city}")\n`)}</function_calls>`,
  },
  {
    dialect: 'lfm2',
    of: 'LFM2',
    text: `<|tool_call_start|>[${both((city) => `get_weather(city='${city}')`, ', ')}]<|tool_call_end|>`,
  },
  {
    dialect: 'gemma4',
    of: 'Gemma 4',
    text: both((city) => `<|tool_call>call:get_weather{city:<|"|>${city}<|"|>}<tool_call|>`),
  },
  {
    dialect: 'functiongemma',
    of: 'FunctionGemma',
    text: both((city) => `<start_function_call>call:get_weather{city:<escape>${city}<escape>}<end_function_call>`),
  },
  {
    dialect: 'harmony',
    of: 'gpt-oss',
    text: both(
      (city) => `<|channel|>commentary to=functions.get_weather <|constrain|>json<|message|>${args(city)}<|call|>`,
      '<|start|>assistant',
    ),
  },
  {
    dialect: 'functionary-v3.1',
    of: 'Functionary 3.1',
    text: both((city) => `<function=get_weather>${args(city)}</function>`),
  },
  { dialect: 'functionary-v3.2', of: 'Functionary 3.2', text: both((city) => `>>>get_weather\n${args(city)}`, '\n') },
  {
    dialect: 'minimax-m2',
    of: 'MiniMax M2',
    text: `<minimax:tool_call>\n${both(
      (city) => `<invoke name="get_weather">\n<parameter name="city">${city}</parameter>\n</invoke>\n`,
    )}</minimax:tool_call>`,
  },
  {
    dialect: 'minimax-m3',
    of: 'MiniMax M3',
    text: `]<]minimax[>[<tool_call>\n${both(
      (city) =>
        `]<]minimax[>[<invoke name="get_weather">]<]minimax[>[<city>${city}]<]minimax[>[</city>]<]minimax[>[</invoke>\n`,
    )}]<]minimax[>[</tool_call>`,
  },
  { dialect: 'minimax-m1', of: 'MiniMax M1', text: `<tool_calls>\n${both(named, '\n')}\n</tool_calls>` },
  {
    dialect: 'minicpm5',
    of: 'MiniCPM 5',
    text: both((city) => `<function name="get_weather"><param name="city">${city}</param></function>`),
  },
  {
    dialect: 'seed-oss',
    of: 'Seed-OSS',
    text: both(
      (city) =>
        `<seed:tool_call>\n<function=get_weather>\n<parameter=city>${city}</parameter>\n</function>\n</seed:tool_call>`,
      '\n',
    ),
  },
  {
    dialect: 'step3',
    of: 'Step-3',
    text: `<｜tool_calls_begin｜>${both(
      (city) =>
        `<｜tool_call_begin｜>function<｜tool_sep｜><steptml:invoke name="get_weather"><steptml:parameter name="city">${city}</steptml:parameter></steptml:invoke><｜tool_call_end｜>`,
    )}<｜tool_calls_end｜>`,
  },
  {
    dialect: 'cohere',
    of: 'Command R7B',
    text: `<|START_ACTION|>[\n${both(
      (city, index) => `    {"tool_call_id": "${index}", "tool_name": "get_weather", "parameters": ${args(city)}}`,
      ',\n',
    )}\n]<|END_ACTION|>`,
  },
  {
    dialect: 'command-r-plus',
    of: 'Command R+',
    text: actionFence,
    // For a reader that is not given the format, text in a fence is an example.
    acceptUniversal: [[actionFence]],
  },
  {
    dialect: 'command4',
    of: 'Command 4',
    text: `<cofl:tool_calls>${both(
      (city, index) =>
        `<cofl:tool_call id="${index}" name="get_weather"><cofl:value name="city" type="raw">${city}</cofl:value></cofl:tool_call>`,
    )}</cofl:tool_calls>`,
  },
  { dialect: 'granite', of: 'Granite 3', text: `<|tool_call|>${list}` },
  { dialect: 'phi4', of: 'Phi-4-mini', text: `functools${list}` },
  {
    dialect: 'internlm',
    of: 'InternLM 2.5',
    text: both((city) => `<|action_start|><|plugin|>${parameters(city)}<|action_end|>`, '\n'),
  },
  {
    dialect: 'apertus',
    of: 'Apertus',
    text: `<|tools_prefix|>[${both((city) => `{"get_weather": ${args(city)}}`, ', ')}]<|tools_suffix|>`,
  },
  { dialect: 'nemotron-nano', of: 'Nemotron Nano v2', text: `<TOOLCALL>${list}</TOOLCALL>` },
  ...(['jamba', 'apriel'] as const).map(
    (dialect): Format => ({ dialect, of: 'an array in a section', text: `<tool_calls>${list}</tool_calls>` }),
  ),
  {
    dialect: 'longcat',
    of: 'LongCat-Flash',
    text: both((city) => `<longcat_tool_call>\n${named(city)}\n</longcat_tool_call>`, '\n'),
  },
  {
    dialect: 'gigachat3',
    of: 'GigaChat 3, which makes one call',
    text: `<|message_sep|>\n\nfunction call<|role_sep|>\n${named('Paris')}`,
    calls: 1,
  },
  {
    dialect: 'inkling',
    of: 'Inkling',
    text: both(
      (city) =>
        `<|message_model|>get_weather<|content_invoke_tool_json|>{"name":"get_weather","args":${args(city)}}<|end_message|>`,
    ),
  },
  { dialect: 'xlam', of: 'xLAM', text: list },
  {
    dialect: 'solar-open',
    of: 'Solar Open',
    text: `<|tool_calls|>${both(
      (city, index) =>
        `<|tool_call:begin|>call0000${index}<|tool_call:name|>get_weather<|tool_call:args|>${args(city)}<|tool_call:end|>`,
    )}`,
  },
  {
    dialect: 'solar-open2',
    of: 'Solar Open 2',
    text: both(
      (city) =>
        `<|tool_call:start|>get_weather\n<|tool_arg:start|>city<|tool_arg:value|>${city}<|tool_arg:end|>\n<|tool_call:end|>`,
      '\n',
    ),
  },
  {
    dialect: 'hunyuan',
    of: 'Hunyuan 3',
    text: `<tool_calls:opensource>\n${both(
      (city) =>
        `<tool_call:opensource>get_weather<tool_sep:opensource>\n<arg_key:opensource>city</arg_key:opensource>\n<arg_value:opensource>${city}</arg_value:opensource>\n</tool_call:opensource>\n`,
    )}</tool_calls:opensource>`,
  },
  {
    dialect: 'muse-glimmer',
    of: 'Muse Glimmer, one call a message',
    text: ' to=get_weather<|message|><atem:function_calls>\n<atem:invoke name="get_weather">\n<atem:parameter name="city">Paris</atem:parameter>\n</atem:invoke>\n</atem:function_calls>',
    calls: 1,
    // A reader that is not given the format may keep the line that names the recipient.
    acceptUniversal: [['to=get_weather<|message|>', call('get_weather', { city: 'Paris' })]],
  },
]

testCases(
  'every format: all calls, whole, in any pieces',
  formats.map((format, index): AcceptanceCase => {
    const reply: Part[] = cities.slice(0, format.calls ?? 2).map((city) => call('get_weather', { city }))
    const { of, calls: _, ...given } = format
    const id = `AC01/${String(index + 1).padStart(2, '0')}`
    return { ...given, id, title: of, source: 'sglang#31915', tools: [weather], reply, ...quiet(format) }
  }),
)

/** Text in a model's own format is read without a notice; if it may be an example, a notice may report that. */
function quiet({ acceptUniversal }: Format): Pick<AcceptanceCase, 'notices'> {
  return acceptUniversal ? {} : { notices: [] }
}
