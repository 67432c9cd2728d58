import { type AcceptanceCase, call, tool } from '../../../test/support/dialects/acceptance-case.ts'
import { testCases } from '../../../test/support/dialects/acceptance-table.ts'
import { clock, forecast, weather } from '../../../test/support/dialects/acceptance-tools.ts'

/** Parts that models and servers leave out: a call's name, the special tokens of a header, the object around a text. */

const bonn = call('get_weather', { city: 'Bonn' })
const inUtc = call('get_time', { tz: 'UTC' })
const offered = [weather, clock]
const repaired = { notices: ['repaired'] } as const

type Row = [
  id: string,
  title: string,
  text: string,
  reply: AcceptanceCase['reply'],
  more?: Partial<
    Pick<AcceptanceCase, 'tools' | 'notices' | 'rejected' | 'accept' | 'end' | 'whole' | 'acceptUniversal' | 'options'>
  >,
]

function rows(source: string, dialect: AcceptanceCase['dialect'], of: readonly Row[]): AcceptanceCase[] {
  return of.map(([id, title, text, reply, more]) => ({
    id,
    title,
    source,
    dialect,
    tools: offered,
    text,
    reply,
    ...more,
  }))
}

const kimi = (id: string, json = '{"city": "Bonn"}') =>
  `<|tool_call_begin|>${id}<|tool_call_argument_begin|>${json}<|tool_call_end|>`
const section = (...calls: string[]) => `<|tool_calls_section_begin|>${calls.join('')}<|tool_calls_section_end|>`
const trip = tool('plan_trip', { city: 'string', tz: 'string' })

testCases(
  'the name of a call: Kimi K2 copies ids that servers made up',
  rows('the rule', 'kimi-k2', [
    ['LO01a', 'a number', section(kimi('0')), [bonn]],
    ['LO01b', 'the id of a server', section(kimi('call_9aF3')), [bonn]],
    ['LO01c', 'the id of another server', section(kimi('chatcmpl-tool-77ab')), [bonn]],
    ['LO01d', 'a number after the mark of the name space', section(kimi('functions.:1')), [bonn]],
    ['LO01e', 'two calls', section(kimi('0'), kimi('1', '{"tz": "UTC"}')), [bonn, inUtc]],
    ['LO01f', 'without a section, in text', `So: ${kimi('call_2')} Then.`, ['So:', bonn, 'Then.']],
    [
      'LO02a',
      'the only tool that there is',
      section(kimi('0', '{"text": "a"}')),
      [call('note', { text: 'a' })],
      { tools: [tool('note', { text: 'string', to: 'string' })] },
    ],
    ['LO02b', 'the one that takes no more than these', section(kimi('0')), [bonn], { tools: [...offered, trip] }],
    [
      'LO02c',
      'arguments that no tool takes',
      section(kimi('call_1', '{"colour": "red"}')),
      [section(kimi('call_1', '{"colour": "red"}'))],
      { notices: ['unknown-tool'], rejected: ['call_1'] },
    ],
    [
      'LO02d',
      'arguments of two tools',
      section(kimi('0')),
      [section(kimi('0'))],
      { tools: [weather, tool('get_news', { 'city!': 'string' })], notices: ['unknown-tool'], rejected: ['0'] },
    ],
    ['LO03a', 'a name within the id', section(kimi('call_get_time_3', '{"tz": "UTC"}')), [inUtc]],
    ['LO03b', 'other marks within it', section(kimi('functions.get_time_3', '{"tz": "UTC"}')), [inUtc]],
    [
      'LO03c',
      'a tool that is called like an id',
      section(kimi('call_7', '{"tz": "UTC"}')),
      [call('call_7', { tz: 'UTC' })],
      { tools: [...offered, tool('call_7', { tz: 'string' })] },
    ],
  ]),
)

