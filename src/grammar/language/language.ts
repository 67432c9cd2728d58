import { CharSet } from '../regex/chars.ts'
import { mostStates, reached, reduced, type State, splitSets, TooManyStates } from './automaton.ts'

interface Counted {
  state: number
  length: number
}

/** The state of a text that is followed by others, and the states of those. */
interface Followed {
  state: number
  others: readonly number[]
}

/**
 * A set of texts that a finite automaton accepts: the strings in which a pattern finds a match, the names that a schema
 * does not declare. Such sets can be joined, intersected and subtracted, in as many steps as there are pairs of states.
 * All of these operations throw `TooManyStates` if the result is too large.
 */
export class Language {
  /** The first is the start; empty if the language is empty. Deterministic: the edges of a state do not overlap. */
  readonly states: readonly State[]

  private constructor(states: readonly State[]) {
    this.states = states
  }

  static from(states: readonly State[]): Language {
    return new Language(reduced(states))
  }

  static readonly all: Language = new Language([{ accepts: true, edges: [{ set: CharSet.all, to: 0 }] }])
  static readonly none: Language = new Language([])

  /** The texts of a list. */
  static of(texts: readonly string[]): Language {
    const unique = [...new Set(texts)]
    const states = reached(
      unique,
      (rests) => JSON.stringify(rests),
      (rests) => {
        const byFirst = new Map<string, string[]>()
        for (const rest of rests) {
          const [first] = rest
          if (first === undefined) continue
          const found = byFirst.get(first)
          if (found) found.push(rest.slice(first.length))
          else byFirst.set(first, [rest.slice(first.length)])
        }
        const edges = [...byFirst].map(([first, to]) => ({ set: CharSet.of(first), to }))
        return { accepts: rests.includes(''), edges }
      },
    )
    return Language.from(states)
  }

  get isEmpty(): boolean {
    return this.states.length === 0
  }

  /** True if any text at all is in it. */
  get isAll(): boolean {
    const [first] = this.states
    const isLoop = first?.edges.every(({ to }) => to === 0) === true && first.accepts
    return isLoop && this.states.length === 1 && CharSet.all.without(unionOf(first)).isEmpty
  }

  has(text: string): boolean {
    let state = this.states[0]
    for (const char of text) {
      const edge: State['edges'][number] | undefined = state?.edges.find(({ set }) => set.has(char))
      state = edge && this.states[edge.to]
      if (!state) return false
    }
    return state?.accepts === true
  }

  /** The texts that are in both. */
  and(other: Language): Language {
    if (this.isEmpty || other.isAll) return this
    if (other.isEmpty || this.isAll) return other
    return this.#with(other, (one, two) => one && two, false, false)
  }

  /** The texts that are in one of them. */
  or(other: Language): Language {
    if (this.isEmpty || other.isAll) return other
    if (other.isEmpty || this.isAll) return this
    return this.#with(other, (one, two) => one || two, true, true)
  }

  /** The texts that are not in the other. */
  without(other: Language): Language {
    if (this.isEmpty || other.isEmpty) return this
    return this.#with(other, (one, two) => one && !two, false, true)
  }

  /** The texts that are not in it. */
  not(): Language {
    return Language.all.without(this)
  }

  /** The texts of it that begin with no other text of it. */
  shortest(): Language {
    return Language.from(this.states.map((state) => (state.accepts ? { accepts: true, edges: [] } : state)))
  }

  /** A text of it, followed by one of the other. */
  followedBy(other: Language): Language {
    if (this.isEmpty || other.isEmpty) return Language.none
    const entered = (at: number) => this.states[at]?.accepts === true
    const states = reached<Followed>(
      { state: 0, others: entered(0) ? [0] : [] },
      ({ state, others }) => `${state} ${others.join()}`,
      ({ state, others }) => {
        const mine = (this.states[state]?.edges ?? []).map(({ set, to }) => ({ set, to: -1 - to }))
        const theirs = others.flatMap((one) => other.states[one]?.edges ?? [])
        const edges = splitSets([...mine, ...theirs]).map(({ set, to }) => {
          const own = to.find((one) => one < 0)
          const next = own === undefined ? dead : -1 - own
          const rest = new Set(to.filter((one) => one >= 0))
          if (next !== dead && entered(next)) rest.add(0)
          return { set, to: { state: next, others: [...rest].sort((one, two) => one - two) } }
        })
        return { accepts: others.some((one) => other.states[one]?.accepts), edges }
      },
    )
    return Language.from(states)
  }

