import { CharSet } from '../../regex/chars.ts'
import { charsOf, choice, type Gbnf, sequence, text } from '../gbnf.ts'
import type { GbnfRules } from '../rules.ts'
import { escaped, jsonQuoting } from './strings.ts'

/** What is admitted as the content of a JSON string, with all rules that it refers to. */
export function encodedInString(gbnf: Gbnf, rules: GbnfRules): Gbnf {
  return rewritten(gbnf, 'encoded', (leaf) => escaped(leaf, jsonQuoting), rules)
}

/** What is admitted with XML's entities in place of brackets and ampersands. */
export function encodedInMarkup(gbnf: Gbnf, rules: GbnfRules): Gbnf {
  return rewritten(gbnf, 'markup', inEntities, rules)
}

const entities: ReadonlyMap<string, string> = new Map([
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
])

function inEntities(leaf: Leaf): Gbnf {
  if (leaf.type === 'literal') return text(leaf.text.replace(/[&<>]/g, (char) => entities.get(char) ?? char))
  const plain = leaf.set.without(CharSet.of('&<>'))
  const others = [...entities].filter(([char]) => leaf.set.has(char)).map(([, entity]) => text(entity))
  return choice([plain.isEmpty ? undefined : charsOf(plain), ...others]) ?? leaf
}

type Leaf = Extract<Gbnf, { type: 'literal' | 'chars' }>

/** The same with other leaves, in copies of all rules that it refers to. */
export function rewritten(gbnf: Gbnf, suffix: string, rewrite: (leaf: Leaf) => Gbnf, rules: GbnfRules): Gbnf {
  const copyOf = (name: string): Gbnf => {
    const made = rules.once(`${suffix} ${name}`, () => ({ type: 'rule', name: rules.reserve(`${name}-${suffix}`) }))
    if (made?.type !== 'rule' || seen.has(name)) return made ?? { type: 'rule', name }
    seen.add(name)
    const body = rules.all.get(name)
    if (body) rules.define(made.name, walk(body))
    return made
  }
  const seen = new Set<string>()
  const walk = (one: Gbnf): Gbnf => {
    switch (one.type) {
      case 'rule':
        return copyOf(one.name)
      case 'sequence':
        return sequence(...one.of.map(walk))
      case 'choice':
        return { ...one, of: one.of.map(walk) }
      case 'repeat':
        return { ...one, of: walk(one.of) }
      default:
        return rewrite(one)
    }
  }
  return walk(gbnf)
}