testCases(
  'the special tokens of gpt-oss',
  rows('textgen#7374, the rule', 'harmony', [
    [
      'LO10a',
      'reasoning and answer',
      'analysisThe user greets.assistantfinalGood day!',
      [{ think: 'The user greets.' }, 'Good day!'],
    ],
    [
      'LO10b',
      'reasoning and call',
      'analysisLook it up.assistantcommentary to=functions.get_weather json{"city":"Bonn"}',
      [{ think: 'Look it up.' }, bonn],
    ],
    [
      'LO10c',
      'reasoning, call and answer',
      'analysis"Bonn" it is.assistantcommentary to=functions.get_weather json{"city":"Bonn"}assistantfinalI asked.',
      [{ think: '"Bonn" it is.' }, bonn, 'I asked.'],
    ],
    [
      'LO10d',
      'reasoning after a call',
      'commentary to=functions.get_weather json{"city":"Bonn"}assistantanalysisAnd then?assistantfinalDone.',
      [bonn, { think: 'And then?' }, 'Done.'],
    ],
    ['LO10e', 'the answer alone', 'assistantfinalGood day!', ['Good day!']],
    ['LO10f', 'the role first', 'assistantanalysisHm.assistantfinalGood day!', [{ think: 'Hm.' }, 'Good day!']],
    [
      'LO11a',
      'the channel after the recipient',
      'assistant to=functions.get_weathercommentary json{"city":"Bonn"}',
      [bonn],
    ],
    [
      'LO11b',
      'the kind of content glued to the name',
      'assistantcommentary to=functions.get_weatherjson{"city":"Bonn"}',
      [bonn],
    ],
    [
      'LO11c',
      'a token that is left',
      'commentary to=functions.get_weather <|constrain|>json<|message|>{"city":"Bonn"}',
      [bonn],
    ],
    ['LO12a', 'a word of text', 'analysis of this: fine.', ['analysis of this: fine.']],
    ['LO12b', 'a heading', 'Analysis\n\nFine.', ['Analysis\n\nFine.']],
    [
      'LO12c',
      'names of code',
      'analysisResults_v2 and AssistantFinal are names.'.slice(19),
      ['and AssistantFinal are names.'],
    ],
    [
      'LO12d',
      'a name that goes on in capitals',
      'See analysisWe and assistantfinal.',
      ['See analysisWe and assistantfinal.'],
    ],
  ]),
)

const note = tool('note', { 'text!': 'string', tag: 'string' })
testCases(
  'the object around a text',
  rows('LangChain, the rule', 'universal', [
    ['LO20a', 'a text for the only argument', 'Action: get_weather\nAction Input: Bonn', [bonn]],
    ['LO20b', 'in quotes', 'Action: get_weather\nAction Input: "Bonn"', [bonn]],
    [
      'LO20c',
      'up to a result that the model makes up',
      'I ask.\nAction: get_weather\nAction Input: Bonn\nObservation: rain',
      ['I ask.', bonn, 'Observation: rain'],
    ],
    [
      'LO20d',
      'of several lines',
      'Action: note\nAction Input: one\ntwo',
      [call('note', { text: 'one\ntwo' })],
      { tools: [note] },
    ],
    ['LO20e', 'none', 'Action: get_time\nAction Input: None', [call('get_time')]],
    ['LO20f', 'nothing', 'Action: get_time\nAction Input:\nObservation: noon', [call('get_time'), 'Observation: noon']],
    ['LO21a', 'an object with a text', '{"action": "get_weather", "action_input": "Bonn"}', [bonn]],
    [
      'LO21b',
      'in a fence after its label',
      'Action:\n```json\n{"action": "note", "action_input": "say \\"a\\""}\n```',
      [call('note', { text: 'say "a"' })],
      { tools: [note] },
    ],
    [
      'LO21c',
      'a tool that takes two',
      '{"action": "go", "action_input": "Bonn"}',
      ['{"action": "go", "action_input": "Bonn"}'],
      { tools: [tool('go', { a: 'string', b: 'string' })] },
    ],
    [
      'LO21d',
      'a tool that is not offered',
      'Action: rm\nAction Input: Bonn',
      ['Action: rm\nAction Input: Bonn'],
      { rejected: ['rm'] },
    ],
  ]),
)

const list = '[get_weather(city="Bonn")]'
const json = '{"name": "get_weather", "arguments": {"city": "Bonn"}}'
testCases('calls that are written twice, with and without their markers', [
  ...rows('LFM2, the rule', 'lfm2', [
    ['LO30a', 'first with them', `<|tool_call_start|>${list}<|tool_call_end|>${list}`, [bonn]],
    ['LO30b', 'on a line of their own', `<|tool_call_start|>${list}<|tool_call_end|>\n${list}<|im_end|>`, [bonn]],
    ['LO30c', 'within them', `<|tool_call_start|>${list}${list}<|tool_call_end|>`, [bonn]],
  ]),
  ...rows('the rule', 'universal', [
    ['LO31a', 'first without them', `${list}<|tool_call_start|>${list}<|tool_call_end|>`, [bonn]],
    ['LO31b', 'as JSON', `<tool_call>\n${json}\n</tool_call>\n${json}`, [bonn]],
    [
      'LO31c',
      'the same call twice with them',
      `<tool_call>${json}</tool_call><tool_call>${json}</tool_call>`,
      [bonn, bonn],
    ],
    ['LO31d', 'another call', `<|tool_call_start|>${list}<|tool_call_end|>[get_time(tz="UTC")]`, [bonn, inUtc]],
    ['LO32a', 'the opening marker as the closing one', `<|tool_call|>\n${json}\n<|tool_call|>`, [bonn]],
    ['LO32b', 'the same of a tag', `So.\n<tool_call>\n${json}\n<tool_call>\n`, ['So.', bonn]],
    [
      'LO32c',
      'an opening marker of the next call',
      `<tool_call>${json}<tool_call>{"name": "get_time", "arguments": {"tz": "UTC"}}<tool_call>`,
      [bonn, inUtc],
    ],
  ]),
])

