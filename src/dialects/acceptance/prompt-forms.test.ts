import { type AcceptanceCase, call, tool } from '../../../test/support/dialects/acceptance-case.ts'
import { testCases } from '../../../test/support/dialects/acceptance-table.ts'
import { clock, weather } from '../../../test/support/dialects/acceptance-tools.ts'

/** Forms that the prompts of agents, servers and older models ask for, and slips in them. */

const bonn = call('get_weather', { city: 'Bonn' })
const inUtc = call('get_time', { tz: 'UTC' })
const args = '{"city": "Bonn"}'

type Row = [id: string, title: string, text: string, reply?: AcceptanceCase['reply'], tools?: AcceptanceCase['tools']]

function rows(source: string, of: readonly Row[], dialect: AcceptanceCase['dialect'] = 'universal'): AcceptanceCase[] {
  return of.map(([id, title, text, reply = [bonn], tools = [weather, clock]]) => ({
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
  'forms of agents',
  rows('Qwen-Agent, LangChain, LiteLLM, Cline, TGI', [
    [
      'PF01a',
      'two calls',
      `✿FUNCTION✿: get_weather\n✿ARGS✿: ${args}\n✿FUNCTION✿: get_time\n✿ARGS✿: {"tz": "UTC"}\n✿RESULT✿`,
      [bonn, inUtc],
    ],
    ['PF01b', 'after text', `So.\n✿FUNCTION✿: get_weather\n✿ARGS✿: ${args}`, ['So.', bonn]],
    ['PF01c', 'an answer', '✿RETURN✿: Rain.', ['Rain.']],
    ['PF02a', 'a text as input', '<tool>get_weather</tool><tool_input>Bonn</tool_input>'],
    ['PF02b', 'an object as input', `<tool>get_weather</tool>\n<tool_input>\n${args}\n</tool_input>`],
    ['PF02c', 'other words', `<function>get_weather</function><parameters>${args}</parameters>`],
    [
      'PF02d',
      'a tool that is not offered',
      '<tool>rm</tool><tool_input>a</tool_input>',
      ['<tool>rm</tool><tool_input>a</tool_input>'],
    ],
    [
      'PF03a',
      'the name in an element, in a section',
      '<function_calls>\n<invoke>\n<tool_name>get_weather</tool_name>\n<parameters>\n<city>Bonn</city>\n</parameters>\n</invoke>\n</function_calls>',
    ],
    [
      'PF04a',
      'a tool of a server',
      `<use_mcp_tool>\n<server_name>w</server_name>\n<tool_name>get_weather</tool_name>\n<arguments>\n${args}\n</arguments>\n</use_mcp_tool>`,
    ],
    [
      'PF04b',
      'one without arguments',
      '<use_mcp_tool><tool_name>get_time</tool_name></use_mcp_tool>',
      [call('get_time')],
    ],
    ['PF05a', 'arguments beside the name', '{"function": {"_name": "get_weather", "city": "Bonn"}}'],
    [
      'PF05b',
      'what says that nothing is called',
      '{"function": {"_name": "no_tool", "content": "a"}}',
      ['{"function": {"_name": "no_tool", "content": "a"}}'],
    ],
    ['PF06', 'another word for arguments', `{"tool_name": "get_weather", "tool_arguments": ${args}}`],
  ]),
)

const uses = `{"tool_uses": [{"recipient_name": "functions.get_weather", "parameters": ${args}}, {"recipient_name": "functions.get_time", "parameters": {"tz": "UTC"}}]}`
testCases('several calls by one that is no tool', [
  ...rows('OpenAI', [
    [
      'PF10a',
      'as JSON',
      `<tool_call>{"name": "multi_tool_use.parallel", "arguments": ${uses}}</tool_call>`,
      [bonn, inUtc],
    ],
    ['PF10b', 'without markers', `{"name": "multi_tool_use.parallel", "arguments": ${uses}}`, [bonn, inUtc]],
  ]),
  ...rows(
    'gpt-oss',
    [
      [
        'PF10c',
        'in a channel',
        `<|channel|>commentary to=multi_tool_use.parallel <|constrain|>json<|message|>${uses}<|call|>`,
        [bonn, inUtc],
      ],
      [
        'PF10e',
        'with the name space of functions',
        `<|channel|>commentary to=functions.multi_tool_use.parallel <|constrain|>json<|message|>${uses}<|call|>`,
        [bonn, inUtc],
      ],
      ['PF10d', 'without special tokens', `assistantcommentary to=multi_tool_use.parallel json${uses}`, [bonn, inUtc]],
    ],
    'harmony',
  ),
])

const typed = tool('list')
testCases('signs of older models', [
  ...rows(
    'Functionary 2',
    [
      ['PF23a', 'a call', `<|from|>assistant\n<|recipient|>get_weather\n<|content|>${args}<|stop|>`],
      ['PF23b', 'an answer', '<|from|>assistant\n<|recipient|>all\n<|content|>Hi.<|stop|>', ['Hi.']],
      [
        'PF23c',
        'an answer and two calls',
        `<|recipient|>all\n<|content|>So.\n<|from|>assistant\n<|recipient|>get_weather\n<|content|>${args}\n<|from|>assistant\n<|recipient|>get_time\n<|content|>{"tz": "UTC"}<|stop|>`,
        ['So.', bonn, inUtc],
      ],
    ],
    'functionary-v3.2',
  ),
  ...rows('the rule', [
    [
      'PF24a',
      'an argument as a schema has it first',
      '[{"name": "list", "arguments": {"type": "beta"}}]',
      [call('list', { type: 'beta' })],
      [typed],
    ],
    [
      'PF24b',
      'a schema',
      '{"name": "list", "parameters": {"type": "object", "properties": {}}}',
      ['{"name": "list", "parameters": {"type": "object", "properties": {}}}'],
      [typed],
    ],
    [
      'PF24c',
      'a turn that begins again',
      `<tool_call>{"name": "get_weather", "arguments": ${args}}</tool_call><|eot_id|><|start_header_id|>assistant<|end_header_id|>\n\n`,
    ],
    [
      'PF24d',
      'tags that are escaped',
      'It reads &lt;tool_call&gt;{"name": "get_time", "arguments": {}}&lt;/tool_call&gt; there.',
      ['It reads &lt;tool_call&gt;{"name": "get_time", "arguments": {}}&lt;/tool_call&gt; there.'],
    ],
  ]),
  ...rows('Llama at Groq', [
    ['PF20a', 'a parenthesis', `<function(get_weather)>${args}</function>`],
    ['PF20b', 'no bracket', `<function=get_weather${args}</function>`],
    ['PF20c', 'a slash', `<function/get_weather>${args}</function>`],
    ['PF20e', 'a list', `<function=get_weather>[${args}]</function>`],
    ['PF20f', 'the name between tags', `<function>get_weather${args}</function>`],
    ['PF20h', 'the end of the tag after the object', `<function=get_weather${args}></function>`],
    ['PF20i', 'the object in parentheses', `<function=get_weather(${args})</function>`],
    ['PF20j', 'the tag closed after an empty object', '<function=get_time{}></function>', [call('get_time')]],
    ['PF20g', 'text', 'The <function> tag {is} old.', ['The <function> tag {is} old.']],
  ]),
  ...rows('Glaive, MiniCPM 3, NexusRaven, Gemma', [
    [
      'PF21a',
      'arguments in single quotes',
      `<functioncall> {"name": "get_weather", "arguments": '${args}'} <|endoftext|>`,
    ],
    [
      'PF21c',
      'code in a fence between markers',
      '<|tool_call_start|>\n```python\nget_weather(city="Bonn")\n```\n<|tool_call_end|>',
    ],
    ['PF21d', 'thoughts between others', '<|thought_start|>\nHm.\n<|thought_end|>\nYes.', [{ think: 'Hm.' }, 'Yes.']],
    [
      'PF21e',
      'a call that explains itself',
      "Call: get_weather(city='Bonn')<bot_end>\nThought: it asks.",
      [bonn, 'Thought: it asks.'],
    ],
    ['PF21f', 'code between tags', '<tool_code>\nprint(get_weather(city="Bonn"))\n</tool_code>'],
    ['PF21g', 'a fence whose word says so', `\`\`\`tool_use\n{"name": "get_weather", "arguments": ${args}}\n\`\`\``],
  ]),
  ...rows(
    'DeepSeek',
    [
      [
        'PF22a',
        'markers without bars',
        `<tool▁calls▁begin><tool▁call▁begin>function<tool▁sep>get_weather\n\`\`\`json\n${args}\n\`\`\`<tool▁call▁end><tool▁calls▁end>`,
      ],
      [
        'PF22b',
        'no opening markers',
        `function<｜tool▁sep｜>get_weather\n\`\`\`json\n${args}\n\`\`\`<｜tool▁call▁end｜><｜tool▁calls▁end｜>`,
      ],
    ],
    'deepseek-v3',
  ),
])

const save = tool('write_file', { path: 'string', content: 'string' })
const unknown = tool('write_file')
testCases('labels and elements in place of markers', [
  ...rows('ReAct, smolagents', [
    ['PF40a', 'a call in Python', 'Thought: rain?\nAction: get_weather(city="Bonn")', ['Thought: rain?', bonn]],
    ['PF40b', 'an object in parentheses', `Action: get_weather(${args})`],
    [
      'PF40c',
      'code in backticks, before a result',
      'Action: `get_time()`\nObservation: 9',
      [call('get_time'), 'Observation: 9'],
    ],
    [
      'PF40d',
      'JSON after the label',
      `Thought: rain?\nAction:\n{"name": "get_weather", "arguments": ${args}}`,
      ['Thought: rain?', bonn],
    ],
    ['PF40e', 'another label for the input', `Action: get_weather\nInput: ${args}`],
    ['PF40f', 'the same with a fence', `**Action:** get_weather\n**Arguments:**\n\`\`\`json\n${args}\n\`\`\``],
    ['PF40g', 'words as input', 'Action: get_weather\nInput: the city', ['Action: get_weather\nInput: the city']],
    ['PF40h', 'a sentence', 'Action: call get_time() now', ['Action: call get_time() now']],
    ['PF40i', 'an object that is no call', 'Action: {"steps": 3}', ['Action: {"steps": 3}']],
  ]),
  ...rows('claude-code-router#1340, vllm-mlx#15', [
    [
      'PF41a',
      'JSON in an element',
      '<write_file>{"path": "a"}</write_file>',
      [call('write_file', { path: 'a' })],
      [save],
    ],
    ['PF41b', 'a word in it', '<write_file>path</write_file>', ['<write_file>path</write_file>'], [save]],
    ['PF41c', 'a past call as text', `[Calling tool: get_weather(${args})]`],
    ['PF41d', 'Python in the other tag', '<function_call>get_weather(city="Bonn")</function_call>'],
    [
      'PF41e',
      'a page in an argument of which nothing is known',
      '<write_file><path>a</path><content><body><p>Hi</p></body></content></write_file>',
      [call('write_file', { path: 'a', content: '<body><p>Hi</p></body>' })],
      [unknown],
    ],
  ]),
])

testCases(
  'text that looks like it',
  rows('the rule', [
    ['PF30a', 'code', "get_weather\n```python\nprint('a')\n```", ["get_weather\n```python\nprint('a')\n```"]],
    ['PF30b', 'a form', '<tool>get_weather</tool> is the tool.', ['<tool>get_weather</tool> is the tool.']],
    ['PF30c', 'a label', 'Call: get_weather(city) for rain.', ['Call: get_weather(city) for rain.']],
    [
      'PF30d',
      'an object',
      '{"function": {"_id": "get_weather", "city": "Bonn"}}',
      ['{"function": {"_id": "get_weather", "city": "Bonn"}}'],
    ],
    [
      'PF30e',
      'a call of another',
      '{"name": "multi_tool_use.parallel", "arguments": {"a": 1}}',
      ['{"name": "multi_tool_use.parallel", "arguments": {"a": 1}}'],
      [tool('go')],
    ],
  ]),
)
