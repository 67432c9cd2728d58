import { expect, it } from 'vitest'
import { tool } from '../../test/support/dialects/tables.ts'
import { parseToolCalls } from './parse-tool-calls.ts'

const tools = [tool('search', { q: 'string' })]
const json = '{"name": "search", "arguments": {"q": "go"}}'
const tagged = `<tool_call>${json}</tool_call>`

it.each([
  `<pre>\n${tagged}\n</pre>\nSo.`,
  `<pre><code><tool_call>\n${json}\n</tool_call></code></pre>`,
  `<!--\n${tagged}\n-->\nSo.`,
  `<tool_result id="1">\n${tagged}\n</tool_result>`,
  `It is <code>${json}</code> there.`,
  `\`\`\`json\r\n${tagged}\r\n\`\`\`\r\nSo.`,
  `Er schrieb »${tagged}« hin.`,
  `他写了『${tagged}』。`,
  `- > ${tagged}\n- so`,
  `The body is {"call": ${json}}.`,
  `{"messages": [{"role": "assistant", "tool_calls": [{"type": "function", "function": ${json}}]}]}`,
  `In [1, {"x": 2}, ${json}] it is last.`,
  '<tools>\n<tool name="search">\n<description>Finds pages</description>\n</tool>\n</tools>',
])('what is shown is no call: %j', (text) => {
  const { calls, text: left } = parseToolCalls(text, { tools })
  expect({ calls: calls.length, left: left.trim() }).toEqual({ calls: 0, left: text.trim() })
})

it.each<[text: string, left: string]>([
  [`The <code> and the <pre> tag.\n${tagged}`, 'The <code> and the <pre> tag.'],
  [`<pre>\n${tagged}`, '<pre>'],
  [`<pre>\nx\n</pre>\n${tagged}`, '<pre>\nx\n</pre>'],
  [`x <!-- y\n${tagged}`, 'x <!-- y'],
  [`He said "go"${tagged}`, 'He said "go"'],
  [`Il dit « oui »${tagged}`, 'Il dit « oui »'],
  [`So: [${json}]`, 'So:'],
])('what hides nothing does not hide a call: %j', (text, left) => {
  const { calls, text: rest } = parseToolCalls(text, { tools })
  expect({ calls: calls.map((call) => call.json), rest: rest.trim() }).toEqual({ calls: ['{"q":"go"}'], rest: left })
})
