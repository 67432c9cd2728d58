import { type AcceptanceCase, call, tool } from '../../../test/support/dialects/acceptance-case.ts'
import { testCases } from '../../../test/support/dialects/acceptance-table.ts'
import { run, write } from '../../../test/support/dialects/acceptance-tools.ts'

/** AC63 to AC66: marks around calls that are not text and do not break the calls. */

const search = tool('search', { query: 'string', limit: 'integer' })
const bash = tool('bash', { 'command!': 'string', cwd: 'string', timeout: 'integer', id: 'string' })

const invokeSearch = (attributes: string) =>
  `<minimax:tool_call>\n<invoke name="search"${attributes}</invoke>\n</minimax:tool_call>`

testCases('brackets in the quoted attributes of tags', [
  {
    id: 'AC63a',
    title: 'of the call and of an argument',
    source: 'made up: attributes as can1357/oh-my-pi#8837 shows them of MiniMax',
    dialect: 'minimax-m2',
    text: invokeSearch(' note="x > y">\n<parameter name="query" note=\'a > b\'>q</parameter>\n'),
    tools: [search],
    reply: [call('search', { query: 'q' })],
    notices: ['ignored-member'],
  },
  {
    id: 'AC63b',
    title: 'of a tag that closes itself',
    source: 'made up, after can1357/oh-my-pi#8837',
    dialect: 'universal',
    text: '<tool name="bash" command="sort < a > b && echo \'c>d\'" />',
    tools: [bash],
    reply: [call('bash', { command: "sort < a > b && echo 'c>d'" })],
  },
  {
    id: 'AC63c',
    title: 'of a tag around JSON',
    source: 'made up, after can1357/oh-my-pi#8837',
    dialect: 'hermes',
    text: '<tool_call note="a>b">\n{"name": "run", "arguments": {"command": "ls"}}\n</tool_call>',
    tools: [run],
    reply: [call('run', { command: 'ls' })],
  },
  {
    id: 'AC63d',
    title: "of tags with a vendor's mark",
    source: 'made up, after can1357/oh-my-pi#8837',
    dialect: 'dsml',
    text: '<｜DSML｜tool_calls>\n<｜DSML｜invoke name="write">\n<｜DSML｜parameter name="path" string="true" note="a > b">c</｜DSML｜parameter>\n</｜DSML｜invoke>\n</｜DSML｜tool_calls>',
    tools: [write],
    reply: [call('write', { path: 'c' })],
  },
  {
    id: 'AC63e',
    title: "a name with one is no tool's",
    source: 'made up, after can1357/oh-my-pi#8837',
    dialect: 'minimax-m2',
    text: '<minimax:tool_call>\n<invoke name="a>b">\n<parameter name="query">q</parameter>\n</invoke>\n</minimax:tool_call>',
    tools: [search],
    reply: [
      '<minimax:tool_call>\n<invoke name="a>b">\n<parameter name="query">q</parameter>\n</invoke>\n</minimax:tool_call>',
    ],
    rejected: ['a>b'],
  },
])

const ran = call('run', { command: 'ls' })
const runJson = '{"name": "run", "arguments": {"command": "ls"}}'

testCases('a list around an object around calls', [
  ...[
    `[{"tool_calls": [${runJson}]}]`,
    `[{"tool_calls": ${runJson}}]`,
    `[{"thought": "I look.", "tool_calls": [${runJson}], "content": ""}]`,
    `[\n  {"tool_call": ${runJson}}\n]`,
  ].map(
    (text, index): AcceptanceCase => ({
      id: `AC64${'abcd'.charAt(index)}`,
      title: 'brackets go with the call',
      source: 'made up: objects as ds2api shows them, in a list',
      dialect: 'universal',
      text,
      tools: [run],
      reply: [ran],
      notices: [],
    }),
  ),
])

const now = tool('now', {})
const nowIs = call('now', {})

testCases('marks of a call that are left out, or stand beside it', [
  {
    id: 'AC65a',
    title: 'a section without the beginning of its call',
    source: 'lablup/mlxcel#766, Kimi K2',
    dialect: 'kimi-k2',
    text: '<|tool_calls_section_begin|>functions.run:0<|tool_call_argument_begin|>{"command": "ls"}<|tool_call_end|><|tool_calls_section_end|>',
    tools: [run],
    reply: [ran],
  },
  {
    id: 'AC65b',
    title: 'a call without the mark of its arguments',
    source: 'made up: Kimi K2 with a special token dropped',
    dialect: 'kimi-k2',
    text: '<|tool_call_begin|>functions.run:0{"command": "ls"}<|tool_call_end|>',
    tools: [run],
    reply: [ran],
  },
  {
    id: 'AC65c',
    title: 'a header without its special tokens, and the arguments on the next line',
    source: 'made up, after Augustas11/macprovider#743, which shows gpt-oss without its special tokens',
    dialect: 'harmony',
    text: 'assistant commentary to=functions.run json\n{"command": "ls"}assistantfinal Done.',
    tools: [run],
    reply: [ran, 'Done.'],
  },
  {
    id: 'AC65d',
    title: 'the same where the prompt has begun it',
    source: 'made up, after Augustas11/macprovider#743, which shows gpt-oss without its special tokens',
    dialect: 'harmony',
    text: 'to=functions.run code{"command": "ls"}',
    tools: [run],
    reply: [ran],
  },
  {
    id: 'AC65e',
    title: 'the recipient in a sentence is none',
    source: 'made up, after Augustas11/macprovider#743, which shows gpt-oss without its special tokens',
    dialect: 'harmony',
    text: 'The header holds to=functions.run json{"command": "ls"}',
    tools: [run],
    reply: ['The header holds to=functions.run json{"command": "ls"}'],
  },
  ...['I will look.\n', 'call'].map(
    (words, index): AcceptanceCase => ({
      id: `AC65${'fg'.charAt(index)}`,
      title: 'words between the tags of a section and of its call',
      source: 'made up: words where the generic models of OCI have them, in the tags of Qwen3-Coder',
      dialect: 'qwen3-coder',
      text: `<tool_call>\n${words}<function=run>\n<parameter=command>\nls\n</parameter>\n</function>\n</tool_call>`,
      tools: [run],
      reply: [ran],
    }),
  ),
  {
    id: 'AC65h',
    title: 'marks in the plural',
    source: 'made up: the plural that Solar Open has',
    dialect: 'granite',
    text: `<|tool_calls|>[${runJson}]<|/tool_calls|>`,
    tools: [run],
    reply: [ran],
  },
])

testCases('calls without arguments, or of other quotes', [
  ...(
    [
      ['qwen3-coder', '<tool_call>\n<function=now/>\n</tool_call>'],
      ['qwen3-coder', '<function=now />'],
      ['universal', '<tool_call>now()</tool_call>'],
      ['universal', '```tool_code\nnow()\n```'],
      ['pythonic', "['now()']"],
      ['universal', "[{'now': {}}]"],
    ] as const
  ).map(
    ([dialect, text], index): AcceptanceCase => ({
      id: `AC66${'abcdef'.charAt(index)}`,
      title: 'in the form of the format',
      source: 'made up: a call without arguments in each form',
      dialect,
      text,
      tools: [now],
      reply: [nowIs],
    }),
  ),
])
