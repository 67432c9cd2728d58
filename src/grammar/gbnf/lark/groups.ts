import type { Gbnf } from '../gbnf.ts'
import { addNamesIn } from '../names.ts'

/**
 * Groups rules that refer to each other, directly or through others; a rule that only others refer to is a group alone.
 * A group comes after those that its rules refer to (Tarjan's algorithm, without recursion).
 */
export function ruleGroups(roots: readonly string[], rules: ReadonlyMap<string, Gbnf>): readonly (readonly string[])[] {
  const groups: string[][] = []
  const order = new Map<string, number>()
  const lowest = new Map<string, number>()
  const stack: string[] = []
  const onStack = new Set<string>()
  const open: { name: string; others: readonly string[]; next: number }[] = []
  const enter = (name: string): void => {
    order.set(name, order.size)
    lowest.set(name, order.get(name) ?? 0)
    stack.push(name)
    onStack.add(name)
    open.push({ name, others: namesIn(rules.get(name)), next: 0 })
  }
  const lower = (name: string, to: number): void => void lowest.set(name, Math.min(lowest.get(name) ?? 0, to))
  for (const root of roots) {
    if (!order.has(root)) enter(root)
    for (let top = open.at(-1); top; top = open.at(-1)) {
      const other = top.others[top.next++]
      if (other === undefined) {
        open.pop()
        const above = open.at(-1)
        if (above) lower(above.name, lowest.get(top.name) ?? 0)
        if (lowest.get(top.name) === order.get(top.name)) groups.push(takeGroup(top.name, stack, onStack))
      } else if (!order.has(other)) enter(other)
      else if (onStack.has(other)) lower(top.name, order.get(other) ?? 0)
    }
  }
  return groups
}

function takeGroup(name: string, stack: string[], onStack: Set<string>): string[] {
  const group = stack.splice(stack.lastIndexOf(name))
  for (const one of group) onStack.delete(one)
  return group
}

export function namesIn(gbnf: Gbnf | undefined): readonly string[] {
  const names = new Set<string>()
  if (gbnf) addNamesIn(gbnf, names)
  return [...names]
}
