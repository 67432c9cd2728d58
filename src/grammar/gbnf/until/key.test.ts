import { describe, expect, test } from 'vitest'
import { lawRuns } from '../../../../test/support/draws.ts'
import { admits, parseGbnf, type TestGrammar } from '../../../../test/support/grammar/gbnf.ts'
import { randomOf } from '../../../../test/support/grammar/random.ts'
import { GbnfRules } from '../rules.ts'
import { textUntilKey } from './key.ts'
import { textUntil, type Until } from './until.ts'

function untilOf(closer: string, ...others: string[]): Until {
  return { closer, marks: [closer, ...others], isLineStart: false, not: [] }
}

function keyed(until: Until): TestGrammar {
  const rules = new GbnfRules()
  const found = textUntilKey(until, rules)
  if (!found) throw new Error('has no head')
  return parseGbnf(rules.print(found))
}

function whole(until: Until): TestGrammar {
  const rules = new GbnfRules()
  return parseGbnf(rules.print(textUntil(until, rules)))
}

const minimax = ']<]minimax[>[</'
const formats: [what: string, until: Until, fragments: string[]][] = [
  [
    'a key of its own letters',
    untilOf('</path>', '</call>'),
    ['</', '<', '/', 'path', 'PATH', 'pat', 'call', '>', 'x'],
  ],
  ['a key that begins like another mark', untilOf('</cat>', '</call>'), ['</', '<', 'ca', 'c', 'cat', 'll', 'LL', '>']],
  ['a key within another mark', untilOf('</all>', '</call>'), ['</', 'a', 'all', 'c', 'call', '>', 'x']],
  ['a key that begins with another', untilOf('</call_id>', '</call>'), ['</', 'call', 'Call', '_id', '>', 'x']],
  ['a head that may begin anew', untilOf('<<-a>', '<<-b>'), ['<', '<<', '<<-', '-', 'a', 'b', 'A', '>', 'x']],
  [
    'two other marks after a long head',
    untilOf(`${minimax}note>`, `${minimax}invoke>`, `${minimax}tool_call>`),
    [minimax, minimax.toUpperCase(), ']', ']<', ']<]', 'note', 'Note', 'invoke', 'tool_call', 'tool', '>', '/', 'é'],
  ],
]

describe('admits what the automaton of all states does', () => {
  test.each(formats)('%s', (_, until, fragments) => {
    const [mine, theirs] = [keyed(until), whole(until)]
    const random = randomOf(7)
    const draw = () => fragments[Math.floor(random() * fragments.length)] ?? ''
    const rounds = 100 * lawRuns
    let admitted = 0
    for (let round = 0; round < rounds; round++) {
      const text =
        Array.from({ length: Math.floor(random() * 7) }, draw).join('') + (random() < 0.8 ? until.closer : '')
      const expected = admits(theirs, text) === true
      if (expected) admitted++
      expect([text, admits(mine, text) === true]).toEqual([text, expected])
    }
    // The draw is of both.
    expect(admitted / rounds).toBeGreaterThan(0.13)
    expect(admitted / rounds).toBeLessThan(0.87)
  })
})

test('keys of one format share their rules', () => {
  const rules = new GbnfRules()
  const sizes = ['path', 'test', 'note', 'seat'].map((key) => {
    const before = rules.all.size
    textUntilKey(untilOf(`${minimax}${key}>`, `${minimax}invoke>`), rules)
    return rules.all.size - before
  })
  expect(sizes[0]).toBeGreaterThan(20)
  // Only the rule of the key remains, and one for each letter that no key had before.
  for (const size of sizes.slice(1)) expect(size).toBeLessThan(7)
})

test.each<[what: string, until: Until]>([
  ['no head', untilOf('</path>', '[end]')],
  ['a mark that begins another', untilOf('</path>', '</pa')],
  ['a head that a mark holds twice', untilOf('<-a<-b>', '<-c>')],
  ['a head that ends as it begins', untilOf('<<a>', '<<b>')],
  ['a closer that is no mark', { ...untilOf('</path>'), marks: ['</call>'] }],
  ['text that must not be empty', { ...untilOf('</path>', '</call>'), isNonEmpty: true }],
  ['text that is told from a quoted one', { ...untilOf('</path>', '</call>'), not: ['quoted'] }],
])('is left to the automaton: %s', (_, until) => {
  expect(textUntilKey(until, new GbnfRules())).toBeUndefined()
})
