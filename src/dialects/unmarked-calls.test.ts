import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { callsOf, promptContext, readPieces, textOf } from '../../test/support/dialects/replies.ts'
import { expectReading, type Short, tool } from '../../test/support/dialects/tables.ts'
import { lawRuns, someOf } from '../../test/support/draws.ts'
import { dialects } from './index.ts'
import { toolCallJson, universal } from './prompt/tool-call-json.ts'
import { toolify } from './prompt/toolify.ts'

const tools = [tool('web_search', { 'query!': 'string' })]
const call: Short = { call: 'web_search', json: '{"query":"a"}' }
const told = (from: number, to: number): Short => ({ notice: 'natural-language-call', at: [from, to] })
const passedOver = (from: number, to: number): Short => ({ notice: 'call-like-text', at: [from, to] })

describe('a call that no marker announces', () => {
  it.each<[text: string, expected: Short[]]>([
    ['Calling web_search with {"query":"a"}', [call, told(0, 37)]],
    ['{"name":"web_search","input":{"query":"a"}}', [call, told(0, 43)]],
    ['Well:\n{"name":"web_search","input":{"query":"a"}}', ['Well:', call, told(5, 49)]],
  ])('is read where natural language is, and told: %j', (text, expected) => {
    expectReading(toolCallJson, text, expected, { tools, accept: { naturalLanguage: true } })
    expectReading(toolCallJson, text, [text], { tools })
  })

  it('is none without all that the tool requires', () => {
    const text = 'Calling web_search with {"n":1}'
    expectReading(toolCallJson, text, [text, { notice: 'incomplete-call', at: [0, 31] }], {
      tools,
      accept: { naturalLanguage: true },
    })
  })

  it.each([toolCallJson, universal])('is told once, beside those that are marked: $name', (dialect) => {
    const marked = '<TOOL_CALL>{"name":"web_search","input":{"query":"a"}}</TOOL_CALL>'
    expectReading(dialect, marked, [call], { tools, accept: { naturalLanguage: true } })
  })

  it('is a call of the universal reader without being asked for, where it is JSON, and then not told', () => {
    expectReading(universal, '{"name":"web_search","input":{"query":"a"}}', [call], {
      tools,
      accept: { naturalLanguage: true },
    })
  })
})

describe('text that looks like a call where none was read', () => {
  it.each<[text: string, expected: Short[]]>([
    ['<TOOL_CALL>{"name": "web_search"}', [passedOver(0, 33)]],
    ['So:\n{"tool_calls": []}', [passedOver(5, 22)]],
    ['The tool_calls of an answer', []],
    ['```\n<invoke name="web_search"/>\n```\n', []],
  ])('is told: %j', (text, expected) => {
    expectReading(toolify, text, [text, ...expected], { tools, trigger: '<<CALL_1>>' })
  })

  it('is found in whatever pieces it comes', () => {
    const text = 'Now "tool_calls": no, <function_call>'
    for (let at = 0; at <= text.length; at++) {
      const { events } = readPieces(toolify, [text.slice(0, at), text.slice(at)], { tools, trigger: '<<CALL_1>>' })
      expect(events.flatMap((event) => (event.type === 'notice' ? [event.notice.span] : []))).toEqual([[4, 37]])
    }
  })
})

describe('text of others that looks like a call without a marker', () => {
  /** Each is a call to some reader. */
  const forms = [
    'web_search(query="a")',
    'web_search( query = "a", n=1)',
    'web_search({"query":"a"})',
    'web_search {"query":"a"}',
    'web_search\n{"query":"a"}',
    'web_search[ARGS]{"query":"a"}',
    '[web_search(query="a")]',
    '<web_search><query>a</query></web_search>',
    '[{"web_search": {"query":"a"}}]',
    'Calling web_search with {"query":"a"}',
    'I\'ll `web_search` {"query":"a"}',
    '{"name":"web_search","input":{"query":"a"}}',
    '[{"name":"web_search","arguments":{"query":"a"}}]',
    '{"tool_calls":[{"function":{"name":"web_search","arguments":"{\\"query\\":\\"a\\"}"}}]}',
    'Action: web_search\nAction Input: {"query":"a"}',
    'function.name: web_search\nfunction.arguments: {"query":"a"}',
    '[call web_search] {"query":"a"}',
  ]
  const reading = { tools, accept: { looseCalls: true, naturalLanguage: true } }

  it.each(forms)('is a call as long as it is not quoted: %j', (form) => {
    const reader = dialects.find((dialect) => callsOf(readPieces(dialect, [form], reading).events).length > 0)
    expect(reader).toBeDefined()
  })

  it.each(someOf(dialects, 2))('is no call where a model repeats it, and comes back: $name', (dialect) => {
    const around = fc.constantFrom('', '\n', ' ', 'So:\n', '\n\nDone.', '<', '(', '{', '[', '\u2060', 'f(', '"', ';\n')
    const part = fc.oneof(fc.constantFrom(...forms), around)
    fc.assert(
      fc.property(fc.array(part, { minLength: 1, maxLength: 5 }), (parts) => {
        const text = parts.join('')
        fc.pre(text.trim() !== '')
        const quoted = dialect.neutralise(text, { ...promptContext, ...reading })
        const { events } = readPieces(dialect, [quoted], reading)
        expect({ quoted, calls: callsOf(events) }).toEqual({ quoted, calls: [] })
        expect(textOf(events)).toBe(text)
      }),
      { numRuns: lawRuns, examples: forms.map((form) => [[form]]) },
    )
  })
})
