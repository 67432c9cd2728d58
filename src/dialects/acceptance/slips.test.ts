import { type AcceptanceCase, call, tool } from '../../../test/support/dialects/acceptance-case.ts'
import { testCases } from '../../../test/support/dialects/acceptance-table.ts'
import { run, write } from '../../../test/support/dialects/acceptance-tools.ts'

/** AC57 and later: deviations of models from their own form. */

const search = tool('search', { query: 'string', limit: 'integer' })

testCases('tags that are left out', [
  {
    id: 'AC57a',
    title: 'a value whose opening tag is left out',
    source: 'vllm#49248, seen of GLM-5.2',
    dialect: 'glm',
    text: '<tool_call>search<arg_key>query</arg_key>how many vacation days left</arg_value></tool_call>',
    tools: [search],
    reply: [call('search', { query: 'how many vacation days left' })],
  },
  {
    id: 'AC57b',
    title: 'the same in the second argument, so that the first does not reach to its end',
    source: 'vllm#49249, seen of GLM-5.2',
    dialect: 'glm',
    text: '<tool_call>search\n<arg_key>query</arg_key>\n<arg_value>cats</arg_value>\n<arg_key>limit</arg_key>\n3</arg_value>\n</tool_call>',
    tools: [search],
    reply: [call('search', { query: 'cats', limit: 3 })],
  },
  {
    id: 'AC57c',
    title: 'the same where the value is markup',
    source: 'vllm#49248',
    dialect: 'glm',
    text: '<tool_call>write<arg_key>path</arg_key><arg_value>a</arg_value><arg_key>content</arg_key><p>Hello</p></arg_value></tool_call>',
    tools: [write],
    reply: [call('write', { path: 'a', content: '<p>Hello</p>' })],
  },
  {
    id: 'AC57f',
    title: 'a key after the tag of a call in place of its own',
    source: 'getsigit/sigit#95, seen of GLM 5.3',
    dialect: 'glm',
    text: '<tool_call>search<tool_call>query</arg_key><arg_value>"a" && b</arg_value><tool_call>limit</arg_key><arg_value>3</arg_value></tool_call>',
    tools: [search],
    reply: [call('search', { query: '"a" && b', limit: 3 })],
  },
  {
    id: 'AC57d',
    title: 'a key without any value is none',
    source: 'vllm#49249',
    dialect: 'glm',
    text: '<tool_call>search<arg_key>query</arg_key></tool_call>',
    tools: [search],
    reply: [{ call: 'search', begun: '' }, '<arg_key>query</arg_key></tool_call>'],
    whole: ['<tool_call>search<arg_key>query</arg_key></tool_call>'],
  },
  {
    id: 'AC57g',
    title: 'tags of another name',
    source: 'vllm#49249',
    dialect: 'longcat',
    text: '<longcat_tool_call>search<longcat_arg_key>query</longcat_arg_key>cats</longcat_arg_value></longcat_tool_call>',
    tools: [search],
    reply: [call('search', { query: 'cats' })],
  },
  {
    id: 'AC57h',
    title: 'a key without any value in these',
    source: 'vllm#49249',
    dialect: 'longcat',
    text: '<longcat_tool_call>search<longcat_arg_key>query</longcat_arg_key></longcat_tool_call>',
    tools: [search],
    reply: [{ call: 'search', begun: '' }, '<longcat_arg_key>query</longcat_arg_key></longcat_tool_call>'],
    whole: ['<longcat_tool_call>search<longcat_arg_key>query</longcat_arg_key></longcat_tool_call>'],
  },
  {
    id: 'AC57e',
    title: 'the tag of a value that a cut goes through is none of the value',
    source: 'vllm#49249',
    dialect: 'glm',
    text: '<tool_call>search<arg_key>query</arg_key><arg_va',
    tools: [search],
    end: 'length',
    reply: [{ call: 'search', begun: '' }],
    whole: ['<tool_call>search<arg_key>query</arg_key><arg_va'],
    accept: [[{ call: 'search', begun: '' }, '<arg_key>query</arg_key><arg_va']],
  },
])

const invoked = (content: string) =>
  `<minimax:tool_call>\n<invoke name="write">\n<parameter name="content">${content}</parameter>\n<parameter name="path">a.xml</parameter>\n</invoke>\n</minimax:tool_call>`
const element = '<parameter>\n  <hello></hello>\n</parameter>'

