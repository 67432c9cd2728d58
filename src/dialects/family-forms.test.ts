import { describe, it } from 'vitest'
import { expectReading, type Short, tool } from '../../test/support/dialects/tables.ts'
import { dialectOf } from './registry.ts'

const w: Short = { call: 'w', json: '{"c":"x"}' }
const now: Short = { call: 'now', json: '{}' }
const pair = tool('pair', { a: 'string', b: 'string' })
const tools = [tool('now'), tool('w', { c: 'string' }), pair]
const code: Short = { call: 'w', json: '{"c":"print(1)\\nx = {\\"a\\": 1}"}' }
const codeText = 'print(1)\nx = {"a": 1}'
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
  'code for a tool with one argument': ['harmony', `${commentary} to=w code<|message|>${codeText}<|call|>`, [code]],
  'the same where tools of the model are called': [
    'harmony',
    `<|channel|>analysis to=w code<|message|>${codeText}<|call|>`,
    [code],
  ],
  'the same without the token at its end, with any reader': [
    'universal',
    `${commentary} to=functions.w <|constrain|>code<|message|>${codeText}`,
    [code],
  ],
  'code for a tool with two arguments': [
    'harmony',
    `${commentary} to=pair code<|message|>${codeText}<|call|>`,
    [{ call: 'pair', json: '', incomplete: true }, { notice: 'incomplete-call', at: [0, 45] }, `${codeText}<|call|>`],
  ],
  'a built-in tool': ['llama-json', '<|python_tag|>w.call(c="x")<|eom_id|>', [w]],
  'the same by another name': ['pythonic', '<|python_tag|>w.call(c="x")', [w]],
  'the same, with any reader of them': ['universal', '<|python_tag|>w.call(c="x")<|eom_id|>', [w]],
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
