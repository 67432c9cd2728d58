import { CharSet } from '../../regex/chars.ts'
import { charsOf, type Gbnf, sequence, text } from '../gbnf.ts'
import { type PrintedRule, printedRule, RuleFamily } from '../rule-family.ts'
import type { GbnfRules } from '../rules.ts'
import { AutomatonCache } from './automaton-cache.ts'
import { KeywordSearch } from './keyword-search.ts'
import { hashOf } from './until.ts'

/** The content of a string between its quotes. */
export interface StringContent {
  quote: '"' | "'"
  /** Characters that are written without an escape. */
  plain: CharSet
  /** An escape of one character. */
  escaped: Extract<Gbnf, { type: 'rule' }>
  /** After a quote these make it one of the text. */
  afterQuote: CharSet
  /** Texts that the string must not contain unescaped, in any case: they would end the surrounding text. */
  marks: readonly string[]
  isNonEmpty: boolean
}

/** The states of automata that are kept: 48 chat templates of all families have 3200. */
const maxStates = 4000
const made = new AutomatonCache(maxStates)

/** A string in its quotes, without the marks: a deterministic automaton, a rule for each beginning of one. */
export function stringWithout(content: StringContent, rules: GbnfRules): Gbnf {
  const { quote, plain, escaped, afterQuote, marks, isNonEmpty } = content
  const key = JSON.stringify([quote, String(plain), escaped.name, String(afterQuote), marks, isNonEmpty])
  const { start, states } = made.of(key, () => {
    const label = `string-${hashOf(key)}`
    return {
      start: isNonEmpty ? `${label}-first` : `${label}-0`,
      states: new RuleFamily(statesOf(content, label)),
    }
  })
  rules.addFamily(states)
  return sequence(quote, { type: 'rule', name: start })
}

function statesOf(content: StringContent, label: string): ReadonlyMap<string, PrintedRule> {
  const words = content.marks.map((mark) => [...mark.toLowerCase()])
  const search = new KeywordSearch(words, true)
  const found = new Map<string, PrintedRule>()
  const nodes = new Set([0])
  // Nodes are added while they are defined.
  for (const node of nodes) {
    const body = bodyOf(node, content, search, label, nodes)
    found.set(`${label}-${node}`, printed(body, content.quote))
    if (node === 0 && content.isNonEmpty) found.set(`${label}-first`, printed(body))
  }
  return found
}

/** The rest of a string after a prefix of a mark, without its end. */
function bodyOf(
  node: number,
  { plain, escaped, quote, afterQuote }: StringContent,
  search: KeywordSearch,
  label: string,
  nodes: Set<number>,
): Gbnf[] {
  const markChars = new Set(search.nextsAt(node))
  const byNext = new Map<number, string>()
  for (const char of markChars) {
    const next = search.step(node, char.toLowerCase())
    if (search.wholeAt(next) === 0 && plain.has(char)) byNext.set(next, (byNext.get(next) ?? '') + char)
  }
  const to = (next: number): Gbnf => {
    nodes.add(next)
    return { type: 'rule', name: `${label}-${next}` }
  }
  // No mark contains a backslash, so no mark continues after an escape.
  const parts = [sequence(charsOf(plain.without(CharSet.of([...markChars].join('')))), to(0)), sequence(escaped, to(0))]
  const inner = afterQuote.without(CharSet.of(search.nextsAt(0).join('')))
  if (!inner.isEmpty) parts.push(sequence(quote, charsOf(inner), to(0)))
  for (const [next, chars] of byNext) parts.push(sequence(charsOf(chars), to(next)))
  return parts
}

function printed(parts: readonly Gbnf[], end?: string): PrintedRule {
  return printedRule({ type: 'choice', of: end === undefined ? parts : [text(end), ...parts] })
}