testCases('closing tags that come twice', [
  {
    id: 'AC58a',
    title: 'a value that is an element named like an argument',
    source: 'vllm#44060, seen of MiniMax-M2.7',
    dialect: 'minimax-m2',
    text: invoked(element),
    tools: [write],
    reply: [call('write', { content: element, path: 'a.xml' })],
  },
  {
    id: 'AC58b',
    title: 'several of them, inside of one another',
    source: 'vllm#44060',
    dialect: 'minimax-m2',
    text: invoked(`<parameter name="a"><parameter>x</parameter></parameter>${element}`),
    tools: [write],
    reply: [
      call('write', {
        content: `<parameter name="a"><parameter>x</parameter></parameter>${element}`,
        path: 'a.xml',
      }),
    ],
  },
  {
    id: 'AC58c',
    title: 'a closing tag that is doubled after them',
    source: 'llama.cpp#24863',
    dialect: 'minimax-m2',
    text: invoked(`${element}</parameter>`),
    tools: [write],
    reply: [call('write', { content: element, path: 'a.xml' })],
  },
  {
    id: 'AC58d',
    title: 'a value on lines of its own that ends in one',
    source: 'vllm#44060',
    dialect: 'qwen3-coder',
    text: '<tool_call>\n<function=write>\n<parameter=path>\na.xml\n</parameter>\n<parameter=content>\n<parameter=edits>\n1\n</parameter>\n</parameter>\n</function>\n</tool_call>',
    tools: [write],
    reply: [call('write', { path: 'a.xml', content: '<parameter=edits>\n1\n</parameter>' })],
  },
  {
    id: 'AC58e',
    title: 'an element named like a value in GLM',
    source: 'vllm#44060',
    dialect: 'glm',
    text: '<tool_call>write<arg_key>content</arg_key><arg_value>See <arg_value>x</arg_value></arg_value></tool_call>',
    tools: [write],
    reply: [call('write', { content: 'See <arg_value>x</arg_value>' })],
  },
  {
    id: 'AC58f',
    title: 'one with the prefix of its vendor',
    source: 'vllm#44060',
    dialect: 'dsml',
    text: '<｜DSML｜tool_calls>\n<｜DSML｜invoke name="write">\n<｜DSML｜parameter name="content" string="true"><｜DSML｜parameter name="x">1</｜DSML｜parameter></｜DSML｜parameter>\n</｜DSML｜invoke>\n</｜DSML｜tool_calls>',
    tools: [write],
    reply: [call('write', { content: '<｜DSML｜parameter name="x">1</｜DSML｜parameter>' })],
  },
])

const bash = tool('bash', { 'command!': 'string', cwd: 'string', timeout: 'integer', id: 'string' })

testCases('arguments in attributes of the tag that names the tool', [
  {
    id: 'AC59a',
    title: 'tags that close themselves',
    source: 'can1357/oh-my-pi#8837, seen of MiniMax',
    dialect: 'universal',
    text: '<tool name="bash" command="ls -la src" cwd="/work" timeout="5" />\n<tool name="run" command="echo &quot;a&quot;" />',
    tools: [bash, run],
    reply: [call('bash', { command: 'ls -la src', cwd: '/work', timeout: 5 }), call('run', { command: 'echo "a"' })],
    notices: [],
  },
  {
    id: 'AC59b',
    title: 'tags with nothing between them',
    source: 'can1357/oh-my-pi#8837',
    dialect: 'universal',
    text: '<tool_call>\n<invoke name="bash" command=\'ls "a"\'></invoke>\n</tool_call>',
    tools: [bash],
    reply: [call('bash', { command: 'ls "a"' })],
    notices: [],
  },
  {
    id: 'AC59c',
    title: 'beside an argument of its own, which goes first',
    source: 'can1357/oh-my-pi#8837',
    dialect: 'minimax-m2',
    text: '<minimax:tool_call>\n<invoke name="bash" id="call_7" cwd="/work" command="pwd">\n<parameter name="command">ls</parameter>\n</invoke>\n</minimax:tool_call>',
    tools: [bash],
    reply: [call('bash', { command: 'ls', cwd: '/work' })],
    notices: ['ignored-member'],
  },
  {
    id: 'AC59d',
    title: 'beside one object with all arguments, to which none is added',
    source: 'can1357/oh-my-pi#8837',
    dialect: 'minimax-m2',
    text: '<minimax:tool_call>\n<invoke name="bash" cwd="/work">{"command": "ls"}</invoke>\n</minimax:tool_call>',
    tools: [bash],
    reply: [call('bash', { command: 'ls' })],
    notices: ['ignored-member'],
  },
  {
    id: 'AC59e',
    title: 'that the tool does not have',
    source: 'can1357/oh-my-pi#8837',
    dialect: 'minimax-m2',
    text: '<minimax:tool_call>\n<invoke name="bash" id="1" where="/work">\n<parameter name="command">ls</parameter>\n</invoke>\n</minimax:tool_call>',
    tools: [bash],
    reply: [call('bash', { command: 'ls' })],
    notices: ['ignored-member'],
  },
])

