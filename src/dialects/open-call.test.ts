import { describe, expect, test } from 'vitest'
import { coveringTests } from '../../test/support/covering-tests.ts'
import type { CallPart, Tool } from '../conversation/index.ts'
import { type Delivery, type Dialect, dialects, getDialect, type Reader } from './index.ts'

const trigger = '<<GO>>'
const tools: Tool[] = [
  { name: 'get_weather', description: '', schema: { type: 'object', properties: { city: { type: 'string' } } } },
]
const call: CallPart = { type: 'call', id: 'x', name: 'get_weather', arguments: '{"city":"Paris"}' }

function readerOf(dialect: Dialect, delivery: Delivery = 'live'): Reader {
  const promptContext = dialect.usesTrigger ? { trigger } : {}
  return dialect.createReader({ tools, toolChoice: { type: 'auto' }, parallelCalls: true, delivery, ...promptContext })
}

const testsOf = coveringTests(dialects, 2)

describe.each(dialects)('$name: a call that is open', (dialect) => {
  const test = testsOf(dialect)
  const written = `So.\n${dialect.renderAssistant([call], { trigger })}`
  const cut = written.indexOf('Paris') + 3

  test.each<Delivery>(['live', 'whole'])('with delivery %s begins where its marker does', (delivery) => {
    const reader = readerOf(dialect, delivery)
    reader.push(written.slice(0, cut))
    // The universal reader has no trigger, which another dialect's example has.
    const begin = written.replace(`${trigger}\n`, '\n'.repeat(trigger.length + 1)).search(/(?<=So\.\s*)\S/)
    expect(reader.openCallAt).toBe(begin)
  })

  test('is the same in any pieces, and none once other text follows', () => {
    const reader = readerOf(dialect)
    for (let at = 0; at < written.length; at++) {
      reader.push(written.charAt(at))
      const whole = readerOf(dialect)
      whole.push(written.slice(0, at + 1))
      expect(reader.openCallAt).toBe(whole.openCallAt)
    }
    reader.push('\n\nThat is all. ')
    expect(reader.openCallAt).toBeUndefined()
  })
})

test.each<[text: string, at: number | undefined]>([
  ['So', undefined],
  ['So.\n<tool_c', undefined],
  // Several formats begin like this: the text after it determines the format.
  ['So.\n<tool_call>', 4],
  ['So.\n<tool_call>\n', 4],
  ['So.\n<tool_call>\n{"na', 4],
  ['So.\n<tool_call>\n{"name": "get_wea', 4],
  ['<invoke name="get_w', 0],
  // Without a marker, the name decides if it is a call.
  ['{"name": "Bob", "age', undefined],
  ['{"name": "get_wea', undefined],
  ['{"name": "get_weather", "arguments": {"city": "P', 0],
  // A refused call is text, which is not continued.
  ['<tool_call>\n{"name": "rm", "arguments": {"path', undefined],
  ['```\n<tool_call>\n{"name": "get_wea', undefined],
  ['```\n<tool_call>', undefined],
  ['<think><tool_call>', undefined],
  ['Text and\n\n', undefined],
  ['<tool_call>{"name": "get_weather", "arguments": {"city": "Rome"}}</tool_call>', undefined],
  ['<tool_call>{"name": "get_weather", "arguments": {"city": "Rome"}}</tool_call>\n', undefined],
  ['<tool_call>{"name": "get_weather", "arguments": {"city": "Rome"}}</tool_call>\n<tool_call>{"name', 78],
])('%j has an open call at %j', (text, at) => {
  const universal = getDialect('universal')
  if (!universal) throw new Error('there is no universal dialect')
  const reader = readerOf(universal)
  reader.push(text)
  expect(reader.openCallAt).toBe(at)
})
