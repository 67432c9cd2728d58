import { CharSet } from '../../regex/chars.ts'
import { charsOf, choice, type Gbnf, sequence, text } from '../gbnf.ts'
import { printedRule } from '../rule-family.ts'
import type { GbnfRules } from '../rules.ts'
import { escaped, jsonQuoting } from './strings.ts'

/** Encodes the texts of `gbnf` as the content of a JSON string, with all rules that it refers to. */
export function encodedInString(gbnf: Gbnf, rules: GbnfRules): Gbnf {
  return rewritten(gbnf, (leaf) => escaped(leaf, jsonQuoting), rules, { suffix: 'encoded' })
}

/** Encodes the texts of `gbnf` with XML's entities in place of brackets and ampersands. */
export function encodedInMarkup(gbnf: Gbnf, rules: GbnfRules): Gbnf {
  return rewritten(gbnf, inEntities, rules, { suffix: 'markup' })
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

export type Leaf = Extract<Gbnf, { type: 'literal' | 'chars' }>

/** The rules that are copied, and the names of the copies. */
interface Copied {
  suffix: string
  /** Distinguishes these copies from others; the suffix, if it is absent. */
  key?: string
  /** The rules of another grammar. */
  bodyOf?: (name: string) => Gbnf | undefined
}

/** The same with other leaves, in copies of all rules that it refers to. */
export function rewritten(
  gbnf: Gbnf,
  rewrite: (leaf: Leaf) => Gbnf,
  rules: GbnfRules,
  { suffix, key = suffix, bodyOf = (name) => rules.all.get(name) }: Copied,
): Gbnf {
  const open: { from: string; to: string }[] = []
  const copyOf = (name: string): Gbnf =>
    rules.once(`${key} ${name}`, () => {
      const to = rules.reserve(`${name}-${suffix}`)
      open.push({ from: name, to })
      return { type: 'rule', name: to }
    }) ?? { type: 'rule', name }
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
  const found = walk(gbnf)
  // Rules in each other may be more than the stack holds.
  for (let next = open.pop(); next; next = open.pop()) {
    const body = bodyOf(next.from)
    if (body) rules.addPrinted(next.to, printedRule(walk(body)))
  }
  return found
}
