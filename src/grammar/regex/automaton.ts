import { CharSet } from './chars.ts'
import { lineEnds } from './classes.ts'
import type { RegexTree } from './tree.ts'

/** A place in an expression that takes one character. */
interface Position {
  readonly set: CharSet
  /**
   * The positions at which a match may continue, with the next character. The same position twice if there are two
   * ways.
   */
  readonly next: Edge[]
}

export interface Edge {
  readonly to: number
  readonly set: CharSet
}

/**
 * The automaton of an expression: the positions that a matcher passes if it tries every way. All its positions are
 * live.
 */
export interface Automaton {
  readonly positions: readonly Position[]
  readonly first: readonly Edge[]
  /** Positions at which a match may end regardless of the next character: from there no way fails. */
  readonly ends: ReadonlySet<number>
}

/** The maximum number of repetitions that are written out; longer ones count as repetitions without an end. */
const longestWrittenOut = 3
/** A fixed number of characters of one set takes one way alone, so that it is written out up to this. */
const longestFixed = 64
/** The maximum length of a lookbehind, which costs that many steps at each place. */
const longestAfter = 32

/**
 * The positions of an expression and the successors of each (Glushkov's construction). A lookaround has no successors,
 * because it is tried and left again; a lookaround at a single character limits the next character.
 *
 * @param isSearch the expression may match anywhere in a text: it is tried from each place
 * @example
 * automatonOf(parseRegexTree('a*b')) // two positions: the first is followed by itself and by the second
 */
export function automatonOf(tree: RegexTree, isSearch: boolean = false): Automaton {
  const builder = new Builder()
  if (isSearch) {
    const anything = { type: 'set' as const, set: every }
    const before = { type: 'repeat' as const, of: anything, min: 0, max: Number.POSITIVE_INFINITY, isLazy: true }
    return builder.build({ type: 'sequence', of: [before, tree] })
  }
  return builder.build(tree)
}

const every = CharSet.none.not()
/** The same, for a part that may fail before any character: the position before it does not end a match. */
const unknown = CharSet.none.not()

/** A part of an expression, as the parts around it see it. */
interface Part {
  first: readonly Edge[]
  /** The positions that it may end with, and the characters with which the text may then continue. */
  last: readonly Edge[]
  /** For each way to match the empty text: the characters with which the text may continue. */
  empties: readonly CharSet[]
  /** For lookbehinds: the set of characters that must precede. */
  before?: CharSet
}

const nothing: Part = { first: [], last: [], empties: [every] }
const edges: Record<Extract<RegexTree, { type: 'edge' }>['at'], Part> = {
  start: { ...nothing, before: CharSet.none },
  'line-start': { ...nothing, before: lineEnds },
  end: { ...nothing, empties: [CharSet.none] },
  'line-end': { ...nothing, empties: [lineEnds] },
  // A word boundary is ignored: an overlap that is found without it is found with it.
  word: { ...nothing, empties: [unknown] },
  'no-word': { ...nothing, empties: [unknown] },
}

class Builder {
  readonly #positions: Position[] = []

  build(tree: RegexTree): Automaton {
    const { first, last } = this.#part(tree)
    const ends = new Set(last.flatMap(({ to, set }) => (set === every ? [to] : [])))
    return { positions: this.#positions, first, ends }
  }

  #part(tree: RegexTree): Part {
    switch (tree.type) {
      case 'set':
        return this.#position(tree.set)
      case 'sequence':
        return this.#sequence(nothing, tree)
      case 'choice': {
        const parts = tree.of.map((part) => this.#part(part))
        return {
          first: parts.flatMap(({ first }) => first),
          last: parts.flatMap(({ last }) => last),
          empties: parts.flatMap(({ empties }) => empties),
        }
      }
      case 'group':
        return this.#part(tree.of)
      case 'repeat':
        return this.#repeat(tree)
      case 'look':
        return this.#look(tree)
      case 'edge':
        return edges[tree.at]
      case 'back':
        // The repeated text may be anything.
        return optional(this.#again(this.#position(every)))
    }
  }

  #sequence(start: Part, tree: RegexTree): Part {
    return partsOf(tree).reduce<Part>((before, part) => {
      // A lookbehind at the beginning of an alternative sees the text before all alternatives.
      if (part.type !== 'choice' || !part.of.some(beginsLookingBehind)) return this.#after(before, this.#part(part))
      const ways = part.of.map((one) => this.#sequence(before, one))
      return {
        first: [...new Set(ways.flatMap(({ first }) => first))],
        last: [...new Set(ways.flatMap(({ last }) => last))],
        empties: ways.flatMap(({ empties }) => empties).slice(0, 2),
      }
    }, start)
  }

  #position(set: CharSet): Part {
    const to = this.#positions.length
    this.#positions.push({ set, next: [] })
    return { first: [{ to, set }], last: [{ to, set: every }], empties: [] }
  }

  #after(before: Part, after: Part): Part {
    if (after.before) return this.#endingWith(before, after.before)
    for (const { to, set } of before.last) this.#positions[to]?.next.push(...guarded(after.first, set))
    return {
      first: [...before.first, ...before.empties.flatMap((set) => guarded(after.first, set))],
      last: [...after.last, ...after.empties.flatMap((set) => guarded(before.last, set))],
      empties: before.empties.flatMap((one) => after.empties.map((other) => one.and(other))).slice(0, 2),
    }
  }

