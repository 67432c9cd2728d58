import { call, tool } from '../../../test/support/dialects/acceptance-case.ts'
import { testCases } from '../../../test/support/dialects/acceptance-table.ts'

/**
 * Texts that models write when they miss a form, or that belong to no form: a call that is clearly meant is read, and
 * everything else remains text.
 */

const search = tool('search', { query: 'string', n: 'integer' })
const read = tool('read_file', { path: 'string' })
const city = tool('get_city', { 'id!': 'string' })
const found = call('search', { query: 'Python tutorials' })
const json = '{"name": "search", "arguments": {"query": "Python tutorials"}}'
const any = { dialect: 'universal', tools: [search, read] } as const
const inTag = (body: string) => `<tool_call>{"name": "search", "arguments": ${body}}</tool_call>`
const fields = 'function.name: search\nfunction.arguments: {"query": "Python tutorials"}'
const shell = `[TOOL_CALL_HISTORY]\n${fields}\n[/TOOL_CALL_HISTORY]`

testCases('quotes that were left out', [
  {
    ...any,
    dialect: 'hermes',
    id: 'R01',
    title: 'a string that the closing tag ends',
    source: 'OCI generic models',
    text: '<tool_call>{"name": "search", "arguments": {"query": "Python tutorials</tool_call>',
    reply: [found],
    notices: ['repaired'],
  },
  {
    ...any,
    dialect: 'tool-call-json',
    id: 'R02',
    title: 'a string that all brackets and the closing tag end',
    source: 'OCI generic models',
    text: '<TOOL_CALL>{"name": "search", "input": {"query": "Python tutorials}}\n</TOOL_CALL>\n',
    reply: [found],
    notices: ['repaired'],
  },
  {
    ...any,
    dialect: 'hermes',
    id: 'R03',
    title: 'a bracket that may be the value’s',
    source: 'made up',
    text: `${inTag('{"query": "f(x}').slice(0, -13)}</tool_call>`,
    reply: [{ call: 'search', begun: '{"query":"f(x}</tool_call>' }],
    whole: [`${inTag('{"query": "f(x}').slice(0, -13)}</tool_call>`],
  },
  {
    ...any,
    dialect: 'hermes',
    id: 'R04',
    title: 'the next argument after a string without its end',
    source: 'OCI generic models',
    text: inTag('{"query": "Python tutorials, "n": 3}'),
    reply: [call('search', { query: 'Python tutorials', n: 3 })],
    notices: ['repaired'],
  },
  {
    ...any,
    dialect: 'hermes',
    id: 'R05',
    title: 'a quoted word after a comma that no argument is named like',
    source: 'made up',
    text: inTag('{"query": "use a, "key": 3", "n": 3}'),
    reply: [call('search', { query: 'use a, "key": 3', n: 3 })],
  },
  {
    ...any,
    dialect: 'hermes',
    id: 'R06',
    title: 'words without quotes',
    source: 'OCI generic models',
    text: inTag('{query: Python tutorials, "n": 3}'),
    reply: [call('search', { query: 'Python tutorials', n: 3 })],
    notices: ['repaired'],
  },
  {
    ...any,
    dialect: 'hermes',
    id: 'R07',
    title: 'words with a closing quote',
    source: 'OCI generic models',
    text: inTag('{"query": Python tutorials"}'),
    reply: [found],
    notices: ['repaired'],
  },
  {
    ...any,
    dialect: 'hermes',
    id: 'R08',
    title: 'the closing tag within a string that goes on',
    source: 'made up',
    text: inTag('{"query": "a}}</tool_call> b"}'),
    reply: [call('search', { query: 'a}}</tool_call> b' })],
    notices: [],
  },
])