const dsml = (call: string, section = 'tool_calls') =>
  `<｜DSML｜${section}>\n<｜DSML｜invoke name="write">\n${call}\n</｜DSML｜${section}>`

testCases('tags of DSML that are misspelt', [
  {
    id: 'AC60a',
    title: 'the end of an argument',
    source: 'llama.cpp#28612, seen of DeepSeek V4 Flash',
    dialect: 'dsml',
    text: dsml(
      '<｜DSML｜parameter name="path" string="true">a.md</｜DSML｜param>\n<｜DSML｜parameter name="content" string="true">b</｜DSML｜parameter>\n</｜DSML｜invoke>',
    ),
    tools: [write],
    reply: [call('write', { path: 'a.md', content: 'b' })],
  },
  {
    id: 'AC60b',
    title: 'the end of a call',
    source: 'osaurus-ai/osaurus#1242, seen of DeepSeek V4 Flash',
    dialect: 'dsml',
    text: dsml('<｜DSML｜parameter name="path" string="true">a.md</｜DSML｜parameter>\n</｜DSML｜inv>'),
    tools: [write],
    reply: [call('write', { path: 'a.md' })],
  },
  {
    id: 'AC60c',
    title: 'both tags of a section',
    source: 'osaurus-ai/osaurus#1242',
    dialect: 'dsml',
    text: dsml('<｜DSML｜parameter name="path" string="true">a.md</｜DSML｜parameter>\n</｜DSML｜inv>', 'tool_cs'),
    tools: [write],
    reply: [call('write', { path: 'a.md' })],
  },
  ...['<‖DSML‖', '<｜｜DSML‖', '< | DSML | ', '<| DSML |'].map(
    (mark, index): AcceptanceCase => ({
      id: `AC60${'defg'.charAt(index)}`,
      title: 'other bars, and blanks around them',
      source: 'lsdefine/GenericAgent#804, AgentFlocks/flocks#687, seen of DeepSeek V4 Flash',
      dialect: 'dsml',
      text: dsml('<｜DSML｜parameter name="path" string="true">a < b</｜DSML｜parameter>\n</｜DSML｜invoke>')
        .replaceAll('<｜DSML｜', mark)
        .replaceAll('</｜DSML｜', mark.replace('<', '</')),
      tools: [write],
      reply: [call('write', { path: 'a < b' })],
    }),
  ),
  {
    id: 'AC60j',
    title: 'tags of others that begin alike, without the mark, are text',
    source: 'llama.cpp#28612',
    dialect: 'dsml',
    text: dsml(
      '<｜DSML｜parameter name="content" string="true"><params>a</params></inv></｜DSML｜parameter>\n</｜DSML｜invoke>',
    ),
    tools: [write],
    reply: [call('write', { content: '<params>a</params></inv>' })],
  },
])

const gemmaCall = (args: string) => `<|tool_call>call:search(${args})<tool_call|>`

/** A call of `run` in DSML, with one of its arguments in CDATA. */
const drifted = (open: string, close: string, end: string, [from, to]: readonly [string, string]) =>
  [
    `<${open}tool_calls${end}`,
    `<${open}invoke name="run"${end}`,
    `<${open}parameter name="command"${end}${from}ls -l${to}${close}parameter${end}`,
    `${close}invoke${end}`,
    `${close}tool_calls${end}`,
  ].join('\n')
const cdata = ['<![CDATA[', ']]>'] as const

