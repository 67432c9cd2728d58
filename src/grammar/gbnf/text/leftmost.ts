import { type Gbnf, mayBeEmpty } from '../gbnf.ts'

/** The rules with which a text of each rule may begin. */
export type Leftmost = ReadonlyMap<string, ReadonlySet<string>>

/** The rules that may be empty, and those with which each may begin: by fixed points, so that recursion does no harm. */
export function leftmostOf(rules: ReadonlyMap<string, Gbnf>): Leftmost {
  const nullable = nullableRules(rules)
  const found = new Map<string, Set<string>>()
  for (const [name, body] of rules) {
    const names = new Set<string>()
    addLeftmost(body, nullable, names)
    found.set(name, names)
  }
  return found
}

/** The names of rules that admit the empty text. */
export function nullableRules(rules: ReadonlyMap<string, Gbnf>): ReadonlySet<string> {
  const found = new Set<string>()
  for (let before = -1; before < found.size; ) {
    before = found.size
    for (const [name, body] of rules) if (!found.has(name) && isNullable(body, found)) found.add(name)
  }
  return found
}

/** True if an expression admits the empty text. */
export function isNullable(gbnf: Gbnf, nullable: ReadonlySet<string>): boolean {
  switch (gbnf.type) {
    case 'rule':
      return nullable.has(gbnf.name)
    case 'sequence':
      return gbnf.of.every((part) => isNullable(part, nullable))
    case 'choice':
      return gbnf.of.some((part) => isNullable(part, nullable))
    case 'repeat':
      return gbnf.min === 0 || isNullable(gbnf.of, nullable)
    default:
      return mayBeEmpty(gbnf, noRules)
  }
}

const noRules: ReadonlyMap<string, Gbnf> = new Map()

/** Adds the rules with which a text of an expression may begin. */
export function addLeftmost(gbnf: Gbnf, nullable: ReadonlySet<string>, names: Set<string>): void {
  switch (gbnf.type) {
    case 'rule':
      names.add(gbnf.name)
      return
    case 'sequence':
      for (const part of gbnf.of) {
        addLeftmost(part, nullable, names)
        if (!isNullable(part, nullable)) return
      }
      return
    case 'choice':
      for (const part of gbnf.of) addLeftmost(part, nullable, names)
      return
    case 'repeat':
      addLeftmost(gbnf.of, nullable, names)
      return
    default:
  }
}

/** The rules that may begin with themselves, directly or through others, in groups that reach each other. */
export function recursiveGroups(leftmost: Leftmost): readonly (readonly string[])[] {
  const reach = new Map([...leftmost.keys()].map((name) => [name, reachedFrom(name, leftmost)]))
  const groups: string[][] = []
  const placed = new Set<string>()
  for (const [name, all] of reach) {
    if (placed.has(name) || !all.has(name)) continue
    const group = [name, ...[...all].filter((other) => other !== name && reach.get(other)?.has(name))]
    for (const one of group) placed.add(one)
    groups.push(group)
  }
  return groups
}

function reachedFrom(name: string, leftmost: Leftmost): ReadonlySet<string> {
  const found = new Set(leftmost.get(name))
  // A set iterates over the members that are added during the iteration.
  for (const one of found) for (const other of leftmost.get(one) ?? []) found.add(other)
  return found
}
