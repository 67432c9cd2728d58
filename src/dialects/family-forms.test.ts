import { describe, it } from 'vitest'
import { expectReading, type Short, tool } from '../../test/support/dialects/tables.ts'
import { dialectOf } from './registry.ts'

const tools = [tool('now'), tool('w', { c: 'string' })]
const w: Short = { call: 'w', json: '{"c":"x"}' }
const now: Short = { call: 'now', json: '{}' }
const message = '<|message|>{"c": "x"}<|call|>'
const commentary = '<|channel|>commentary'
const results =
  '<｜tool▁outputs▁begin｜><｜tool▁output▁begin｜>{"t": 1}<｜tool▁output▁end｜><｜tool▁outputs▁end｜>It is 1.'
const fenced =
  '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>now\n```json\n{}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>'
const plain = '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>now<｜tool▁sep｜>{}<｜tool▁call▁end｜><｜tool▁calls▁end｜>'

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
  'a header begun again for reasoning': [
    'harmony',
    `${commentary} to=assistant<|channel|>analysis<|message|>So.<|end|><|start|>assistant<|channel|>final<|message|>Hi`,
    [{ think: 'So.' }, 'Hi'],
  ],
  'results after calls in fences': ['deepseek-v3', `${fenced}${results}`, [now, '{"t": 1}It is 1.']],
  'results after calls': ['deepseek-v3.1', `${plain}${results}`, [now, '{"t": 1}It is 1.']],
  'the same, with any reader': ['universal', `${plain}${results}`, [now, '{"t": 1}It is 1.']],
  'a list between tokens': ['phi4', '<|tool_call|>[{"name": "w", "arguments": {"c": "x"}}]<|/tool_call|>', [w]],
}

describe('forms that models of a family write', () => {
  it.each(Object.entries(cases))('%s', (_name, [dialect, text, expected]) => {
    expectReading(dialectOf(dialect), text, expected, { tools })
  })
})