  /** The part, restricted to ends with one of these characters: its last positions once more, with those alone. */
  #endingWith(part: Part, set: CharSet): Part {
    const copies = new Map<number, Edge>()
    for (const { to } of part.last) {
      const own = this.#positions[to]?.set.and(set) ?? set
      if (copies.has(to) || own.isEmpty) continue
      copies.set(to, { to: this.#positions.length, set: own })
      this.#positions.push({ set: own, next: [] })
    }
    const copied = (edges: readonly Edge[]) =>
      edges.flatMap((edge): Edge[] => {
        const copy = copies.get(edge.to)
        const chars = copy?.set.and(edge.set)
        return copy && chars && !chars.isEmpty ? [{ to: copy.to, set: chars }] : []
      })
    for (const { next } of this.#positions) next.push(...copied(next))
    const last = part.last.flatMap((edge) => {
      const copy = copies.get(edge.to)
      return copy ? [{ to: copy.to, set: edge.set }] : []
    })
    return { first: [...part.first, ...copied(part.first)], last, empties: part.empties }
  }

  #repeat({ of, min, max }: Extract<RegexTree, { type: 'repeat' }>): Part {
    const tempered = temperedOf(of)
    if (tempered) return this.#tempered(tempered.word, tempered.set, min)
    const isFixed = min === max && isSet(of)
    if (max > longestWrittenOut && !(isFixed && max <= longestFixed)) {
      const again = this.#again(this.#part(of))
      return min === 0 ? optional(again) : again
    }
    // `X{1,3}` is `X(?:X(?:X)?)?`.
    let part: Part = nothing
    for (let count = max; count > 0; count--) {
      part = this.#after(this.#part(of), part)
      if (count > min) part = optional(part)
    }
    return part
  }

  #again(part: Part): Part {
    for (const { to, set } of part.last) this.#positions[to]?.next.push(...guarded(part.first, set))
    return part
  }

  /**
   * `(?:(?!word)[set])*`: a run that ends at the beginning of the word. It has a position for each beginning of the
   * word that the run may end with (Knuth, Morris and Pratt). No position completes the word.
   */
  #tempered(word: readonly CharSet[], set: CharSet, min: number): Part {
    const from = this.#positions.length
    const edgesFrom = (length: number): Edge[] => {
      const found: Edge[] = []
      let rest = set
      // The longest prefix of the word that the text so far ends with, then shorter ones.
      for (let matched = length; matched >= 0; matched--) {
        if (!endsWith(word, length, matched)) continue
        const char = word[matched] ?? CharSet.none
        const chars = rest.and(char)
        rest = rest.without(char)
        if (!chars.isEmpty && matched + 1 < word.length) found.push({ to: from + matched + 1, set: chars })
      }
      return rest.isEmpty ? found : [...found, { to: from, set: rest }]
    }
    for (const _ of word) this.#positions.push({ set, next: [] })
    word.forEach((_, length) => {
      this.#positions[from + length]?.next.push(...edgesFrom(length))
    })
    const part: Part = {
      first: edgesFrom(0),
      last: word.map((_, length) => ({ to: from + length, set: every })),
      empties: [],
    }
    return min === 0 ? optional(part) : part
  }

  #look({ of, isAfter, isNegative }: Extract<RegexTree, { type: 'look' }>): Part {
    if (isAfter) return this.#lookBehind(of, isNegative)
    const { first, empties } = this.#part(of)
    const found = { first, last: [], empties: [unknown] }
    if (isNegative) {
      const single = singleOf(of)
      return single ? { ...found, empties: [single.not()] } : found
    }
    return { ...found, empties: [empties.length > 0 ? unknown : unionOf(first.map(({ set }) => set))] }
  }

  /**
   * A lookbehind takes some steps at each place, and restricts the character there if it is only one character long.
   */
  #lookBehind(of: RegexTree, isNegative: boolean): Part {
    const single = singleOf(of)
    if (single && (isNegative || isSingle(of))) return { ...nothing, before: isNegative ? single.not() : single }
    if (longestOf(of) <= longestAfter) return { ...nothing, empties: [unknown] }
    return { ...this.#part(of), last: [], empties: [unknown] }
  }
}

