import { describe, expect, test } from 'vitest'
import { admits, admitsPrefix, parseGbnf } from '../../../../test/support/grammar/gbnf.ts'
import { eagerGrammar } from './eager-grammar.ts'
import type { GbnfGrammar } from './grammar.ts'
import type { GrammarTrigger } from './trigger.ts'

const lazy = (grammar: string, ...triggers: GrammarTrigger[]): GbnfGrammar => ({
  grammar,
  root: 'root',
  isLazy: true,
  triggers,
  preservedTokens: [],
  stops: [],
  widened: [],
})
const call = 'root ::= "<call>" digits "</call>"\ndigits ::= [0-9]{2}\n'
const named = 'root ::= "[get(" [a-z] ")]" | "a.b\\n" [a-z]\n'

describe.each<[string, GbnfGrammar, [text: string, isAdmitted: boolean][]]>([
  [
    'a word',
    lazy(call, { type: 'word', value: '<call>' }),
    [
      ['', true],
      ['No call.', true],
      ['<call>12</call>', true],
      ['Text, then <call>12</call>', true],
      ['a < b, <cal and <call', true],
      ['<<call>12</call>', true],
      ['<call>', false],
      ['<call>1</call>', false],
      ['<call>12</call> more', false],
      ['Text <call> text', false],
      ['<call>12</call><call>12</call>', false],
    ],
  ],
  [
    'an expression',
    lazy(named, { type: 'pattern', value: '(\\[get\\(|a\\.b\\n)' }),
    [
      ['Plain [get, a.b, a', true],
      ['Now [get(x)]', true],
      ['Now a.b\nz', true],
      ['axb\n and [ get(', true],
      ['[get(x', false],
      ['a.b\n1', false],
    ],
  ],
  [
    'an expression at the beginning of a line',
    lazy(
      'root ::= "<fn>" [a-z] | "<do>" [a-z]\n',
      { type: 'pattern', value: '(?:^|\\n)[ \\t]*(<fn>)' },
      { type: 'word', value: '<do>' },
    ),
    [
      ['The tag <fn> opens a call.', true],
      ['<fn>', false],
      ['<fn>x', true],
      ['So:\n<fn>x', true],
      ['So:\n  <fn>x', true],
      ['So:\n\t<fn>1', false],
      ['So <do>x', true],
      ['So <do>1', false],
    ],
  ],
  [
    'a word, beside an expression that is empty',
    lazy(call, { type: 'word', value: '<call>' }, { type: 'pattern', value: '()' }),
    [
      ['Text', true],
      ['<call>12</call>', true],
      ['<call>1', false],
    ],
  ],
])('by %s', (_, grammar, cases) => {
  const printed = eagerGrammar(grammar)?.grammar ?? ''

  test.each(cases)('%j: %s', (text, isAdmitted) => {
    expect(admits(parseGbnf(printed), text) === true).toBe(isAdmitted)
  })
})

test('after a trigger nothing but the grammar goes on', () => {
  const parsed = parseGbnf(eagerGrammar(lazy(call, { type: 'word', value: '<call>' }))?.grammar ?? '')
  expect(admitsPrefix(parsed, 'Well, <call>1')).toBe(true)
  expect(admitsPrefix(parsed, 'Well, <call>x')).toBe(false)
})

test('a grammar that is not lazy stays as it is', () => {
  expect(eagerGrammar({ ...lazy(call), isLazy: false })).toEqual({ grammar: call, triggers: [] })
})

test('the texts of an expression are its triggers', () => {
  const triggers: GrammarTrigger[] = [
    { type: 'pattern', value: '(\\[get\\(|a\\.b\\n)' },
    { type: 'word', value: '<|x|>' },
  ]
  expect(eagerGrammar(lazy(named, ...triggers))?.triggers).toEqual(['[get(', 'a.b\n', '<|x|>'])
})

test.each([
  ['<fn=', ['\n<fn=', '\n <fn=', '\n  <fn=', '\n   <fn=', '\n    <fn=', '\n\t<fn=']],
  ['a', undefined],
])('of very many tools what all share is the trigger, where it is long enough: %j', (opening, shared) => {
  const words = Array.from({ length: 400 }, (_, at) => `${opening}tool_${'abcdefgh'.charAt(at % 8)}${at}>`)
  const value = `(?:^|\\n)[ \\t]*(${words.map((word, at) => (opening === 'a' && at % 2 ? `b${word}` : word)).join('|')})`
  expect(eagerGrammar(lazy(call, { type: 'pattern', value }))?.triggers).toEqual(shared?.map((text) => `${text}tool_`))
})

test('rules keep their names, whatever they are called', () => {
  const grammar = 'root ::= "<call>" from-trigger\nfrom-trigger ::= [0-9]\n'
  const parsed = parseGbnf(eagerGrammar(lazy(grammar, { type: 'word', value: '<call>' }))?.grammar ?? '')
  expect(admits(parsed, 'x<call>1')).toBe(true)
})

test.each<[string, GrammarTrigger[]]>([
  ['no trigger', []],
  ['an expression that is no choice of texts', [{ type: 'pattern', value: '(a+|b)' }]],
  ['a class of characters', [{ type: 'pattern', value: '(\\d)' }]],
  ['an expression without a group', [{ type: 'pattern', value: 'abc' }]],
  ['a trigger that is everywhere', [{ type: 'pattern', value: '(a|)' }]],
])('%s is not written otherwise', (_, triggers) => {
  expect(eagerGrammar(lazy(call, ...triggers))).toBeUndefined()
})
