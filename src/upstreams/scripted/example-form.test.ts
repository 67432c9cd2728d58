import { expect, test } from 'vitest'
import type { PlannedCall } from './dialect-readings.ts'
import { readExample } from './example-form.ts'

const call: PlannedCall = { name: 'f', arguments: { a: 'x "y"', b: 3, c: ['d'] } }
const bare: PlannedCall = { name: 'g', arguments: {} }

test.each<[example: string, written: string]>([
  [
    '<call>\n{"name": "TOOL_NAME", "arguments": {"ARGUMENT_NAME": "VALUE"}}\n</call>',
    '<call>\n{"name": "f", "arguments": {"a": "x \\"y\\"", "b": 3, "c": ["d"]}}\n</call>\n<call>\n{"name": "g", "arguments": {}}\n</call>',
  ],
  [
    '[{"id": "ID", "TOOL_NAME": {"ARGUMENT_NAME": "VALUE"}}]',
    '[{"id": "0", "f": {"a": "x \\"y\\"", "b": 3, "c": ["d"]}}]\n[{"id": "1", "g": {}}]',
  ],
  [
    'to=TOOL_NAME|{"n": "TOOL_NAME", "in": {"ARGUMENT_NAME": "VALUE"}}',
    'to=f|{"n": "f", "in": {"a": "x \\"y\\"", "b": 3, "c": ["d"]}}\nto=g|{"n": "g", "in": {}}',
  ],
  ['[TOOL_NAME(ARGUMENT_NAME="VALUE")]', '[f(a="x \\"y\\"", b=3, c=["d"])]\n[g()]'],
  ["TOOL_NAME(ARGUMENT_NAME='VALUE')", `f(a='x "y"', b=3, c=["d"])\ng()`],
  ['call:TOOL_NAME{ARGUMENT_NAME:<|"|>VALUE<|"|>}', 'call:f{a:<|"|>x "y"<|"|>, b:3, c:["d"]}\ncall:g{}'],
  [
    '<f=TOOL_NAME>\n<p=ARGUMENT_NAME>\nVALUE\n</p>\n</f>',
    '<f=f>\n<p=a>\nx "y"\n</p>\n<p=b>\n3\n</p>\n<p=c>\n["d"]\n</p>\n</f>\n<f=g>\n</f>',
  ],
  [
    '<f>TOOL_NAME<k>ARGUMENT_NAME</k><type>string</type><v>VALUE</v></f>',
    '<f>f<k>a</k><type>string</type><v>x "y"</v><k>b</k><type>number</type><v>3</v><k>c</k><type>array</type><v>["d"]</v></f>\n<f>g</f>',
  ],
  [
    '<f n="TOOL_NAME"><p n="ARGUMENT_NAME" string="true">VALUE</p></f>',
    '<f n="f"><p n="a" string="true">x "y"</p><p n="b" string="false">3</p><p n="c" string="false">["d"]</p></f>\n<f n="g"></f>',
  ],
  [
    '<f n="TOOL_NAME"><p n="ARGUMENT_NAME" type="raw">VALUE</p></f>',
    '<f n="f"><p n="a" type="raw">x "y"</p><p n="b" type="json">3</p><p n="c" type="json">["d"]</p></f>\n<f n="g"></f>',
  ],
  // A mark of two halves, and a sign before each tag.
  [
    '<o>call n="TOOL_NAME"<s><o>arg k="ARGUMENT_NAME" type="string"<s>VALUE<c>arg<s><c>call<s>',
    '<o>call n="f"<s><o>arg k="a" type="string"<s>x "y"<c>arg<s><o>arg k="b" type="number"<s>3<c>arg<s><o>arg k="c" type="array"<s>["d"]<c>arg<s><c>call<s>\n<o>call n="g"<s><c>call<s>',
  ],
  [
    '~<f n="TOOL_NAME">~<ARGUMENT_NAME>VALUE~</ARGUMENT_NAME>~</f>',
    '~<f n="f">~<a>x "y"~</a>~<b>3~</b>~<c>["d"]~</c>~</f>\n~<f n="g">~</f>',
  ],
])('%j', (example, written) => {
  expect(readExample(example)?.([call, bare])).toBe(written)
})

test.each([
  '',
  'Write a call.',
  '{"name": "TOOL_NAME"}',
  'TOOL_NAME <p>ARGUMENT_NAME',
  `TOOL_NAME${'<'.repeat(1_000_000)}`,
])('what shows no call gives no form', (example) => {
  expect(readExample(example)).toBeUndefined()
})