  /** The texts of a length in code points. */
  ofLength(min: number, max: number): Language {
    if (min <= 0 && max === Number.POSITIVE_INFINITY) return this
    if (this.isEmpty || max < min) return Language.none
    if (max !== Number.POSITIVE_INFINITY && this.#statesOfLength(max) > mostStates) throw new TooManyStates()
    const states = reached<Counted>(
      { state: 0, length: 0 },
      ({ state, length }) => `${state} ${length}`,
      ({ state, length }) => {
        const { accepts = false, edges = [] } = this.states[state] ?? {}
        // Past both bounds the length no longer matters.
        const next = max === Number.POSITIVE_INFINITY ? Math.min(length + 1, min) : length + 1
        return {
          accepts: accepts && length >= min,
          edges: length >= max ? [] : edges.map(({ set, to }) => ({ set, to: { state: to, length: next } })),
        }
      },
    )
    return Language.from(states)
  }

  /** The least number of states that distinguish texts up to a length: a state that leads to itself counts once for each length from its first on. */
  #statesOfLength(max: number): number {
    const depths = new Map([[0, 0]])
    let count = 0
    // Entries are added while they are read.
    for (const [at, depth] of depths) {
      const { edges = [] } = this.states[at] ?? {}
      if (edges.some(({ to }) => to === at)) count += Math.max(0, max - depth)
      for (const { to } of edges) if (!depths.has(to)) depths.set(to, depth + 1)
    }
    return count > 0 || max <= mostStates || !this.#isEndless() ? count : max
  }

  /** True if there is a text of any length in it: a state leads back to itself, and all of them lead to an end. */
  #isEndless(): boolean {
    const entries = this.states.map(() => 0)
    for (const { edges } of this.states) for (const { to } of edges) entries[to] = (entries[to] ?? 0) + 1
    const free = [...entries.keys()].filter((at) => entries[at] === 0)
    let taken = 0
    for (let at = free.pop(); at !== undefined; at = free.pop()) {
      taken++
      for (const { to } of this.states[at]?.edges ?? []) {
        entries[to] = (entries[to] ?? 0) - 1
        if (entries[to] === 0) free.push(to)
      }
    }
    return taken < this.states.length
  }

  /** `keepsOne`, `keepsOther`: a text that is out of the other for good may still be in the result. */
  #with(
    other: Language,
    accepts: (one: boolean, two: boolean) => boolean,
    keepsOther: boolean,
    keepsOne: boolean,
  ): Language {
    const states = reached<readonly [number, number]>(
      [0, 0],
      ([one, two]) => `${one} ${two}`,
      ([one, two]) => {
        const [first, second] = [this.states[one], other.states[two]]
        const [mine, theirs] = [first?.edges ?? [], second?.edges ?? []]
        const edges: { set: CharSet; to: readonly [number, number] }[] = []
        for (const edge of mine) {
          for (const its of theirs) {
            const set = edge.set.and(its.set)
            if (!set.isEmpty) edges.push({ set, to: [edge.to, its.to] })
          }
          const left = keepsOne && second ? edge.set.without(unionOf(second)) : keepsOne ? edge.set : CharSet.none
          if (!left.isEmpty) edges.push({ set: left, to: [edge.to, dead] })
        }
        for (const its of keepsOther ? theirs : []) {
          const left = first ? its.set.without(unionOf(first)) : its.set
          if (!left.isEmpty) edges.push({ set: left, to: [dead, its.to] })
        }
        return { accepts: accepts(first?.accepts ?? false, second?.accepts ?? false), edges }
      },
    )
    return Language.from(states)
  }
}

/** The state of a text that can no longer be in a language, whatever follows. */
const dead = -1

const unions = new WeakMap<State, CharSet>()

/** The characters with which a text continues from a state. */
function unionOf(state: State): CharSet {
  const known = unions.get(state)
  if (known) return known
  const union = CharSet.from(state.edges.flatMap(({ set }) => set.ranges))
  unions.set(state, union)
  return union
}

/** The result of `make`; undefined if a language in it takes too many states. */
export function orUndefined<Made>(make: () => Made): Made | undefined {
  try {
    return make()
  } catch (error) {
    if (error instanceof TooManyStates) return undefined
    throw error
  }
}
