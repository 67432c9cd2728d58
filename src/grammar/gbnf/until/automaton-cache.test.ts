import { expect, test } from 'vitest'
import { text } from '../gbnf.ts'
import { printedRule, RuleFamily } from '../rule-family.ts'
import { type Automaton, AutomatonCache } from './automaton-cache.ts'

/** An automaton of so many states. */
function automaton(states: number): Automaton {
  const rules = Array.from({ length: states }, (_, at) => [`s-${at}`, printedRule(text('a'))] as const)
  return { start: 's-0', states: new RuleFamily(new Map(rules)) }
}

/** A cache, and the keys for which automata were made. */
function cacheOf(most: number): { made: string[]; ask: (key: string, states?: number) => void } {
  const cache = new AutomatonCache(most)
  const made: string[] = []
  return {
    made,
    ask: (key, states = 10) => {
      cache.of(key, () => {
        made.push(key)
        return automaton(states)
      })
    },
  }
}

test('as many as have no more states than the bound are made once', () => {
  const { made, ask } = cacheOf(30)
  for (let round = 0; round < 3; round++) for (const key of ['a', 'b', 'c']) ask(key)
  expect(made).toEqual(['a', 'b', 'c'])
})

test('what was used longest ago goes, as many as have the states of a new one', () => {
  const { made, ask } = cacheOf(30)
  for (const key of ['a', 'b', 'c', 'a']) ask(key)
  ask('large', 20)
  made.length = 0
  for (const key of ['a', 'large', 'b', 'c']) ask(key)
  expect(made).toEqual(['b', 'c'])
})

test('one that is larger than the bound stays while it is the latest', () => {
  const { made, ask } = cacheOf(30)
  ask('a')
  ask('large', 100)
  ask('large', 100)
  ask('a')
  ask('large', 100)
  expect(made).toEqual(['a', 'large', 'a', 'large'])
})
