import { expect, test } from 'vitest'
import { read, readsAll } from '../../../../test/support/dialects/tagged.ts'
import { toolify } from './toolify.ts'
import { attributedJson, xmlCalls } from './xml-calls.ts'

readsAll([
  [
    "Toolify's own form",
    toolify,
    '<function_calls>\n  <function_call>\n    <tool>plan</tool>\n    <args_json><![CDATA[{"note": "&lt;"}]]></args_json>\n  </function_call>\n</function_calls>',
    ['plan {"note":"&lt;"}'],
  ],
  [
    "Toolify's older form",
    toolify,
    '<function_calls><function_call><tool>plan</tool><args><note>a &lt; b</note><loud>true</loud></args></function_call></function_calls>',
    ['plan {"note":"a &lt; b","loud":true}'],
  ],
  [
    "Toolify's form with an attribute",
    toolify,
    '<function_call name=\'plan\'><arguments>{"note":"x"}</arguments></function_call>',
    ['plan {"note":"x"}'],
  ],
])

const f = 'plan {"note":"1"}'
const xml: readonly (readonly [text: string, calls: readonly string[]])[] = [
  ['<tool_call><name>plan</name><arguments>{"note":"1"}</arguments></tool_call>', [f]],
  ['<tool_call><tool_name>plan</tool_name><parameters><note>1</note></parameters></tool_call>', [f]],
  ['<tool_call><tool name="plan"><note>1</note></tool></tool_call>', [f]],
  ['<function_call>plan</function_call><function parameter name="note">1</function parameter>', [f]],
  ['<function_call><function>plan</function><parameters>{"note":"1"}</parameters></function_call>', [f]],
  ['<function_calls><function_call name="plan">{"note":"1"}</function_call></function_calls>', [f]],
  ['<function_call id="1" function="plan"><argument name="note">1</argument></function_call>', [f]],
  ['<function_calls><invoke name="plan"><parameter name="note">1</parameter></invoke></function_calls>', [f]],
  ['<invoke name="plan"><parameter name="note">1</parameter></invoke>', [f]],
  [
    '<invoke name="plan"><arguments>{"note":"1"}</arguments><loud>true</loud></invoke>',
    ['plan {"note":"1","loud":true}'],
  ],
  ['<invoke name="plan"/>', ['plan {}']],
  ['<tool_use><function name="plan"><parameter name="note">1</parameter></function></tool_use>', [f]],
  ['<tool_use><tool_name>plan</tool_name><parameters>{"note":"1"}</parameters></tool_use>', [f]],
  ['<tool_use><function_name>plan</function_name><note>1</note></tool_use>', [f]],
  ['<tool_calls><invoke name="plan"><parameter name="note">1</parameter></invoke></tool_calls>', [f]],
  ['<tool_calls>\n<invoke name="plan">{"input":{"note":"1"}}</invoke>\n</tool_calls>', [f]],
  ['<invoke name="plan">{"parameters":{"note":"1"}}</invoke>', [f]],
  ['<invoke name="plan">{"note":"1"}</invoke>', [f]],
  ['<invoke name="plan"><parameter name="note">1</parameter></invoke></tool_calls>', [f]],
  ['<ccx_tool><ccx_name>plan</ccx_name><ccx_arguments>{"note":"1"}</ccx_arguments></ccx_tool>', [f]],
  ['<function_call name="write"><name>plan</name><args>{"note":"1"}</args></function_call>', [f]],
  ['<TOOL_CALL kind="x"><Name>plan</Name><Arguments>\n```json\n{"note":"1"}\n```\n</Arguments></TOOL_CALL>', [f]],
  [
    '<ns:tool_calls><ns:invoke name=\'plan\'><ns:parameter name="note">1</ns:parameter></ns:invoke></ns:tool_calls>',
    [f],
  ],
  [
    '<tool_calls><tool_call><name>plan</name><input></input></tool_call><invoke name="write"></invoke></tool_calls>',
    ['plan {}', 'write {}'],
  ],
  ['<invoke name="plan"><parameter name="note">a &lt; b</parameter></invoke>', ['plan {"note":"a < b"}']],
  [
    '<tool_call><name>plan</name><filter><a>1 &amp;lt; 2</a><b>2</b></filter></tool_call>',
    ['plan {"filter":{"a":"1 &lt; 2","b":2}}'],
  ],
]

test.each(xml)('general XML: %s', (text, calls) => {
  const { status, calls: got, rest } = read(xmlCalls, text)
  expect({ status, calls: got, rest }).toEqual({ status: 'complete', calls, rest: '' })
})

test.each([
  '<tool_call>\n{"name": "plan", "arguments": {}}\n</tool_call>',
  '<tool_call>\n<function=plan>\n</function>\n</tool_call>',
  '<tool_call>plan<arg_key>note</arg_key><arg_value>x</arg_value></tool_call>',
  '<tool_call><name>plan</function></tool_call>',
  '<function_calls>\nplan(note="x")\n</function_calls>',
  '<tool_calls>[{"name": "plan", "arguments": {}}]</tool_calls>',
  '<function_call> {"name":"plan","arguments":{}}</function_call>',
  '<function name is a word>',
])('general XML leaves alone what is none: %s', (text) => {
  expect(read(xmlCalls, text)).toEqual({ status: 'no-call', calls: [], notices: [], rest: text })
})

test.each<[text: string, calls: string[]]>([
  ['<tool_call name="plan">{"note": "1"}</tool_call>', [f]],
  ['<tool_call function="plan">{"input": {"note": "1"}}</tool_call>', [f]],
  ['<tool_call name="plan">{"name": "plan", "arguments": {}}</tool_call>', []],
  ['<tool_call>{"note": "1"}</tool_call>', []],
])('a name in an attribute, and JSON: %s', (text, calls) => {
  expect(read([attributedJson], text).calls).toEqual(calls)
})