testCases('words and members around calls', [
  {
    ...any,
    dialect: 'hermes',
    id: 'R11',
    title: 'words in the tag before the object and after it',
    source: 'OCI generic models',
    text: `<tool_call>\nHere is the call: ${json} thanks\n</tool_call>`,
    reply: [found],
  },
  {
    ...any,
    dialect: 'hermes',
    id: 'R12',
    title: 'words on a line of their own',
    source: 'OCI generic models',
    text: `<tool_call>Sure\n${json}</tool_call>`,
    reply: [found],
  },
  {
    ...any,
    id: 'R13',
    title: 'a state beside the calls',
    source: 'ds2api',
    text: `{"ok": true, "n": [1, 2], "tool_calls": [${json}]}`,
    reply: [found],
  },
  {
    ...any,
    id: 'R14',
    title: 'an answer beside the calls',
    source: 'ds2api',
    text: `{"response": "I look.", "finish_reason": "tool_calls", "tool_calls": [${json}]}`,
    reply: [found],
  },
  {
    ...any,
    id: 'R15',
    title: 'calls within a chunk of a stream',
    source: 'ds2api',
    text: `{"id": "x", "choices": [{"delta": {"tool_calls": [${json}]}}]}`,
    reply: [`{"id": "x", "choices": [{"delta": {"tool_calls": [${json}]}}]}`],
  },
  {
    ...any,
    id: 'R16',
    title: 'calls within another member',
    source: 'ds2api',
    text: `{"a": {"tool_calls": [${json}]}}`,
    reply: [`{"a": {"tool_calls": [${json}]}}`],
  },
  {
    ...any,
    id: 'R17',
    title: 'a broken object before one that is whole',
    source: 'ds2api',
    text: `{"tool_calls": not json} then {"tool_calls": [${json}]}`,
    reply: ['{"tool_calls": not json} then', found],
  },
])

