import { expect, test } from 'vitest'
import type { ReplyEvent, Tool } from '../../conversation/index.ts'
import { CallCheck } from './check-call.ts'
import { checkingInputs, unreadableInputs } from './input-grammar.ts'

const schema = { type: 'object', properties: { input: { type: 'string' } }, required: ['input'] }
const tool: Tool = {
  name: 'sum',
  description: '',
  schema,
  inputGrammar: {
    argument: 'input',
    syntax: 'lark',
    definition: 'start: N ("+" N)*\nN: "1".."9" | "(" | ")"',
  },
}
const plain: Tool = { name: 'plain', description: '', schema }

test.each([
  ['{"input": "1+2"}', []],
  ['{"input": "1+x2"}', [`input: does not follow the tool's grammar, "x2" at offset 2 does not fit.`]],
  ['{"input": "1+"}', ["input: does not follow the tool's grammar, it ends too early."]],
  ['{"input": 1}', ['input: is a number, not a string.']],
])('%s is judged by the grammar of its tool', (json, faults) => {
  const verdict = new CallCheck().judge(tool, json)
  expect(verdict.type === 'invalid' ? verdict.faults : []).toEqual(faults)
})

function callOf(name: string, index: number, pieces: readonly string[], complete = true): ReplyEvent[] {
  return [
    { type: 'call-start', index, id: `call_${index}`, name },
    ...pieces.map((json): ReplyEvent => ({ type: 'call-arguments', index, json })),
    { type: 'call-end', index, complete },
  ]
}

test('a call whose input does not follow the grammar has a notice after its end', () => {
  const check = checkingInputs([plain, tool])
  const wrong = callOf('sum', 0, ['{"inp', 'ut": "1-', '2"}'])
  const others = [
    ...callOf('sum', 1, ['{"input": "1"}']),
    ...callOf('plain', 2, ['{"input": "x"}']),
    ...callOf('sum', 3, ['{"input": "x'], false),
  ]
  expect(check?.([...wrong, ...others])).toEqual([
    ...wrong,
    {
      type: 'notice',
      notice: {
        code: 'input-invalid',
        message: `A call of "sum": input: does not follow the tool's grammar, "-2" at offset 1 does not fit.`,
      },
    },
    ...others,
  ])
})

test('tools without a grammar take no step', () => {
  expect(checkingInputs([plain])).toBeUndefined()
})

test.each([
  ['a look-ahead', { syntax: 'regex', definition: 'a(?=b)' }],
  ['a rule that is not there', { syntax: 'lark', definition: 'start: other' }],
] as const)('a grammar with %s cannot be read: a notice names the tool', (_, written) => {
  const unreadable: Tool = { ...tool, name: 'free', inputGrammar: { argument: 'input', ...written } }
  const notices = unreadableInputs([plain, tool, unreadable])
  expect(notices.map(({ code }) => code)).toEqual(['grammar-not-enforced'])
  expect(notices[0]?.message).toContain('"free"')
  expect(checkingInputs([unreadable])?.(callOf('free', 0, ['{"input": "b"}']))).toHaveLength(3)
})
