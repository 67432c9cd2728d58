import { type Automaton, automatonOf, type Edge } from './automaton.ts'
import type { CharSet } from './chars.ts'
import { parseRegexTree } from './tree.ts'

/** Two repetitions of an expression that can share one text in many ways. */
export interface Overlap {
  /** `nested`: a repetition inside another, or two ways through one; `adjacent`: a repetition after another. */
  type: 'nested' | 'adjacent'
  /** The characters that both take. */
  chars: CharSet
}

/**
 * The first overlap of an expression; undefined if it has none. Without one, an expression that is tried at one place
 * (sticky, or a search that starts at each place once) takes a number of steps that is bounded by the length of the
 * text: a text has a bounded number of ways up to each of its characters. This is the test for finite ambiguity (Weber
 * and Seidl, 1991) of an automaton in which each position counts as an end: a matcher that fails passes all of them.
 *
 * @example
 * overlapOf(/a*b?a*c/y) // { type: 'adjacent', chars: a }: "aaaa" has five ways
 * overlapOf(/a*ba*c/y) // undefined
 */
export function overlapOf(expression: { source: string; flags: string }): Overlap | undefined {
  const { source, flags } = expression
  return new Ambiguity(automatonOf(parseRegexTree(source, flags), !flags.includes('y'))).find()
}

class Ambiguity {
  readonly #automaton: Automaton
  readonly #components: readonly (readonly number[])[]
  readonly #componentOf: readonly number[]

  constructor(automaton: Automaton) {
    this.#automaton = automaton
    this.#components = stronglyConnected(automaton)
    const of: number[] = []
    this.#components.forEach((component, index) => {
      for (const position of component) of[position] = index
    })
    this.#componentOf = of
  }

  find(): Overlap | undefined {
    const loops = this.#components.filter((component) => this.#repeats(component))
    for (const loop of loops) {
      const chars = this.#twoWaysThrough(loop)
      if (chars) return { type: 'nested', chars }
    }
    for (const one of loops) {
      const reached = this.#reachable(one)
      for (const other of loops) {
        if (one === other || !reached.has(other[0] ?? -1) || this.#isFound(other)) continue
        const chars = this.#sharedBy(one, other)
        if (chars) return { type: 'adjacent', chars }
      }
    }
    return undefined
  }

  /** True if a match may end wherever the repetition does: the matcher then tries no other way. */
  #isFound(repetition: readonly number[]): boolean {
    return repetition.every((position) => this.#automaton.ends.has(position))
  }

  #next(position: number): readonly Edge[] {
    return this.#automaton.positions[position]?.next ?? []
  }

  /** The edges that stay in the component of a position. */
  #inside(position: number): readonly Edge[] {
    return this.#next(position).filter(({ to }) => this.#componentOf[to] === this.#componentOf[position])
  }

  #repeats([first = -1, ...others]: readonly number[]): boolean {
    return others.length > 0 || this.#next(first).some(({ to }) => to === first)
  }

  #reachable(from: readonly number[]): ReadonlySet<number> {
    const seen = new Set(from)
    for (const position of seen) for (const { to } of this.#next(position)) seen.add(to)
    return seen
  }

  /** The characters with which two ways part that lead through a repetition and come together again. */
  #twoWaysThrough(loop: readonly number[]): CharSet | undefined {
    for (const position of loop) {
      const edges = this.#inside(position)
      for (const [index, edge] of edges.entries()) {
        for (const other of edges.slice(index + 1)) {
          const chars = edge.set.and(other.set)
          if (chars.isEmpty) continue
          if (edge.to === other.to || this.#meet(edge.to, other.to)) return chars
        }
      }
    }
    return undefined
  }

  /** True when one text leads from both positions to one. */
  #meet(one: number, other: number): boolean {
    const pairs: [number, number][] = [[one, other]]
    const seen = new Set([`${one} ${other}`])
    for (const [left, right] of pairs) {
      for (const a of this.#inside(left)) {
        for (const b of this.#inside(right)) {
          const key = `${a.to} ${b.to}`
          if (seen.has(key) || a.set.and(b.set).isEmpty) continue
          if (a.to === b.to) return true
          seen.add(key)
          pairs.push([a.to, b.to])
        }
      }
    }
    return false
  }

  /** The characters of a text that leads around in `one`, around in `other`, and from the one to the other. */
  #sharedBy(one: readonly number[], other: readonly number[]): CharSet | undefined {
    for (const p of one) {
      for (const q of other) {
        const chars = this.#leads(p, q)
        if (chars) return chars
      }
    }
    return undefined
  }

  #leads(p: number, q: number): CharSet | undefined {
    const triples: [number, number, number][] = [[p, p, q]]
    const seen = new Set([`${p} ${p} ${q}`])
    for (const [left, between, right] of triples) {
      for (const a of this.#inside(left)) {
        for (const c of this.#inside(right)) {
          const around = a.set.and(c.set)
          if (around.isEmpty) continue
          for (const b of this.#next(between)) {
            const key = `${a.to} ${b.to} ${c.to}`
            if (seen.has(key)) continue
            const chars = around.and(b.set)
            if (chars.isEmpty) continue
            if (a.to === p && b.to === q && c.to === q) return chars
            seen.add(key)
            triples.push([a.to, b.to, c.to])
          }
        }
      }
    }
    return undefined
  }
}

/** The strongly connected components of an automaton (Kosaraju), without recursion. */
function stronglyConnected({ positions }: Automaton): readonly (readonly number[])[] {
  const forward = positions.map(({ next }) => [...new Set(next.map(({ to }) => to))])
  const backward = positions.map((): number[] => [])
  forward.forEach((next, from) => {
    for (const to of next) backward[to]?.push(from)
  })
  const done = new Set<number>()
  const finished: number[] = []
  for (const start of positions.keys()) walk(start, forward, done, (position) => finished.push(position))
  const assigned = new Set<number>()
  return finished.reverse().flatMap((start) => {
    const component: number[] = []
    walk(start, backward, assigned, (position) => component.push(position))
    return component.length > 0 ? [component] : []
  })
}

/** Visits all nodes that are reachable from `start` and not in `seen`, and reports each after all its successors. */
function walk(
  start: number,
  next: readonly (readonly number[])[],
  seen: Set<number>,
  leave: (position: number) => void,
): void {
  if (seen.has(start)) return
  seen.add(start)
  const path = [{ position: start, at: 0 }]
  for (let top = path.at(-1); top; top = path.at(-1)) {
    const to = next[top.position]?.[top.at++]
    if (to === undefined) {
      leave(top.position)
      path.pop()
    } else if (!seen.has(to)) {
      seen.add(to)
      path.push({ position: to, at: 0 })
    }
  }
}
