import { describe, it } from 'vitest'
import { expectReading, type Short, tool } from '../../test/support/dialects/tables.ts'
import { dialectOf } from './registry.ts'

const tools = [tool('now'), tool('w', { c: 'string' })]
const w: Short = { call: 'w', json: '{"c":"x"}' }
const message = '<|message|>{"c": "x"}<|call|>'
const commentary = '<|channel|>commentary'

const cases: Record<string, [dialect: string, text: string, expected: Short[]]> = {
  'a header begun again without its recipient': [
    'harmony',
    `${commentary} to=functions.w${commentary} json${message}`,
    [w],
  ],
  'the same after the role': ['harmony', `<|start|>assistant${commentary} to=functions.w ${commentary}${message}`, [w]],
  'the same in another channel': ['harmony', `<|channel|>analysis to=functions.w${commentary} json${message}`, [w]],
  'a header begun again before its recipient': [
    'harmony',
    `${commentary} to=${commentary} to=functions.w${message}`,
    [w],
  ],
  'a header begun again with its recipient': [
    'harmony',
    `${commentary} to=functions.w${commentary} to=functions.w${message}`,
    [w],
  ],
}

describe('forms that models of a family write', () => {
  it.each(Object.entries(cases))('%s', (_name, [dialect, text, expected]) => {
    expectReading(dialectOf(dialect), text, expected, { tools })
  })
})
