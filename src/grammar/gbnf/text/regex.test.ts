import { expect, test } from 'vitest'
import { readGrammar } from '../../../../test/support/grammar/text-grammars.ts'
import { readTextGrammar } from '../lark/read-text-grammar.ts'
import { matchText } from './match.ts'

/** Expressions in Rust's syntax, texts that they match as a whole, and texts that they do not. */
test.each<[string, readonly string[], readonly string[]]>([
  ['a.c', ['abc', 'a\rc'], ['a\nc', 'ac', 'xabc']],
  ['^ab$', ['ab'], ['xab']],
  ['\\Aab\\z', ['ab'], ['abx']],
  ['^(?:a|b)+$', ['abba'], ['']],
  ['a{2}b{1,}c{0,2}', ['aab', 'aabbcc'], ['ab', 'aabccc']],
  ['a*?b+?', ['ab', 'bb'], ['a']],
  ['(a*)*(b?)+', ['', 'aab'], ['ba']],
  ['\\d+', ['12', '٣'], ['a']],
  ['\\w+', ['aé_9', '語'], ['-']],
  ['\\S\\s', ['a\u3000'], ['aa']],
  ['(?i)ab(?-i)c', ['ABc'], ['ABC']],
  ['(?i:a)b', ['Ab'], ['AB']],
  ['a(?s:.)b', ['a\nb'], ['ab']],
  ['[[:alpha:]_]+[[:^digit:]]', ['a_x'], ['a_1']],
  ['[a-z&&[^aeiou]]+', ['xyz'], ['xa']],
  ['[a-z--[x-z]]', ['a'], ['x']],
  ['[]a]+', ['a]'], ['b']],
  ['[a-]+', ['a-'], ['b']],
  ['\\x41\\x{e9}\\u{1F600}', ['Aé😀'], ['A']],
  ['\\p{Lu}\\pL\\P{L}', ['Ab1'], ['ab1', 'Abc']],
  ['\\p{Greek}+', ['αβγ'], ['abc']],
  ['(?P<year>[0-9]{4})', ['2024'], ['24']],
  ['\\.\\*\\/', ['.*/'], ['a*/']],
])('%s matches whole texts', (definition, admitted, refused) => {
  const grammar = readGrammar({ syntax: 'regex', definition })
  const texts = [...admitted, ...refused]
  expect(texts.filter((text) => matchText(grammar, text).type === 'match')).toEqual(admitted)
})

test.each([
  ['a(?=b)', 'it has a lookaround, which no grammar expresses'],
  ['(a)\\1', 'it has a back reference, which no grammar expresses'],
  ['a\\bb', 'it has an anchor within a regular expression, or a word boundary'],
  ['a^b', 'it has an anchor within a regular expression, or a word boundary'],
  ['a{3,2}', 'it has a repetition whose bounds are the wrong way round'],
  ['[^\\s\\S]', 'it has a set of no characters'],
  ['(a', 'The expression /(a/ cannot be parsed: a group is not closed, at 2.'],
  ['\\q', 'The expression /\\q/ cannot be parsed: it has an unknown escape, \\q, at 2.'],
  ['\\p{None}', 'The expression /\\p{None}/ cannot be parsed: there is no Unicode property None, at 8.'],
  ['(?x)a', 'The expression /(?x)a/ cannot be parsed: it has a group of an unknown kind, at 1.'],
  ['('.repeat(10_000), expect.stringContaining('too many groups')],
])('%s is not read', (definition, why) => {
  expect(readTextGrammar({ syntax: 'regex', definition })).toEqual({ type: 'unreadable', why })
})