/** Returns the parts of a sequence, with nested sequences flattened: a lookbehind sees the part before it. */
function partsOf(tree: RegexTree): readonly RegexTree[] {
  if (tree.type === 'sequence') return tree.of.flatMap(partsOf)
  return tree.type === 'group' ? partsOf(tree.of) : [tree]
}

function optional(part: Part): Part {
  return { ...part, empties: [...part.empties, every].slice(0, 2) }
}

function guarded(edges: readonly Edge[], guard: CharSet): readonly Edge[] {
  if (guard === every) return edges
  return edges.map(({ to, set }) => ({ to, set: set.and(guard) })).filter(({ set }) => !set.isEmpty)
}

function unionOf(sets: readonly CharSet[]): CharSet {
  return CharSet.from(sets.flatMap(({ ranges }) => ranges))
}

function isSet(tree: RegexTree): boolean {
  return tree.type === 'set' || (tree.type === 'group' && isSet(tree.of))
}

function isOnce(tree: RegexTree): tree is Extract<RegexTree, { type: 'repeat' }> {
  return tree.type === 'repeat' && tree.min === 1 && tree.max === 1
}

/** Returns the characters that satisfy the expression on their own. Undefined if no single character does. */
function singleOf(tree: RegexTree): CharSet | undefined {
  if (tree.type === 'set') return tree.set
  if (tree.type === 'group' || isOnce(tree)) return singleOf(tree.of)
  if (tree.type !== 'choice') return undefined
  const sets = tree.of.flatMap((part) => singleOf(part) ?? [])
  return sets.length === 0 ? undefined : unionOf(sets)
}

/** Returns the parts of a run that ends before a word. */
function temperedOf(tree: RegexTree): { word: readonly CharSet[]; set: CharSet } | undefined {
  const [look, char, ...others] = partsOf(tree)
  if (look?.type !== 'look' || look.isAfter || !look.isNegative || char?.type !== 'set' || others.length > 0) return
  const letters = partsOf(look.of)
  const word = letters.flatMap((letter) => (letter.type === 'set' ? [letter.set] : []))
  return word.length > 1 && word.length === letters.length ? { word, set: char.set } : undefined
}

/** True if the word's first `length` characters end with its first `matched`. */
function endsWith(word: readonly CharSet[], length: number, matched: number): boolean {
  return word.slice(0, matched).every((one, index) => {
    const other = word[length - matched + index]
    return other !== undefined && !one.and(other).isEmpty
  })
}

function beginsLookingBehind(tree: RegexTree): boolean {
  const [first] = partsOf(tree)
  return first?.type === 'look' ? first.isAfter : first?.type === 'edge' && first.at.endsWith('start')
}

/** True for a part that takes one character, or nothing at the beginning of the text. */
function isSingle(tree: RegexTree): boolean {
  if (tree.type === 'choice') return tree.of.every(isSingle)
  return tree.type === 'group'
    ? isSingle(tree.of)
    : tree.type === 'set' || (tree.type === 'edge' && tree.at === 'start')
}

/** Returns the maximum number of characters that it matches. */
function longestOf(tree: RegexTree): number {
  switch (tree.type) {
    case 'set':
      return 1
    case 'sequence':
      return tree.of.reduce((sum, part) => sum + longestOf(part), 0)
    case 'choice':
      return Math.max(...tree.of.map(longestOf))
    case 'group':
      return longestOf(tree.of)
    case 'repeat':
      return tree.max === 0 ? 0 : tree.max * longestOf(tree.of)
    case 'look':
    case 'edge':
      return 0
    case 'back':
      return Number.POSITIVE_INFINITY
  }
}
