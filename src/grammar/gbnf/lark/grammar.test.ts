import { describe, expect, test } from 'vitest'
import { lawRuns } from '../../../../test/support/draws.ts'
import { admits, derive, parseGbnf } from '../../../../test/support/grammar/gbnf.ts'
import { randomOf } from '../../../../test/support/grammar/random.ts'
import { gbnfOf, readGrammar, textGrammars } from '../../../../test/support/grammar/text-grammars.ts'
import { matchText } from '../text/match.ts'
import { recognise } from '../text/recognise.ts'
import { readTextGrammar } from './read-text-grammar.ts'

interface Case {
  of: string
  definition: string
  admitted: readonly string[]
  refused: readonly string[]
}

const cases: readonly Case[] = [
  { of: 'literals', definition: 'start: "a" "b"', admitted: ['ab'], refused: ['a', 'abb', ''] },
  { of: 'escapes', definition: 'start: "\\"\\n\\u00e9\\x41"', admitted: ['"\néA'], refused: ['"néA'] },
  { of: 'literals in any case', definition: 'start: "aB"i', admitted: ['ab', 'AB', 'Ab'], refused: ['b'] },
  {
    of: 'alternatives on lines',
    definition: 'start: "a"\n  | "b"\n\n  | "c"\n',
    admitted: ['a', 'b', 'c'],
    refused: ['ab'],
  },
  { of: 'options', definition: 'start: "a"? ["b"]', admitted: ['', 'a', 'b', 'ab'], refused: ['ba'] },
  { of: 'repetitions', definition: 'start: "a"* "b"+', admitted: ['b', 'aabb'], refused: ['a'] },
  { of: 'counts', definition: 'start: "a"~2 "b"~1..2', admitted: ['aab', 'aabb'], refused: ['ab', 'aabbb'] },
  { of: 'counts in braces', definition: 'start: "a"{2} "b"{,1} "c"{1,}', admitted: ['aac', 'aabcc'], refused: ['aab'] },
  { of: 'ranges', definition: 'start: "a".."c" "0".."9"', admitted: ['b7'], refused: ['d7', 'b'] },
  { of: 'groups', definition: 'start: ("a" | "b" "c")+', admitted: ['abc', 'bcbc'], refused: ['b'] },
  { of: 'expressions', definition: 'start: /a+/i /[^b]/s', admitted: ['aAc', 'a\n'], refused: ['ab'] },
  { of: 'slashes in expressions', definition: 'start: /\\/\\/[^\\/]*/', admitted: ['//x'], refused: ['//x/'] },
  { of: 'rules with signs', definition: '?start: x -> y\n!x.2: "a"', admitted: ['a'], refused: [] },
  {
    of: 'terminals',
    definition: 'start: A_B ","  A_B\nA_B.3: /x/ C~2\nC: "1" | "2"',
    admitted: ['x11,x22'],
    refused: ['x1,x2'],
  },
  { of: 'comments', definition: '// one\nstart: "a" // two\n# three\n', admitted: ['a'], refused: [] },
  { of: 'imports', definition: 'start: N\n%import common.INT -> N', admitted: ['12'], refused: ['1.5'] },
  {
    of: 'what is ignored, but not at the beginning',
    definition: 'start: A+ "."\nA: "x" "y"\n%import common.WS\n%ignore WS',
    admitted: ['xyxy.', 'xy \n xy . '],
    refused: [' xy.', 'x y.'],
  },
  {
    of: 'what is ignored, in several forms',
    definition: 'start: "a" "b"\n%ignore " "\n%ignore /#[^\\n]*\\n/',
    admitted: ['a # b\n b', 'ab'],
    refused: ['a # b'],
  },
  { of: 'recursion', definition: 'start: "(" start ")" | ', admitted: ['', '(())'], refused: ['(()'] },
  {
    of: 'rules that begin with themselves',
    definition: 'start: start "+" "1" | "1"',
    admitted: ['1+1+1'],
    refused: ['1+'],
  },
  {
    of: 'rules that begin with each other',
    definition: 'start: b "x" | "s"\nb: start "y" | c\nc: b "z" | "c"',
    admitted: ['s', 'cx', 'czzx', 'cxyx'],
    refused: ['c', 'yx'],
  },
  {
    of: 'rules that begin with an option',
    definition: 'start: "-"? start "!" | "a"',
    admitted: ['a!!', '--a!!'],
    refused: ['--a!'],
  },
  {
    of: 'repetitions of what may be empty',
    definition: 'start: ("a"? "b"?)* x+\nx: "c"?',
    admitted: ['', 'abbac'],
    refused: ['ca'],
  },
  {
    of: 'intersections and complements',
    definition: 'start: A\nA: /[ab]*/ & ~/(?s:.*)bb(?s:.*)/',
    admitted: ['', 'abab'],
    refused: ['abba', 'c'],
  },
  {
    of: 'lazy rules',
    definition: 'start: head "x"\nhead[lazy]: /[a-z]*/ "<f"',
    admitted: ['ab<fx', '<fx'],
    refused: ['a<f<fx', 'ax'],
  },
  {
    of: 'suffixes',
    definition: 'start: a "."\na[capture, suffix="end"]: /[a-z]*/',
    admitted: ['xend.', 'end.'],
    refused: ['endend.'],
  },
]

