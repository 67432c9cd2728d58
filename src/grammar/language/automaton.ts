import { CharSet } from '../regex/chars.ts'

/** A transition by the characters of a set; the sets of a state do not overlap. */
export interface Edge {
  set: CharSet
  to: number
}

/** A state that is not among the edges of another is one in which no text is whole any more. */
export interface State {
  accepts: boolean
  edges: readonly Edge[]
}

/** Thrown for a language that takes more states than its makers may spend. */
export class TooManyStates extends Error {}

/** The greatest number of states of one language: printing has at most a rule for each. */
export const mostStates = 2500
/** The ranges of characters on all edges of one language. */
const mostRanges = 40_000

/** The steps that remain for the languages that are made now; making one is synchronous. */
let left = Number.POSITIVE_INFINITY

/** Runs `make` with a bound of `steps` for all languages that it makes: once they are used up, each throws `TooManyStates`. */
export function withLanguageSteps<Made>(steps: number, make: () => Made): Made {
  const before = left
  left = Math.min(before, steps)
  try {
    return make()
  } finally {
    left = before
  }
}

/** Takes steps: one is a node that is visited, or a range of characters on an edge. */
export function spendOnLanguage(steps: number): void {
  left -= steps
  if (left < 0) throw new TooManyStates()
}

/**
 * Makes the states that are reached from one, each once. `edgesOf` returns the edges of a state, and the keys of their
 * targets.
 *
 * Throws `TooManyStates` past `most`.
 */
export function reached<Place>(
  start: Place,
  keyOf: (place: Place) => string,
  stateOf: (place: Place) => { accepts: boolean; edges: readonly { set: CharSet; to: Place }[] },
  most: number = mostStates,
): State[] {
  const numbers = new Map([[keyOf(start), 0]])
  const places = [start]
  const states: State[] = []
  let ranges = mostRanges
  // Places are added during the iteration.
  for (const place of places) {
    const { accepts, edges } = stateOf(place)
    const more = 1 + edges.reduce((sum, { set }) => sum + set.ranges.length, 0)
    ranges -= more
    if (ranges < 0) throw new TooManyStates()
    spendOnLanguage(more)
    states.push({
      accepts,
      edges: merged(
        edges.map(({ set, to }) => {
          const key = keyOf(to)
          const known = numbers.get(key)
          if (known !== undefined) return { set, to: known }
          if (places.length >= most) throw new TooManyStates()
          numbers.set(key, places.length)
          places.push(to)
          return { set, to: places.length - 1 }
        }),
      ),
    })
  }
  return states
}

/** Edges to the same state as one. */
function merged(edges: readonly Edge[]): readonly Edge[] {
  if (areDistinct(edges.map(({ to }) => to))) return edges
  const byTarget = new Map<number, CharSet[]>()
  for (const { set, to } of edges) {
    const sets = byTarget.get(to)
    if (sets) sets.push(set)
    else byTarget.set(to, [set])
  }
  return [...byTarget].map(([to, sets]) => ({ to, set: CharSet.from(sets.flatMap(({ ranges }) => ranges)) }))
}

/** Most states have one edge or two. */
const fewEdges = 8

function areDistinct(numbers: readonly number[]): boolean {
  if (numbers.length > fewEdges) return new Set(numbers).size === numbers.length
  for (let at = 1; at < numbers.length; at++) if (numbers.indexOf(numbers[at] ?? 0) < at) return false
  return true
}

/**
 * The same language without states from which no text can be completed, and with one state in place of equivalent ones.
 */
export function reduced(states: readonly State[]): readonly State[] {
  const live = liveStates(states)
  if (!live.has(0)) return []
  const kept = [...live].sort((one, other) => one - other)
  const numbers = new Map(kept.map((state, at) => [state, at]))
  const trimmed = kept.map((at): State => {
    const { accepts = false, edges = [] } = states[at] ?? {}
    return {
      accepts,
      edges: edges.flatMap(({ set, to }) => (live.has(to) ? [{ set, to: numbers.get(to) ?? 0 }] : [])),
    }
  })
  return trimmed.length > mostMinimised ? trimmed : minimised(trimmed)
}