testCases('elements and fields', [
  ...['name', 'function', 'tool_name'].map((element) => ({
    ...any,
    id: `R21 ${element}`,
    title: 'the name in an element',
    source: 'ds2api',
    text: `So.\n<invoke><${element}>read_file</${element}><arguments>{"path": "a"}</arguments></invoke>`,
    reply: ['So.', call('read_file', { path: 'a' })],
  })),
  {
    ...any,
    id: 'R22',
    title: 'JSON in the element',
    source: 'ds2api',
    text: `<invoke>${json}</invoke>`,
    reply: [found],
  },
  {
    ...any,
    id: 'R23',
    title: 'prose about the element',
    source: 'made up',
    text: 'The <invoke> element has a <name> in it.',
    reply: ['The <invoke> element has a <name> in it.'],
  },
  ...[
    `some text ${fields}`,
    `some text ${fields.replace('\n', ' ')}`,
    `Assistant: ${shell}`,
    `Assistant: ${shell.replaceAll('\n', ' ')}`,
  ].map((text, at) => ({
    ...any,
    id: `R24${'abcd'[at]}`,
    title: 'fields within a line',
    source: 'ds2api',
    text,
    reply: [text.slice(0, text.search(/ (?:\[|function)/)), found],
  })),
  {
    ...any,
    id: 'R25',
    title: 'fields after Chinese words',
    source: 'ds2api',
    text: `用户说${fields}`,
    reply: ['用户说', found],
  },
  {
    ...any,
    id: 'R26',
    title: 'fields as items of a list',
    source: 'ds2api',
    text: `- ${fields.replace('\n', '\n- ')}`,
    reply: [found],
  },
  {
    ...any,
    id: 'R27',
    title: 'fields that show a format',
    source: 'made up',
    text: `The format is ${fields}`,
    reply: [`The format is ${fields}`],
  },
  {
    ...any,
    id: 'R28',
    title: 'both ends of a section that holds no call',
    source: 'made up',
    text: '<|tool_calls_section_begin|>nothing<|tool_calls_section_end|> so',
    reply: ['<|tool_calls_section_begin|>nothing<|tool_calls_section_end|> so'],
  },
])

const open = { options: { reasoning: 'open' as const } }

testCases('reasoning in forms of its own', [
  {
    ...any,
    id: 'R31',
    title: 'triangles',
    source: 'Kimi VL Thinking',
    text: '◁think▷hm◁/think▷Hi',
    reply: [{ think: 'hm' }, 'Hi'],
  },
  {
    ...any,
    dialect: 'granite',
    id: 'R32',
    title: 'words at the head of a reply',
    source: 'Granite 3.2',
    text: 'Here is my thought process:\nhm\nHere is my response:\nHi',
    reply: [{ think: 'hm' }, 'Hi'],
  },
  {
    ...any,
    dialect: 'granite',
    id: 'R33',
    title: 'the same words later on',
    source: 'Granite 3.2',
    text: "Hi. Here's my thought process: hm. Here's my response: Hi",
    reply: ["Hi. Here's my thought process: hm. Here's my response: Hi"],
  },
  ...['</think>', '[/THINK]', '<channel|>', '◁/think▷'].map((closer) => ({
    ...any,
    ...open,
    id: `R34 ${closer}`,
    title: 'what closes reasoning that the prompt opened',
    source: 'made up',
    text: `hm${closer}Hi`,
    reply: [{ think: 'hm' }, 'Hi'],
  })),
  {
    ...any,
    id: 'R35',
    title: 'a second closing tag on a line of its own',
    source: 'Qwen3.5',
    text: `<think>hm</think>Hi\n</think>\n${inTag('{"query": "Python tutorials"}')}`,
    reply: [{ think: 'hm' }, 'Hi', found],
  },
  {
    ...any,
    id: 'R36',
    title: 'a closing tag that a sentence talks about',
    source: 'made up',
    text: '<think>hm</think>The tag </think> ends it.',
    reply: [{ think: 'hm' }, 'The tag </think> ends it.'],
  },
  {
    ...any,
    id: 'R37',
    title: 'an opening tag after a few words, at the end of the line',
    source: 'made up',
    text: 'Let me see. <think>\nhm\n</think>\nHi',
    reply: ['Let me see.', { think: 'hm' }, 'Hi'],
  },
])

const calculate = tool('calculate', { operation: 'string', a: 'number' })
const multiplied = call('calculate', { operation: 'multiply', a: 5 })

testCases('forms of other tools', [
  {
    ...any,
    id: 'R41',
    title: 'the form that LM Studio asks for',
    source: 'LM Studio',
    text: `So.\n[TOOL_REQUEST]${json}[END_TOOL_REQUEST]`,
    reply: ['So.', found],
  },
  {
    ...any,
    id: 'R42',
    title: 'the name before the arguments',
    source: 'llxprt-code, Gemma 3',
    text: 'So.\n[TOOL_REQUEST]\nsearch {"query": "Python tutorials"}\n[TOOL_REQUEST_END]',
    reply: ['So.', found],
  },
  {
    dialect: 'qwen3-coder',
    tools: [calculate],
    id: 'R43',
    title: 'an opening tag that is closed before the arguments',
    source: 'Qwen3-Coder, quantised',
    text: '<function=calculate</function>\n<parameter=operation>multiply</parameter>\n<parameter=a>5</parameter>\n</tool_call>',
    reply: [multiplied],
  },
  {
    ...any,
    id: 'R44',
    title: 'a fence whose word says that it is a call',
    source: 'browser-ai, bob-gemini-free',
    text: `So.\n\`\`\`tool_call\n${json}\n\`\`\`\nDone.`,
    reply: ['So.', found, 'Done.'],
  },
  {
    ...any,
    id: 'R45',
    title: 'elements that are named like the tool and its arguments',
    source: 'Roo-Code XmlToolCallFallbackParser.spec.ts',
    text: 'So. <search>\n<query>Python tutorials</query>\n</search> Now:\n<search><query>a < b</query><n>3</n></search>',
    reply: ['So.', found, 'Now:', call('search', { query: 'a < b', n: 3 })],
  },
  {
    ...any,
    id: 'R46',
    title: 'an element that is named like a tool, with none of its arguments in it',
    source: 'the rule',
    text: 'So.\n<search>\n<title>Python</title>\n</search>',
    reply: ['So.\n<search>\n<title>Python</title>\n</search>'],
  },
  ...[
    { id: 'R46b', text: 'So.\n<get_time>\n</get_time>\nDone.', reply: ['So.', call('get_time', {}), 'Done.'] },
    { id: 'R46c', text: '<get_time/>', reply: [call('get_time', {})] },
    {
      id: 'R46d',
      text: '<get_time></get_time><search><query>Python</query></search>',
      reply: [call('get_time', {}), call('search', { query: 'Python' })],
    },
    { id: 'R46e', text: 'The tag <get_time/> is one.', reply: ['The tag <get_time/> is one.'] },
    { id: 'R46f', text: '<search></search>', reply: ['<search></search>'] },
    { id: 'R46g', text: '<get_city></get_city>', reply: ['<get_city></get_city>'] },
  ].map((row) => ({
    ...any,
    ...row,
    tools: [...any.tools, tool('get_time'), city],
    title: 'the empty element of a tool: of one that requires nothing, on a line of its own',
    source: 'the rule',
  })),
  {
    ...any,
    id: 'R47',
    title: 'a fence in the line after a call',
    source: 'qwen-code xml-tool-call-fallback.test.ts',
    text: `<tool_call>${json}</tool_call>\n\`\`\`json\n${json}\n\`\`\``,
    reply: [found, `\`\`\`json\n${json}\n\`\`\``],
  },
])