testCases('tags of DSML with other marks, letters and brackets', [
  ...[
    {
      id: 'S70a',
      title: 'marks before the slash and in CDATA',
      text: drifted('！DSML！', '<！/DSML！', '>', ['<！[CDATA[', ']]>']),
    },
    { id: 'S70b', title: 'commas', text: drifted('、DSML、', '<、/DSML、', '>', ['<、[CDATA[', ']]>']) },
    { id: 'S70c', title: 'a symbol for a control character', text: drifted('DSML␂', '</DSML␂', '>', cdata) },
    { id: 'S70d', title: 'a symbol before the bracket', text: drifted('DSML', '</DSML', '※>', cdata) },
    {
      id: 'S70e',
      title: 'full-width letters and brackets',
      text: drifted('ｄＳＭＬ｜', '</ｄＳＭＬ｜', '＞', ['<![CDATA[', ']]＞']),
    },
    { id: 'S70f', title: 'Chinese angle brackets', text: drifted('DSM｜', '〈/DSM｜', '>', ['〈![CDATA[', ']]〉']) },
    { id: 'S70g', title: 'a word and a dash', text: drifted('agent - ', '</agent - ', '>', cdata) },
    {
      id: 'S70h',
      title: 'letters of other alphabets',
      text: drifted('|DSML|', '</|DSML|', '>', ['<![\ufeffСDАTА[', ']]>'])
        .replaceAll('tool_calls', 'toοl＿calls')
        .replaceAll('invoke name', 'invοkе nаme'),
    },
    {
      id: 'S70i',
      title: "SentencePiece's blank between attributes",
      text: drifted('｜DSML▁', '</｜DSML▁', '>', cdata).replaceAll(' name', '▁name'),
    },
    {
      id: 'S70j',
      title: 'a section tag that its line ends',
      text: drifted('|DSML|', '</|DSML|', '>', cdata).replace('tool_calls>', 'tool_calls| '),
    },
    {
      id: 'S70k',
      title: 'a CDATA section that the reply ends without closing',
      text: drifted('|DSML|', '</|DSML|', '>', ['<![CDATA[', '']),
    },
  ].map((row) => ({
    ...row,
    dialect: 'dsml' as const,
    source: 'ds2api stream-tool-sieve.test.js, DeepSeek V4',
    tools: [tool('run', { command: 'string' })],
    reply: [call('run', { command: 'ls -l' })],
  })),
])

testCases('parentheses around arguments that have names', [
  {
    id: 'AC61a',
    title: 'in place of braces',
    source: 'vllm#53657, seen of Gemma 4',
    dialect: 'gemma4',
    text: `${gemmaCall('query:<|"|>ls (all), -a<|"|>')}${gemmaCall('query: "x", limit: 3')}`,
    tools: [search],
    reply: [call('search', { query: 'ls (all), -a' }), call('search', { query: 'x', limit: 3 })],
  },
  {
    id: 'AC61b',
    title: 'with the sign that other languages have',
    source: 'jundot/omlx#1886, seen of Gemma 4',
    dialect: 'gemma4',
    text: gemmaCall('query=<|"|>foo (bar)<|"|>, limit=3'),
    tools: [search],
    reply: [call('search', { query: 'foo (bar)', limit: 3 })],
  },
  {
    id: 'AC61c',
    title: 'cut in a value',
    source: 'vllm#53657',
    dialect: 'gemma4',
    text: '<|tool_call>call:search(query:<|"|>ls',
    tools: [search],
    end: 'length',
    reply: [{ call: 'search', begun: '{"query":"ls' }],
    whole: ['<|tool_call>call:search(query:<|"|>ls'],
  },
  {
    id: 'AC61d',
    title: 'with no name in them are none',
    source: 'vllm#53657',
    dialect: 'gemma4',
    text: '<|tool_call>call:search(the query)<tool_call|>',
    tools: [search],
    reply: ['<|tool_call>call:search(the query)<tool_call|>'],
  },
])

testCases('JSON in the tags of formats that have other calls in them', [
  ...(['qwen3-coder', 'glm'] as const).map(
    (dialect, index): AcceptanceCase => ({
      id: `AC62${'ab'.charAt(index)}`,
      title: 'one call in each',
      source: 'hermes-agent#14601, seen of Step 3.5 Flash; mlx-lm#792, seen of GLM 4.7',
      dialect,
      text: `<tool_call>{"name": "run", "arguments": {"command": "ls"}}</tool_call>\n<tool_call>\n{'name': 'run', 'arguments': {'command': 'echo "it\\'s"'}}\n</tool_call>`,
      tools: [run],
      reply: [call('run', { command: 'ls' }), call('run', { command: 'echo "it\'s"' })],
    }),
  ),
])
