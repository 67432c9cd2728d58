import type { Gbnf } from './gbnf.ts'
import { addNamesIn } from './names.ts'

/**
 * False for a rule that no text of finite length fits, as of a list that holds at least one such list: a model that begins one never comes
 * to its end. Rules that are still open count as fitting.
 */
export function canEnd(name: string, rules: ReadonlyMap<string, Gbnf>): boolean {
  return endsSoon(name, rules) || endsAtAll(name, rules)
}

/** Rules in each other that are entered at most: the stack holds some thousands. */
const maxEntered = 500

/**
 * True if a rule admits a finite text by entering few rules, none within itself: most rules do, so not all others need
 * to be examined.
 */
function endsSoon(name: string, rules: ReadonlyMap<string, Gbnf>): boolean {
  // Within itself a rule counts as endless.
  const entered = new Map<string, boolean>()
  const ends = (one: string): boolean => {
    const known = entered.get(one)
    if (known !== undefined || entered.size >= maxEntered) return known ?? false
    entered.set(one, false)
    const body = rules.get(one)
    const found = !body || endsWith(body, ends)
    entered.set(one, found)
    return found
  }
  return ends(name)
}

function endsAtAll(name: string, rules: ReadonlyMap<string, Gbnf>): boolean {
  const reached = new Set([name])
  // A set iterates over the members that are added during the iteration.
  for (const one of reached) {
    const body = rules.get(one)
    if (body) addNamesIn(body, reached)
  }
  const ending = new Set<string>()
  const ends = (one: string) => ending.has(one)
  for (let before = -1; before < ending.size; ) {
    before = ending.size
    for (const one of reached) {
      const body = rules.get(one)
      if (!body || endsWith(body, ends)) ending.add(one)
    }
  }
  return ending.has(name)
}

/** True if the expression admits a finite text; `ends` answers that for rules. */
function endsWith(gbnf: Gbnf, ends: (name: string) => boolean): boolean {
  switch (gbnf.type) {
    case 'literal':
      return true
    case 'chars':
      return !gbnf.set.isEmpty
    case 'sequence':
      return gbnf.of.every((part) => endsWith(part, ends))
    case 'choice':
      return gbnf.of.some((part) => endsWith(part, ends))
    case 'repeat':
      return gbnf.min === 0 || endsWith(gbnf.of, ends)
    case 'rule':
      return ends(gbnf.name)
  }
}