/** With more states, finding the equivalent ones takes too long. */
const mostMinimised = 150

function liveStates(states: readonly State[]): Set<number> {
  const before = states.map((): number[] => [])
  for (const [from, { edges }] of states.entries()) for (const { to } of edges) before[to]?.push(from)
  const live = new Set([...states.keys()].filter((at) => states[at]?.accepts))
  // A set iterates over the members that are added during the iteration.
  for (const state of live) for (const one of before[state] ?? []) live.add(one)
  return live
}

/** Moore's algorithm: states are divided by acceptance, then by the states that their edges lead to. */
function minimised(states: readonly State[]): readonly State[] {
  const sets = new Map<string, number>()
  const numberOf = (set: CharSet): number => {
    const text = set.toString()
    const number = sets.get(text) ?? sets.size
    sets.set(text, number)
    return number
  }
  const numbers = states.map(({ edges }) => edges.map(({ set }) => numberOf(set)))
  let classes = states.map(({ accepts }): number => (accepts ? 1 : 0))
  for (let count = 0; ; ) {
    const keys = new Map<string, number>()
    const next = states.map(({ edges }, at) => {
      const leads = edges.map(({ to }) => classes[to] ?? 0)
      const parts = areDistinct(leads)
        ? leads.map((to, edge) => to * mostSets + (numbers[at]?.[edge] ?? 0))
        : merged(edges.map(({ set }, edge) => ({ set, to: leads[edge] ?? 0 }))).map(
            ({ set, to }) => to * mostSets + numberOf(set),
          )
      if (parts.length > 1) parts.sort((one, other) => one - other)
      const key = `${classes[at]} ${parts.length === 1 ? parts[0] : parts.join(' ')}`
      const known = keys.get(key) ?? keys.size
      keys.set(key, known)
      return known
    })
    classes = next
    if (keys.size === count) break
    count = keys.size
  }
  // The class of the first state is 0, as keys are numbered in their order.
  const firsts = new Map<number, number>()
  for (const [at, one] of classes.entries()) if (!firsts.has(one)) firsts.set(one, at)
  return [...firsts.values()].map((at): State => {
    const { accepts = false, edges = [] } = states[at] ?? {}
    return { accepts, edges: merged(edges.map(({ set, to }) => ({ set, to: classes[to] ?? 0 }))) }
  })
}

/** More sets than the edges of any automaton that is minimised can have. */
const mostSets = 10_000_000

/** Splits overlapping sets into disjoint parts, each with all places that it leads to. */
export function splitSets(moves: readonly { set: CharSet; to: number }[]): { set: CharSet; to: number[] }[] {
  const [first] = moves
  if (moves.length === 1 && first) return [{ set: first.set, to: [first.to] }]
  const events: { code: number; change: 1 | -1; to: number }[] = []
  for (const { set, to } of moves) {
    for (const [begin, end] of set.ranges) {
      events.push({ code: begin, change: 1, to }, { code: end + 1, change: -1, to })
    }
  }
  events.sort((one, other) => one.code - other.code)
  const counts = new Map<number, number>()
  const parts = new Map<string, { ranges: [number, number][]; to: number[] }>()
  for (const [at, { code, change, to }] of events.entries()) {
    const count = (counts.get(to) ?? 0) + change
    if (count > 0) counts.set(to, count)
    else counts.delete(to)
    const next = events[at + 1]?.code
    if (next === undefined || next === code || counts.size === 0) continue
    const targets = [...counts.keys()].sort((one, other) => one - other)
    const key = targets.join()
    const part = parts.get(key)
    if (part) part.ranges.push([code, next - 1])
    else parts.set(key, { ranges: [[code, next - 1]], to: targets })
  }
  return [...parts.values()].map(({ ranges, to }) => ({ set: CharSet.from(ranges), to }))
}
