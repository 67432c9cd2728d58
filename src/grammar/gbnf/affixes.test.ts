import { expect, test } from 'vitest'
import { withSharedEnds } from './affixes.ts'
import { choice, type Gbnf, printGbnf, repeat, sequence, text } from './gbnf.ts'

const gap = repeat(text(' '), 0, 2)
const rule = (name: string): Gbnf => ({ type: 'rule', name })

test.each<[what: string, alternatives: Gbnf[], expected: string]>([
  ['one stays', [sequence('<a>', gap)], '"<a>" " "{0,2}'],
  ['names in a call', [text('<f=get>'), text('<f=set>')], '"<f=" ("g" | "s") "et>"'],
  [
    'parts before and after',
    [sequence('<', gap, 'get', rule('a'), '>'), sequence('<', gap, 'put', rule('b'), '>')],
    '"<" " "{0,2} ("get" a | "put" b) ">"',
  ],
  ['one that is all of another', [sequence('<f>', rule('a'), '</f>'), text('<f></f>')], '"<f>" (a | "") "</f>"'],
  ['the same part on both sides, once', [sequence(gap, 'a', gap), gap], '" "{0,2} ("a" " "{0,2} | "")'],
  ['nothing in common', [sequence(rule('a'), 'x'), sequence(rule('b'), 'y')], 'a "x" | b "y"'],
  ['half a character is none', [text('\u{1f600}a'), text('\u{1f601}a')], '("\u{1f600}" | "\u{1f601}") "a"'],
  ['the same twice', [text('<a>'), text('<a>')], '"<a>"'],
])('%s', (_, alternatives, expected) => {
  const shared = withSharedEnds(alternatives)
  expect(shared && printGbnf(shared)).toBe(expected)
})

test('none of nothing', () => {
  expect(withSharedEnds([])).toBeUndefined()
  expect(choice([])).toBeUndefined()
})
