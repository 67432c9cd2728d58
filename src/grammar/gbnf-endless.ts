import type { Gbnf } from './gbnf.ts'

/**
 * False for a rule that no text of finite length fits, as of a list that holds at least one such list: a model that begins one never comes
 * to its end. Rules that are still open count as fitting.
 */
export function canEnd(name: string, rules: ReadonlyMap<string, Gbnf>): boolean {
  const reached = new Set([name])
  // A set goes on with what is added to it while it is read.
  for (const one of reached) for (const other of namesIn(rules.get(one))) reached.add(other)
  const ending = new Set<string>()
  for (let before = -1; before < ending.size; ) {
    before = ending.size
    for (const one of reached) {
      const body = rules.get(one)
      if (!body || endsWith(body, ending)) ending.add(one)
    }
  }
  return ending.has(name)
}

/** Whether a text of finite length fits, if one fits each of those rules. */
function endsWith(gbnf: Gbnf, ending: ReadonlySet<string>): boolean {
  switch (gbnf.type) {
    case 'literal':
      return true
    case 'chars':
      return !gbnf.set.isEmpty
    case 'sequence':
      return gbnf.of.every((part) => endsWith(part, ending))
    case 'choice':
      return gbnf.of.some((part) => endsWith(part, ending))
    case 'repeat':
      return gbnf.min === 0 || endsWith(gbnf.of, ending)
    case 'rule':
      return ending.has(gbnf.name)
  }
}

function namesIn(gbnf: Gbnf | undefined): readonly string[] {
  switch (gbnf?.type) {
    case 'rule':
      return [gbnf.name]
    case 'sequence':
    case 'choice':
      return gbnf.of.flatMap(namesIn)
    case 'repeat':
      return namesIn(gbnf.of)
    default:
      return []
  }
}
