import { glm, hunyuan } from './glm.ts'
import { qwen3Coder } from './qwen3-coder.ts'
import { paris, readsAll } from './test-tagged.ts'

const qwen = (body: string) => `<tool_call>\n<function=write>\n${body}\n</function>\n</tool_call>`

readsAll([
  [
    'no white space',
    qwen3Coder,
    '<tool_call><function=get_weather><parameter=city>Paris</parameter><parameter=days>3</parameter></function></tool_call>',
    [paris],
  ],
  ['no arguments', qwen3Coder, '<tool_call>\n<function=plan>\n</function>\n</tool_call>', ['plan {}']],
  [
    'arguments in JSON',
    qwen3Coder,
    '<tool_call>\n<function=get_weather>\n{"city": "Paris"}\n</function>\n</tool_call>',
    ['get_weather {"city":"Paris"}'],
  ],
  [
    'text behind',
    qwen3Coder,
    `${qwen('<parameter=path>\na\n</parameter>')}\nDone.`,
    ['write {"path":"a"}'],
    { rest: '\nDone.' },
  ],
  [
    'a value verbatim but for a line break at each tag',
    qwen3Coder,
    qwen('<parameter=content>\n\n a &lt; "b" \n\n</parameter>'),
    ['write {"content":"\\n a &lt; \\"b\\" \\n"}'],
  ],
  [
    'a closing tag in a value',
    qwen3Coder,
    qwen('<parameter=content>\nuse </parameter> and </function> so\n</parameter>'),
    ['write {"content":"use </parameter> and </function> so"}'],
  ],
  [
    'an argument closed twice',
    qwen3Coder,
    qwen('<parameter=path>\na\n</parameter>\n</parameter>\n<parameter=content>\nb\n</parameter>'),
    ['write {"path":"a","content":"b"}'],
  ],
  ['a call closed twice', qwen3Coder, '<tool_call><function=plan></function>\n</function></tool_call>', ['plan {}']],
  ['an argument that the call closes', qwen3Coder, qwen('<parameter=path>\na'), ['write {"path":"a"}']],
  [
    'an argument that the next one closes',
    qwen3Coder,
    qwen('<parameter=path>\na\n<parameter=content>\nb\n</parameter>'),
    ['write {"path":"a","content":"b"}'],
    { notices: ['repaired'] },
  ],
  [
    'an opener within a line is a value',
    qwen3Coder,
    qwen('<parameter=path>\na <parameter=content>\n</parameter>'),
    ['write {"path":"a <parameter=content>"}'],
  ],
  [
    'an opener of what the tool does not take is a value',
    qwen3Coder,
    qwen('<parameter=path>\na\n<parameter=other>\nb\n</parameter>'),
    ['write {"path":"a\\n<parameter=other>\\nb"}'],
  ],
  [
    'an opener without its bracket',
    qwen3Coder,
    '<tool_call>\n<function=write\n<parameter=path>\na\n</parameter>\n</function>\n</tool_call>',
    ['write {"path":"a"}'],
  ],
  [
    'a call that nothing closes',
    qwen3Coder,
    '<function=get_weather>\n<parameter=city>\nParis\n</parameter>\n',
    ['get_weather {"city":"Paris"}'],
    { notices: ['repaired'] },
  ],
  [
    'a bare call with the closing tag of its section',
    qwen3Coder,
    '<function=get_weather>\n<parameter=city>\nParis\n</parameter>\n</function>\n</tool_call>',
    ['get_weather {"city":"Paris"}'],
  ],
  [
    'two calls in a section',
    qwen3Coder,
    '<tool_call>\n<function=plan>\n</function>\n<function=write>\n</function>\n</tool_call>',
    ['plan {}', 'write {}'],
  ],
  [
    'a tag that is talked about',
    qwen3Coder,
    '<function=plan> is what you write',
    [],
    { status: 'no-call', rest: '<function=plan> is what you write' },
  ],
  [
    'JSON in the same tag',
    qwen3Coder,
    '<tool_call>\n{"name": "plan", "arguments": {}}\n</tool_call>',
    [],
    { status: 'no-call' },
  ],
  [
    'no line breaks',
    glm,
    '<tool_call>get_weather<arg_key>city</arg_key><arg_value>Paris</arg_value><arg_key>days</arg_key><arg_value>3</arg_value></tool_call>',
    [paris],
  ],
  ['no arguments', glm, '<tool_call>plan</tool_call>', ['plan {}']],
  [
    'a key closed twice',
    glm,
    '<tool_call>get_weather<arg_key>city</arg_key></arg_key><arg_value>Paris</arg_value></tool_call>',
    ['get_weather {"city":"Paris"}'],
  ],
  [
    'a key not closed',
    glm,
    '<tool_call>get_weather<arg_key>city<arg_value>Paris</arg_value></tool_call>',
    ['get_weather {"city":"Paris"}'],
  ],
  [
    'a key not opened',
    glm,
    '<tool_call>get_weather<arg_key>city</arg_key><arg_value>Paris</arg_value>days</arg_key><arg_value>3</arg_value></tool_call>',
    [paris],
  ],
  [
    'the first key not opened',
    glm,
    '<tool_call>get_weathercity</arg_key><arg_value>Paris</arg_value></tool_call>',
    ['get_weather {"city":"Paris"}'],
  ],
  [
    'the first key not opened, on a line of its own',
    glm,
    '<tool_call>get_weather\ncity</arg_key><arg_value>Paris</arg_value></tool_call>',
    ['get_weather {"city":"Paris"}'],
  ],
  ['text in the tag', glm, '<tool_call>is a tag</tool_call>', [], { status: 'no-call' }],
  [
    'a call of Qwen in the tag',
    glm,
    '<tool_call>\n<function=plan>\n</function>\n</tool_call>',
    [],
    { status: 'no-call' },
  ],
  [
    'tags without the suffix',
    hunyuan,
    '<tool_calls><tool_call>plan<tool_sep><arg_key>note</arg_key><arg_value>x</arg_value></tool_call></tool_calls>',
    ['plan {"note":"x"}'],
  ],
  [
    'two calls',
    hunyuan,
    '<tool_calls:opensource>\n<tool_call:opensource>plan<tool_sep:opensource>\n</tool_call:opensource>\n<tool_call:opensource>write<tool_sep:opensource>\n</tool_call:opensource>\n</tool_calls:opensource>',
    ['plan {}', 'write {}'],
  ],
])
