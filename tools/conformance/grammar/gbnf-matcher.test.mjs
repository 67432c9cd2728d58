// @ts-check
import { describe, expect, it } from 'vitest'
import { growthOf, linearGrowth } from '../../../test/support/steps.ts'
import { parseGbnf } from './gbnf-grammar.mjs'
import { matchGbnf } from './gbnf-matcher.mjs'

const json = `
root   ::= value # a JSON value
value  ::= object | array | string | number | "true" | "false" | "null"
object ::= "{" ws ( string ":" ws value ("," ws string ":" ws value)* )? ws "}"
array  ::= "[" ws (
  value ("," ws value)*
)? ws "]"
string ::= "\\"" ([^"\\\\\\x00-\\x1F] | "\\\\" (["\\\\/bfnrt] | "u" [0-9a-fA-F]{4}))* "\\""
number ::= "-"? ("0" | [1-9] [0-9]{0,15}) ("." [0-9]+)?
ws     ::= [ \\t\\n]{0,20}
`

/**
 * For each grammar: texts that it admits, texts of which it admits the beginning, and texts with the length of the part
 * that it admits.
 */
/** @type {[string, { whole?: string[], prefix?: string[], not?: [string, number][] }][]} */
const table = [
  [
    'root ::= "ab"',
    {
      whole: ['ab'],
      prefix: ['', 'a'],
      not: [
        ['ac', 1],
        ['abc', 2],
      ],
    },
  ],
  ['root ::= "a" | "bc" |', { whole: ['', 'a', 'bc'], prefix: ['b'], not: [['ab', 1]] }],
  [
    'root ::= [a-c_] [^x-z\\n]',
    {
      whole: ['ad', '__'],
      prefix: ['b'],
      not: [
        ['ay', 1],
        ['a\n', 1],
        ['d', 0],
      ],
    },
  ],
  ['root ::= [a-] "\\]" [\\]]', { whole: ['-]]', 'a]]'], not: [['b', 0]] }],
  ['root ::= .{2}', { whole: ['ab', '\n\u{1F600}'], prefix: ['a'], not: [['abc', 2]] }],
  ['root ::= "\\x41\\u4e16\\U0001F600\\t"', { whole: ['A\u4e16\u{1F600}\t'], prefix: ['A'], not: [['A\u{1F600}', 1]] }],
  ['root ::= "a"?', { whole: ['', 'a'], not: [['aa', 1]] }],
  ['root ::= "ab"*', { whole: ['', 'ab', 'abab'], prefix: ['aba'], not: [['aa', 1]] }],
  ['root ::= ("ab")+ "c"', { whole: ['abc', 'ababc'], prefix: ['', 'ab'], not: [['c', 0]] }],
  ['root ::= [0-9]{2}', { whole: ['12'], prefix: ['1'], not: [['123', 2]] }],
  ['root ::= [0-9]{2,}', { whole: ['12', '1234567'], prefix: ['1'], not: [['1a', 1]] }],
  ['root ::= [0-9]{1,3}', { whole: ['1', '123'], prefix: [''], not: [['1234', 3]] }],
  ['root ::= [0-9]{0} "a"', { whole: ['a'], not: [['1a', 0]] }],
  ['root ::= "x" (a | "y") "z"\na ::= "y" "y"', { whole: ['xyz', 'xyyz'], prefix: ['xyy'], not: [['xyyy', 3]] }],
  ['root ::= (\n"a" |\n"b" # or\n)\n\n', { whole: ['a', 'b'] }],
  ['root ::= s\ns ::= "(" s ")" s |', { whole: ['', '()', '(())()'], prefix: ['(()'], not: [['())', 2]] }],
  // Rules that begin with themselves, and repetitions of empty text, end as well.
  [
    'root ::= root "a" | "b"',
    {
      whole: ['b', 'baa'],
      prefix: [''],
      not: [
        ['a', 0],
        ['bb', 1],
      ],
    },
  ],
  ['root ::= (("a"?)* "b"?)*', { whole: ['', 'aab', 'bba'], not: [['c', 0]] }],
  ['root ::= e e "a" e\ne ::= e e |', { whole: ['a'], prefix: [''], not: [['aa', 1]] }],
  [
    json,
    {
      whole: ['{}', '{"a": [1, -2.5, {"b": "\\"\\u00e9\\\\"}], "c": null}', '[[],[ ]]', '"\u4e16"'],
      prefix: ['{"a', '{"a": [1,', '"\\u00', ''],
      not: [
        ['{"a" 1}', 4],
        ['[01]', 2],
        ['"\n"', 1],
        ['{} ', 2],
      ],
    },
  ],
]