const glmCall = 'get_weather\n<arg_key>city</arg_key>\n<arg_value>Bonn</arg_value>'
testCases('marks of turns', [
  ...rows('Ollama, Laguna', 'glm', [
    ['LO40a', 'a call between those of another turn', `So.\n<user>${glmCall}\n</user>`, ['So.', bonn]],
    ['LO40b', 'JSON between them, after a sentence', `So.<user>\n${json}\n</user>`, ['So.', bonn]],
    ['LO40c', 'text between them', '<user>get_weather is a tool</user>', ['<user>get_weather is a tool</user>']],
    [
      'LO40d',
      'a first argument that is called name',
      '<tool_call>note\n{"name": "a"}</tool_call>',
      [call('note', { name: 'a' })],
      { tools: [tool('note', { name: 'string' })] },
    ],
  ]),
  ...rows('the rule', 'hermes', [
    [
      'LO41a',
      'what begins one, at the head of a reply',
      '<|start_header_id|>assistant<|end_header_id|>\n\nHello.',
      ['Hello.'],
    ],
    ['LO41b', 'the same before a call', `<|begin_of_text|><|assistant|>\n<tool_call>${json}</tool_call>`, [bonn]],
    [
      'LO41c',
      'the same in text',
      'A turn begins with <|assistant|> there.',
      ['A turn begins with <|assistant|> there.'],
    ],
    ['LO41d', 'another role', '<|start_header_id|>user<|end_header_id|>', ['<|start_header_id|>user<|end_header_id|>']],
  ]),
  ...rows('the rule', 'gemma4', [['LO42', 'what ends a text', 'Hello.<eos>', ['Hello.']]]),
])

testCases('the ends of values that are written as in Python', [
  ...rows('the rule', 'lfm2', [
    ['LO50a', 'a quote', "<|tool_call_start|>[get_weather(city='Bonn)]<|tool_call_end|>", [bonn], repaired],
    [
      'LO50b',
      'a quote and the brackets',
      "<|tool_call_start|>[get_weather(city='Bonn<|tool_call_end|>",
      [bonn],
      repaired,
    ],
    [
      'LO50c',
      'the brackets after a number',
      '<|tool_call_start|>[forecast(city="Bonn", days=2<|tool_call_end|>',
      [call('forecast', { city: 'Bonn', days: 2 })],
      { tools: [forecast], notices: ['repaired'] },
    ],
    [
      'LO50d',
      'the brackets after a word',
      '<|tool_call_start|>[forecast(hourly=True<|tool_call_end|>',
      [call('forecast', { hourly: true })],
      { tools: [{ ...forecast, schema: { ...forecast.schema, required: [] } }], notices: ['repaired'] },
    ],
  ]),
  ...rows('the rule', 'olmo3', [
    ['LO51a', 'a quote', '<function_calls>\nget_weather(city="Bonn)\n</function_calls>', [bonn], repaired],
    [
      'LO51b',
      'the parenthesis after a number',
      '<function_calls>\nforecast(city="Bonn", days=2\n</function_calls>',
      [call('forecast', { city: 'Bonn', days: 2 })],
      { tools: [forecast], notices: ['repaired'] },
    ],
  ]),
  ...rows('the rule', 'pythonic', [
    ['LO52a', 'a quote', '<|python_start|>[get_weather(city="Bonn)]<|python_end|>', [bonn], repaired],
    ['LO52b', 'a quote before the end of the turn', '[get_weather(city="Bonn)]<|eot|>', [bonn], repaired],
  ]),
])