describe('a grammar in Lark', () => {
  test.each(cases)('has $of', ({ definition, admitted, refused }) => {
    const grammar = readGrammar({ syntax: 'lark', definition })
    const gbnf = parseGbnf(gbnfOf(grammar))
    for (const text of [...admitted, ...refused]) {
      const isAdmitted = admitted.includes(text)
      expect([text, matchText(grammar, text).type === 'match']).toEqual([text, isAdmitted])
      expect([text, recognise(grammar, text, 10_000).type === 'match']).toEqual([text, isAdmitted])
      expect([text, admits(gbnf, text) === true]).toEqual([text, isAdmitted])
    }
  })

  test.each([
    ['no rule start', 'a: "b"', 'it has no rule "start"'],
    ['an unknown rule', 'start: a', 'it has no rule "a"'],
    ['an unknown terminal', 'start: A', 'it has no terminal "A"'],
    ['a rule twice', 'start: "a"\nstart: "b"', 'it defines "start" twice'],
    ['a template', 'start: list{"a"}\nlist{x}: x+', 'it has a template, "list", in line 1, which is not read'],
    ['%declare', '%declare A\nstart: A', 'it has %declare in line 1, which is not read'],
    [
      'another library',
      '%import python.NAME\nstart: NAME',
      'it imports from "python", which is not read: only from "common"',
    ],
    ['an unknown import', '%import common.NONE\nstart: NONE', 'it imports "NONE", which "common" does not have'],
    ['a special token', 'start: <|end|>', 'it has a special token, <|end|>, in line 1, which is not read'],
    ['a JSON schema', 'start: %json {}', 'it has %json in line 1, which is not read'],
    ['a lookahead', 'start: /a(?!b)/', 'it has a lookaround, which no grammar expresses'],
    ['a terminal in itself', 'start: A\nA: "a" A', 'its terminal "A" refers to itself'],
    ['an open bracket', 'start: ("a"', 'it ends too early'],
    ['a text without an end', 'start: "a" start', 'no text fits it'],
    ['a sign', 'start: "a" ^', 'it has an unexpected character in line 1'],
    ['bounds', 'start: "a"~3..2', 'it repeats something at least 3 and at most 2 times'],
    ['a stack of brackets', `start: ${'('.repeat(5000)}`, 'it has more than 100 brackets in each other'],
    ['too many characters', `start: "${'a'.repeat(70_000)}"`, 'it has more than 64000 characters'],
    [
      'terminals that double',
      `start: A20\nA0: "a"\n${Array.from({ length: 20 }, (_, at) => `A${at + 1}: A${at} A${at} & /a*/`).join('\n')}`,
      'it has a terminal that takes too many states',
    ],
  ])('with %s is not read', (_, definition, why) => {
    expect(readTextGrammar({ syntax: 'lark', definition })).toEqual({ type: 'unreadable', why })
  })

  test('that is no grammar at all is not read, and never throws', () => {
    const signs = [
      'start',
      ':',
      '"a"',
      '|',
      '(',
      ')',
      '[',
      ']',
      '~',
      '2',
      '..',
      '/b/',
      '\n',
      'A',
      '%ignore',
      '->',
      '*',
      '{',
      '}',
      '&',
    ]
    for (let draw = 0; draw < 50 * lawRuns; draw++) {
      const random = randomOf(draw)
      const definition = Array.from({ length: 12 }, () => signs[Math.floor(random() * signs.length)]).join(' ')
      const read = readTextGrammar({ syntax: 'lark', definition: `start: ${definition}` })
      if (read.type === 'unreadable') expect(read.why).toMatch(/\S/)
      else expect(matchText(read.grammar, 'ab').type).toMatch(/match/)
    }
  })
})

describe.each(textGrammars)('texts of $definition', (definition) => {
  const grammar = readGrammar(definition)
  const gbnf = parseGbnf(gbnfOf(grammar))

  test('are those of its GBNF, and of both matchers', () => {
    for (let draw = 0; draw < 2 * lawRuns; draw++) {
      const random = randomOf(draw)
      const text = derive(gbnf, random, 10 + draw * 5)
      expect([text, matchText(grammar, text), recognise(grammar, text, 1_000_000)]).toEqual([
        text,
        { type: 'match' },
        { type: 'match' },
      ])
      const chars = [...text]
      chars[Math.floor(random() * chars.length)] = 'a1 (<\n"'.charAt(Math.floor(random() * 7))
      const changed = chars.join('')
      const found = admits(gbnf, changed)
      const expected = found === true ? { type: 'match' } : { type: 'mismatch', at: found }
      expect([changed, matchText(grammar, changed)]).toEqual([changed, expected])
      expect([changed, recognise(grammar, changed, 1_000_000)]).toEqual([changed, expected])
    }
  })
})

test('a text of a hostile grammar is not judged past its steps', () => {
  const grammar = readGrammar({ syntax: 'lark', definition: 'start: start start | "a" start | "a" | start "a" start' })
  expect(matchText(grammar, 'a'.repeat(3000), 100_000)).toEqual({ type: 'unjudged' })
})