describe.each(table)('%s', (source, { whole = [], prefix = [], not = [] }) => {
  const rules = parseGbnf(source)

  it.each(whole)('admits %j', (text) => {
    expect(matchGbnf(rules, text)).toEqual({ isWhole: true, isPrefix: true, length: text.length })
  })

  it.each(prefix)('admits %j as a beginning', (text) => {
    expect(matchGbnf(rules, text)).toEqual({ isWhole: false, isPrefix: true, length: text.length })
  })

  it.each(not)('admits of %j only the first %i', (text, length) => {
    expect(matchGbnf(rules, text)).toEqual({ isWhole: false, isPrefix: false, length })
  })
})

it.each([
  ['', 'no rule root'],
  ['a ::= "x"', 'no rule root'],
  ['root ::= b', 'no rule b'],
  ['root ::= "a"\nroot ::= "b"', 'root comes twice'],
  ['root = "a"', 'no ::='],
  ['root ::= "a', 'ends too early'],
  ['root ::= ("a"', 'a group has no end'],
  ['root ::= "\\q"', '\\q is not known'],
  ['root ::= "\\u12"', 'too few digits'],
  ['root ::= "a"{2001}', 'too many repetitions'],
  ['root ::= *', 'does not end'],
])('refuses %j', (source, message) => {
  expect(() => parseGbnf(source)).toThrow(message)
})

describe('in time that grows as the text does', () => {
  /** A title, a grammar, and a text of any size. The derivations, followed one by one, would be unlimited. */
  /** @type {[string, string, (size: number) => string][]} */
  const cases = [
    ['a choice that starts alike', 'root ::= ("a" | "a" | "aa" | "a" "a"?)*', (size) => 'a'.repeat(size)],
    ['stacks that differ all the way down', 'root ::= "a" root "b" | "a" root "c" |', (size) => 'a'.repeat(size)],
    ['repetitions in repetitions', 'root ::= ((("a"+)*)+ "b"?)*', (size) => 'a'.repeat(size)],
    ['a long string', json, (size) => `"${'x'.repeat(size)}"`],
    ['a long list', json, (size) => `[${'1, '.repeat(size / 3)}1]`],
    ['a deep list', json, (size) => `${'['.repeat(size / 2)}${']'.repeat(size / 2)}`],
    ['a bounded repetition', 'root ::= [a-z]{0,2000}', () => 'a'.repeat(2000)],
  ]

  it.each(cases)('%s', (_, source, textOf) => {
    const rules = parseGbnf(source)
    const text = textOf(8000)
    expect(matchGbnf(rules, text)).toMatchObject({ isPrefix: true, length: text.length })
    expect(growthOf((size) => void matchGbnf(rules, textOf(size)), 2000)).toBeLessThan(linearGrowth)
  })

  it('or at most as its cube, where a text has ways without number to be divided', () => {
    const rules = parseGbnf('root ::= root root | "a"')
    const cube = 4 ** 3
    expect(matchGbnf(rules, 'a'.repeat(200))).toMatchObject({ isPrefix: true, length: 200 })
    expect(growthOf((size) => void matchGbnf(rules, 'a'.repeat(size)), 50)).toBeLessThan(cube)
  })
})