testCases('the JSON of a list, written as Python', [
  ...rows('prompts for Llama Nemotron', 'nemotron-nano', [
    ['LO53a', 'one call', '<TOOLCALL>[get_weather(city="Bonn")]</TOOLCALL>', [bonn]],
    [
      'LO53b',
      'several, after reasoning',
      '<think>Both.</think>\n<TOOLCALL>[get_weather(city="Bonn"), get_time(tz="UTC")]</TOOLCALL>',
      [{ think: 'Both.' }, bonn, inUtc],
    ],
  ]),
])

testCases('text that is addressed to the user', [
  ...rows('openai/harmony', 'harmony', [
    [
      'LO54a',
      'in the channel of calls',
      '<|channel|>commentary to=user<|message|>It is {"name": "get_weather", "arguments": {"city": "Bonn"}}.<|end|>',
      ['It is {"name": "get_weather", "arguments": {"city": "Bonn"}}.'],
    ],
    ['LO54b', 'in that of the answer', '<|channel|>final to=user<|message|>Hi.<|return|>', ['Hi.']],
  ]),
])

const none = { tools: [weather, tool('get_time')] }
const atNow = call('get_time', {})

testCases(
  'the arguments of a tool that has none, with text or calls after it',
  rows('the rule', 'mistral', [
    [
      'LO55a',
      'and a call',
      '[TOOL_CALLS]get_time[ARGS][TOOL_CALLS]get_weather[ARGS]{"city": "Bonn"}',
      [atNow, bonn],
      none,
    ],
    ['LO55b', 'and the same', '[TOOL_CALLS]get_time[TOOL_CALLS]get_time', [atNow, atNow], none],
    ['LO55c', 'and text', '[TOOL_CALLS]get_time[ARGS]\n\nDone.', [atNow, 'Done.'], none],
    ['LO55d', 'and its marker, and text', '[TOOL_CALLS]get_time\n\nDone.', [atNow, 'Done.'], none],
    ['LO55e', 'no: they follow', '[TOOL_CALLS]get_weather\n{"city": "Bonn"}', [bonn], none],
    [
      'LO55f',
      'no: text',
      'The token [TOOL_CALLS]\nget_time is one.',
      ['The token [TOOL_CALLS]\nget_time is one.'],
      none,
    ],
  ]),
)

testCases('reasoning that the prompt has opened with words', [
  ...rows('the chat template of Apriel-1.6', 'apriel', [
    [
      'LO56a',
      'its closing marker',
      `Think.\n[BEGIN FINAL RESPONSE]\n<tool_calls>[${json}]</tool_calls>`,
      [{ think: 'Think.' }, bonn],
      { options: { reasoning: 'open' } },
    ],
    [
      'LO56c',
      'the heading, if the prompt does not end with it',
      'Here are my reasoning steps:\nThink.\n[BEGIN FINAL RESPONSE]\nHello.',
      [{ think: 'Think.' }, 'Hello.'],
    ],
    [
      'LO56d',
      'a heading that the prompt has begun before',
      'Here are my reasoning steps:\nThink.\n[BEGIN FINAL RESPONSE]\nHello.',
      [{ think: 'Here are my reasoning steps:\nThink.' }, 'Hello.'],
      { options: { reasoning: 'open' } },
    ],
    ['LO56b', 'the same after none', '[BEGIN FINAL RESPONSE]\nHello.', ['Hello.']],
  ]),
])

testCases('headers of gpt-oss with the words of others', [
  ...rows('the rule', 'harmony', [
    [
      'LO57a',
      'reasoning as code',
      '<|channel|>analysis code<|message|>Think.<|end|><|start|>assistant<|channel|>final<|message|>Hi.',
      [{ think: 'Think.' }, 'Hi.'],
    ],
    [
      'LO57b',
      'the kind of content after a second channel',
      '<|channel|>commentary to=functions.get_weather<|channel|>json<|message|>{"city": "Bonn"}<|call|>',
      [bonn],
    ],
    [
      'LO57c',
      'another channel after the kind',
      '<|channel|>commentary to=functions.get_weather<|constrain|>json<|channel|>analysis code<|message|>{"city": "Bonn"}<|call|>',
      [bonn],
    ],
  ]),
])

