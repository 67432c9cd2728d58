import { readsAll } from '../../../../test/support/dialects/tagged.ts'
import { command4 } from './command4.ts'
import { dsml } from './dsml.ts'
import { k2Horizon } from './k2-horizon.ts'
import { kimiK3 } from './kimi-k3.ts'
import { minicpm5 } from './minicpm5.ts'
import { minimaxM2, minimaxM3 } from './minimax.ts'
import { museGlimmer } from './muse-glimmer.ts'
import { step3 } from './step3.ts'

const m3 = (text: string) => text.replaceAll(/<(?=\/?\w)/g, ']<]minimax[>[<')

readsAll([
  [
    'types that the schema does not say',
    dsml,
    '<｜DSML｜calls><｜DSML｜invoke name="any"><｜DSML｜parameter name="a" string="true">3</｜DSML｜parameter><｜DSML｜parameter name="b" string="false">3</｜DSML｜parameter></｜DSML｜invoke></｜DSML｜calls>',
    ['any {"a":"3","b":3}'],
  ],
  [
    'a space before the section',
    dsml,
    '<｜DSML｜ calls>\n<｜DSML｜invoke name="plan">\n</｜DSML｜invoke>\n</｜DSML｜ calls>',
    ['plan {}'],
  ],
  [
    'a prefix between pictures',
    dsml,
    '<🐳DSML🐳calls><🐳DSML🐳invoke name="plan"><🐳DSML🐳parameter name="note">v</🐳DSML🐳parameter></🐳DSML🐳invoke></🐳DSML🐳calls>',
    ['plan {"note":"v"}'],
  ],
  [
    'GCML',
    dsml,
    '<｜GCML｜tool_calls><｜GCML｜invoke name="plan"><｜GCML｜parameter name="note" string="true">v</｜GCML｜parameter></｜GCML｜invoke></｜GCML｜tool_calls>',
    ['plan {"note":"v"}'],
  ],
  [
    'the form of V3.2',
    dsml,
    '<｜DSML｜function_calls>\n<｜DSML｜invoke name="plan">\n<｜DSML｜parameter name="tags" string="false">["a"]</｜DSML｜parameter>\n</｜DSML｜invoke>\n</｜DSML｜function_calls>',
    ['plan {"tags":["a"]}'],
  ],
  [
    'no arguments',
    minimaxM2,
    '<minimax:tool_call>\n<invoke name="plan">\n</invoke>\n</minimax:tool_call>',
    ['plan {}'],
  ],
  [
    'the form of dots',
    minimaxM2,
    '<dots_function_call>\n<invoke name="plan">\n<parameter name="note">&lt;</parameter>\n</invoke>\n</dots_function_call>',
    ['plan {"note":"&lt;"}'],
  ],
  [
    'a call without its section',
    step3,
    '<｜tool_call_begin｜>function<｜tool_sep｜><steptml:invoke name="plan"><steptml:parameter name="note">x</steptml:parameter></steptml:invoke><｜tool_call_end｜>',
    ['plan {"note":"x"}'],
  ],
  [
    'objects and lists',
    minimaxM3,
    m3(
      '<tool_call>\n<invoke name="plan"><filter><city>Rome</city><max>2</max></filter><tags><item>a</item><item>b</item></tags></invoke>\n</tool_call>',
    ),
    ['plan {"filter":{"city":"Rome","max":2},"tags":["a","b"]}'],
  ],
  [
    'elements of one name in one another',
    minimaxM3,
    m3('<tool_call><invoke name="plan"><filter><filter>1</filter></filter><note>x</note></invoke></tool_call>'),
    ['plan {"filter":{"filter":1},"note":"x"}'],
  ],
  [
    'nothing for a list and an object',
    minimaxM3,
    m3('<tool_call><invoke name="plan"><filter></filter><tags></tags><note></note></invoke></tool_call>'),
    ['plan {"filter":{},"tags":[],"note":""}'],
  ],
  [
    'tags without the prefix',
    minimaxM3,
    ']<]minimax[>[<tool_call>\n<invoke name="plan"><note>a <b> c</note></invoke>\n</tool_call>',
    ['plan {"note":"a <b> c"}'],
  ],
  [
    'CDATA',
    minicpm5,
    '<function name="write"><param name="content"><![CDATA[<b> </param>]]></param></function>',
    ['write {"content":"<b> </param>"}'],
  ],
  [
    'CDATA in two sections',
    minicpm5,
    '<function name="write"><param name="content"><![CDATA[a]]]]><![CDATA[>b &lt;]]></param></function>',
    ['write {"content":"a]]>b &lt;"}'],
  ],
  [
    'entities',
    minicpm5,
    '<function name="write"><param name="content">1 &lt; 2 &amp;amp; 3</param></function>',
    ['write {"content":"1 < 2 &amp; 3"}'],
  ],
  [
    'two calls on a line',
    minicpm5,
    '<function name="plan"></function><function name="write"></function>',
    ['plan {}', 'write {}'],
  ],
  [
    'another order of attributes',
    kimiK3,
    '<|open|>tools<|sep|><|open|>call index="1" tool="any"<|sep|><|open|>argument type="string" key="a"<|sep|>3<|close|>argument<|sep|><|open|>argument key="b" type="number"<|sep|>3<|close|>argument<|sep|><|close|>call<|sep|><|close|>tools<|sep|>',
    ['any {"a":3,"b":3}'],
  ],
  [
    'a string that looks like a number',
    kimiK3,
    '<|open|>tools<|sep|><|open|>call tool="any" index="1"<|sep|><|open|>argument key="a" type="string"<|sep|>\n3\n<|close|>argument<|sep|><|close|>call<|sep|><|close|>tools<|sep|>',
    ['any {"a":"\\n3\\n"}'],
  ],
  [
    'arguments in JSON',
    kimiK3,
    '<|open|>tools<|sep|><|open|>call tool="plan" index="1"<|sep|><|open|>json type="object"<|sep|>{"note": "x"}<|close|>json<|sep|><|close|>call<|sep|><|close|>tools<|sep|>',
    ['plan {"note":"x"}'],
  ],
  ['a call without its section', kimiK3, '<|open|>call tool="plan" index="1"<|sep|><|close|>call<|sep|>', ['plan {}']],
  [
    'no types',
    k2Horizon,
    '<ifm|tool_calls><ifm|tool_call>plan<ifm|arg_key>note</ifm|arg_key><ifm|arg_value>x</ifm|arg_value></ifm|tool_call></ifm|tool_calls>',
    ['plan {"note":"x"}'],
  ],
  [
    'JSON',
    k2Horizon,
    '<ifm|tool_calls>\n<ifm|tool_call>{"name": "plan", "arguments": {"note": "x"}}</ifm|tool_call>\n<ifm|tool_call>write</ifm|tool_call>\n</ifm|tool_calls>',
    ['plan {"note":"x"}', 'write {}'],
  ],
  [
    'no header',
    museGlimmer,
    '<atem:function_calls><atem:invoke name="plan"></atem:invoke></atem:function_calls>',
    ['plan {}'],
  ],
  [
    'spaces around the bars',
    dsml,
    '<| DSML | tool_calls><| DSML | invoke name="plan"></| DSML | invoke></| DSML | tool_calls>',
    ['plan {}'],
  ],
  [
    'tags without the prefix in a value',
    dsml,
    '<｜DSML｜tool_calls><｜DSML｜invoke name="plan"><｜DSML｜parameter name="note"><invoke name="x"><parameter name="y">z</parameter></invoke></｜DSML｜parameter></｜DSML｜invoke></｜DSML｜tool_calls>',
    ['plan {"note":"<invoke name=\\"x\\"><parameter name=\\"y\\">z</parameter></invoke>"}'],
  ],
  [
    'closing tags without the prefix',
    dsml,
    '<｜DSML｜tool_calls><｜DSML｜invoke name="plan"><｜DSML｜parameter name="note">x</parameter></invoke></tool_calls>',
    ['plan {"note":"x"}'],
  ],
  [
    'an element around the arguments',
    dsml,
    '<｜DSML｜invoke name="plan"><｜DSML｜parameters>{"note": "x"}</｜DSML｜parameters></｜DSML｜invoke>',
    ['plan {"note":"x"}'],
  ],
  [
    'tags without the prefix are text',
    minimaxM3,
    `${m3('<tool_call><invoke name="any"><a>')}<b>x</b>${m3('</a></invoke></tool_call>')}`,
    ['any {"a":"<b>x</b>"}'],
  ],
  [
    'JSON in the section',
    minimaxM2,
    '<minimax:tool_call>\n{"name": "plan", "arguments": {"note": "x"}}\n</minimax:tool_call>',
    ['plan {"note":"x"}'],
  ],
  [
    'plain bars',
    step3,
    '<|tool_call_begin|>function<|tool_sep|><steptml:invoke name="plan"></steptml:invoke><|tool_call_end|>',
    ['plan {}'],
  ],
  [
    'an argument that the next one closes, within a line',
    kimiK3,
    '<|open|>call tool="write"<|sep|><|open|>argument key="path"<|sep|>a<|open|>argument key="content"<|sep|>b<|close|>argument<|sep|><|close|>call<|sep|>',
    ['write {"path":"a","content":"b"}'],
    { notices: ['repaired'] },
  ],
  [
    'the names and types of newer templates',
    command4,
    '<cofl:tool_calls><cofl:tool_call id="0" name="any"><cofl:tool_param name="a" string="true">1</cofl:tool_param></cofl:tool_call></cofl:tool_calls>',
    ['any {"a":"1"}'],
  ],
])
