import { empty, type Gbnf, sequence } from '../gbnf.ts'

/** A path through a rule: its text, and the rule of the group that continues it; undefined at the end of the rule. */
export interface Way {
  label: Gbnf
  to: string | undefined
}

/**
 * Returns the ways through the rules of a group in which each rule comes only at the end of another: an automaton, its
 * states the rules. Undefined if a rule of the group comes elsewhere.
 */
export function linearAutomatonOf(
  group: readonly string[],
  rules: ReadonlyMap<string, Gbnf>,
): ReadonlyMap<string, readonly Way[]> | undefined {
  const names = new Set(group)
  const found = new Map<string, readonly Way[]>()
  for (const name of group) {
    const ways = waysOf(rules.get(name) ?? empty, names)
    if (!ways) return undefined
    found.set(name, ways)
  }
  return found
}

function waysOf(gbnf: Gbnf, group: ReadonlySet<string>): readonly Way[] | undefined {
  if (!holdsAny(gbnf, group)) return [{ label: gbnf, to: undefined }]
  switch (gbnf.type) {
    case 'rule':
      return [{ label: empty, to: gbnf.name }]
    case 'choice': {
      const all = gbnf.of.map((one) => waysOf(one, group))
      return all.every((ways) => ways !== undefined) ? all.flat() : undefined
    }
    case 'sequence': {
      const before = gbnf.of.slice(0, -1)
      const last = gbnf.of.at(-1)
      if (!last || before.some((part) => holdsAny(part, group))) return undefined
      return waysOf(last, group)?.map(({ label, to }) => ({ label: sequence(...before, label), to }))
    }
    default:
      return undefined
  }
}

function holdsAny(gbnf: Gbnf, group: ReadonlySet<string>): boolean {
  switch (gbnf.type) {
    case 'rule':
      return group.has(gbnf.name)
    case 'sequence':
    case 'choice':
      return gbnf.of.some((part) => holdsAny(part, group))
    case 'repeat':
      return holdsAny(gbnf.of, group)
    default:
      return false
  }
}
