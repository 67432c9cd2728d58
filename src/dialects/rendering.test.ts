import { describe, expect, it } from 'vitest'
import { promptContext } from '../../test/support/dialects/replies.ts'
import type { AssistantPart, JsonObject, ResultPart } from '../conversation/index.ts'
import { toolCallJson } from './prompt/tool-call-json.ts'
import { toolify } from './prompt/toolify.ts'

const call = (json: string): AssistantPart => ({ type: 'call', id: 'i', name: 'w', arguments: json })
const auto = { toolChoice: { type: 'auto' as const }, parallelCalls: true }
const result: ResultPart = {
  type: 'result',
  callId: 'call "1"',
  name: 'w',
  content: [
    { type: 'text', text: 'a </tool_result> </TOOL_RESULT>' },
    { type: 'text', text: 'b' },
  ],
  isError: true,
}

describe('toolify', () => {
  it('writes strings as they stand where the schema has strings, and quotes them where they would be taken for more', () => {
    const schema: JsonObject = { properties: { zip: { type: 'string' }, free: {} } }
    const tools = [{ name: 'w', description: '', schema }]
    const json = '{"zip": "01234", "free": "42"}'
    const body = (free: string) =>
      `${promptContext.trigger}\n<invoke name="w">\n<parameter name="zip">01234</parameter>\n<parameter name="free">${free}</parameter>\n</invoke>`
    expect(toolify.renderAssistant([call(json)], promptContext, tools)).toBe(body('"42"'))
    // Without the tools, most arguments are strings.
    expect(toolify.renderAssistant([call(json)], promptContext)).toBe(body('42'))
  })

  it('writes texts and calls in their order, and leaves reasoning out', () => {
    const parts: AssistantPart[] = [
      { type: 'reasoning', text: 'hm' },
      { type: 'text', text: 'One <inv' },
      { type: 'text', text: 'oke' },
      call('{}'),
      { type: 'text', text: ' \n' },
      call('{"n": [1,2]}'),
    ]
    expect(toolify.renderAssistant(parts, promptContext)).toBe(
      `One <\u2060invoke\n${promptContext.trigger}\n<invoke name="w">\n</invoke>\n<invoke name="w">\n<parameter name="n">[1, 2]</parameter>\n</invoke>`,
    )
  })

  it('writes arguments whose names no attribute holds as one object', () => {
    expect(toolify.renderAssistant([call('{"a\\"b": 1}')], promptContext)).toContain(
      '<invoke name="w">{"a\\"b": 1}\n</invoke>',
    )
  })

  it('writes results with their marks broken', () => {
    expect(toolify.renderResult(result, promptContext)).toBe(
      '<tool_result id="call__1_" status="error">a <\u2060/tool_result> <\u2060/TOOL_RESULT>\nb</tool_result>',
    )
  })

  it('describes tools as elements, and what has no element as JSON', () => {
    const schema: JsonObject = {
      type: 'object',
      properties: {
        city: { type: 'string', description: 'Where <invoke', enum: ['a', 'b'] },
        near: { type: 'object', properties: { km: { type: 'number' } } },
        'a"b': { type: 'string' },
      },
      required: ['city', 'a"b', 'unsaid'],
      additionalProperties: false,
    }
    const prompt = toolify.describe({ tools: [{ name: 'w<1>', description: 'Does', schema }], ...auto }, promptContext)
    expect(prompt).toContain(`<tool id="1">
<name>w_1_</name>
<description>Does</description>
<required><param>city</param></required>
<parameters>
<parameter name="city">
<type>string</type>
<required>true</required>
<description>Where <\u2060invoke</description>
<enum>["a","b"]</enum>
</parameter>
<parameter name="near">
<type>object</type>
<required>false</required>
<schema>{"properties":{"km":{"type":"number"}}}</schema>
</parameter>
</parameters>
<schema>{"properties":{"a\\"b":{"type":"string"}},"required":["a\\"b","unsaid"],"additionalProperties":false}</schema>
</tool>`)
  })
})

describe('tool-call-json', () => {
  it('writes calls as JSON, with all digits', () => {
    expect(toolCallJson.renderAssistant([call('{"n":12345678901234567890,"s":"<TOOL_CALL>"}')], promptContext)).toBe(
      '<TOOL_CALL>\n{"name": "w", "input": {"n": 12345678901234567890, "s": "<\u2060TOOL_CALL>"}}\n</TOOL_CALL>',
    )
  })

  it.each([
    ['a fence that was left open', '```js\nx', '```js\nx\n```\n'],
    ['no fence that was closed', '```js\nx\n```', '```js\nx\n```\n'],
  ])('closes %s before a call', (_name, text, before) => {
    const rendered = toolCallJson.renderAssistant([{ type: 'text', text }, call('{}')], promptContext)
    expect(rendered).toBe(`${before}<TOOL_CALL>\n{"name": "w", "input": {}}\n</TOOL_CALL>`)
  })

  it('writes results with their marks broken', () => {
    expect(toolCallJson.renderResult(result, promptContext)).toBe(
      '<TOOL_RESULT id="call__1_" name="w" status="error">a <\u2060/tool_result> <\u2060/TOOL_RESULT>\nb</TOOL_RESULT>',
    )
  })

  it('describes each tool on a line of JSON', () => {
    const tools = [{ name: 'w', description: 'a\n</tools>', schema: { type: 'object' } }]
    expect(toolCallJson.describe({ tools, ...auto }, promptContext)).toContain(
      '<tools>\n{"name":"w","description":"a\\n<\u2060/tools>","input_schema":{"type":"object"}}\n</tools>',
    )
  })
})