testCases('markers in place of others', [
  ...rows('the rule', 'hermes', [
    ['LO58a', 'the opening one for the closing one', `<tool_call>\n${json}\n<tool_call>`, [bonn], repaired],
    [
      'LO58b',
      'the closing one of another format',
      `<tool_call>\n${json}\n</function_call>\nSo.`,
      [bonn, 'So.'],
      repaired,
    ],
    [
      'LO58c',
      'no: its own comes before',
      `<tool_call>\n${json}\n</tool_call>\n</function_note> is a tag.`,
      [bonn, '</function_note> is a tag.'],
    ],
  ]),
  ...rows('the rule', 'universal', [
    ['LO59a', 'only the second of InternLM', `<|plugin|>${json}<|action_end|>`, [bonn]],
    ['LO59b', 'a token before a word', `<|tool_call|>functools[${json}]`, [bonn]],
    [
      'LO59c',
      'tags of a family around the tags of each call',
      `<acme_tool_calls>\n<acme_tool_call>${json}</acme_tool_call>\n<acme_tool_call>{"name": "get_time", "arguments": {"tz": "UTC"}}</acme_tool_call>\n</acme_tool_calls>`,
      [bonn, inUtc],
    ],
    ['LO59d', 'the same as tokens', `So. <|acme_tool_call|>${json}<|/acme_tool_call|>`, ['So.', bonn]],
    ['LO59e', 'the same around a list', `<|acme_tool_calls|>[${json}]</|acme_tool_calls|>`, [bonn]],
  ]),
])

testCases('the closing quote of a name', [
  ...rows('the rule', 'hermes', [
    [
      'LO60a',
      'before the arguments',
      '<tool_call>{"name": "get_weather, "arguments": {"city": "Bonn"}}</tool_call>',
      [bonn],
      repaired,
    ],
    [
      'LO60b',
      'that is a part of it',
      '<tool_call>{"name": "get_weather, "arguments" is a name"}</tool_call>',
      ['<tool_call>{"name": "get_weather, "arguments" is a name"}</tool_call>'],
    ],
  ]),
])

testCases('reasoning in forms of other models of a family', [
  ...rows("vLLM's hyperclovax_seed_think_14b reasoning parser", 'hyperclova', [
    [
      'LO61a',
      'after the header of the prompt',
      '/think\nSo.<|im_end|>\n<|im_start|>assistant\nHello.',
      [{ think: 'So.' }, 'Hello.'],
    ],
    [
      'LO61b',
      'and a call',
      `/think\nSo.<|im_end|>\n<|im_start|>assistant -> tool/function_call\n[${json}]<|im_end|>`,
      [{ think: 'So.' }, bonn],
    ],
    ['LO61c', 'in text', 'Use /think\nor not.', ['Use /think\nor not.']],
  ]),
  ...rows('the chat template of Kimi K2.6', 'kimi-k2', [
    ['LO62', 'triangles', `◁think▷So.◁/think▷${section(kimi('functions.get_weather:0'))}`, [{ think: 'So.' }, bonn]],
  ]),
])

testCases('calls in forms of other models of a family', [
  ...rows('replies of LongCat-Flash', 'longcat', [
    ['LO63a', 'a name space', '<longcat_tool_call>functions.get_weather({city: "Bonn"})', [bonn], repaired],
    ['LO63b', 'parentheses', '<longcat_tool_call>get_weather({"city": "Bonn"})</longcat_tool_call>', [bonn]],
  ]),
  ...rows('the prompt of xLAM-1', 'xlam', [
    ['LO64a', 'an object around calls', `{"tool_calls": [${json}]}`, [bonn]],
    ['LO64b', 'and reasoning', `<think>So.</think>{"tool_calls": [${json}]}`, [{ think: 'So.' }, bonn]],
  ]),
  ...rows('the chat template of EXAONE 4', 'hermes', [
    [
      'LO65',
      'its tokens around a turn',
      `[|assistant|]<think>So.</think>\n\n<tool_call>${json}</tool_call>[|endofturn|]`,
      [{ think: 'So.' }, bonn],
    ],
  ]),
  ...rows('replies of Ling', 'glm', [
    [
      'LO66',
      'the end of a turn',
      '<tool_call>get_weather\n<arg_key>city</arg_key>\n<arg_value>Bonn</arg_value>\n</tool_call><|role_end|>',
      [bonn],
    ],
  ]),
])

const code = [
  `client.send(${json})`,
  `const reply = await client.call(${json});`,
  `expect(call).toEqual(${json})`,
  `handle([${json}])`,
  `test("it", () => expect(run()).toEqual([${json}]))`,
  'print([get_weather(city="Bonn")])',
  'for call in [get_weather(city="Bonn")]:\n    print(call)',
  'if call in [get_weather(city="Bonn")]: pass',
]

testCases(
  'code without a fence that has a call in it',
  code.map((text, index) => ({
    id: `LO67${index}`,
    title: 'the argument of a function, or a list that is gone through',
    source: 'the rule',
    dialect: 'universal' as const,
    tools: offered,
    text,
    reply: [text],
  })),
)
