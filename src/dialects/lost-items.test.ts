import { describe, it } from 'vitest'
import { expectReading, type Short, tool } from '../../test/support/dialects/tables.ts'
import { dialectOf } from './registry.ts'

const tools = [tool('now'), tool('w', { c: 'string' })]
const now = '{"name": "now", "arguments": {}}'
const called: Short = { call: 'now', json: '{}' }

/** Reports an item without a call at that place. */
const lost = (at: number): Short => ({ notice: 'broken-call', at: [at, at] })
const ignored = (at: number): Short => ({ notice: 'ignored-member', at: [at, at] })

const cases: Record<string, [dialect: string, text: string, expected: Short[]]> = {
  'an object without a name after a call': [
    'hermes',
    `<tool_call>[${now}, {"arguments": {"c": "x"}}]</tool_call>`,
    [called, lost(70)],
  ],
  'the same before a call': [
    'hermes',
    `<tool_call>[{"arguments": {"c": "x"}}, ${now}]</tool_call>`,
    [called, lost(36)],
  ],
  'a misspelt name': ['mistral', `[TOOL_CALLS][${now}, {"nmae": "w", "arguments": {"c": "x"}}]`, [called, lost(84)]],
  'a string': ['nemotron-nano', `<TOOLCALL>[${now}, "oops"]</TOOLCALL> bye`, [called, lost(45), 'bye']],
  'a number, without a marker': ['universal', `[${now}, 5]`, [called, lost(35)]],
  'a string in an object around the calls': ['universal', `{"tool_calls": [${now}, "oops"]}`, [called, lost(50)]],
  'a member after the calls': ['universal', `{"tool_calls": [${now}], "content": "So."}`, [called, ignored(51)]],
  'a member before the calls': ['universal', `{"response": "So.", "tool_calls": [${now}]}`, [called, ignored(1)]],
  'calls alone': ['universal', `{"tool_calls": [${now}, ${now}]}`, [called, called]],
}

describe('items among calls that are no calls are reported', () => {
  it.each(Object.entries(cases))('%s', (_name, [dialect, text, expected]) => {
    expectReading(dialectOf(dialect), text, expected, { tools })
  })
})
