import { describe, expect, it } from 'vitest'
import { readPieces } from '../../test/support/dialects/replies.ts'
import { expectReading, type Short, tool } from '../../test/support/dialects/tables.ts'
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
    expectReading(toolCallJson, text, expected, { tools, naturalLanguage: true })
    expectReading(toolCallJson, text, [text], { tools })
  })

  it('is none without all that the tool requires', () => {
    const text = 'Calling web_search with {"n":1}'
    expectReading(toolCallJson, text, [text, { notice: 'incomplete-call', at: [0, 31] }], {
      tools,
      naturalLanguage: true,
    })
  })

  it.each([toolCallJson, universal])('is told once, beside those that are marked: $name', (dialect) => {
    const marked = '<TOOL_CALL>{"name":"web_search","input":{"query":"a"}}</TOOL_CALL>'
    expectReading(dialect, marked, [call], { tools, naturalLanguage: true })
  })

  it('is a call of the universal reader without being asked for, where it is JSON, and then not told', () => {
    expectReading(universal, '{"name":"web_search","input":{"query":"a"}}', [call], { tools, naturalLanguage: true })
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
