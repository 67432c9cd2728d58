import { CharSet } from '../regex/chars.ts'
import { parseRegexTree, type RegexTree } from '../regex/tree.ts'
import { reached, spendOnLanguage, splitSets, TooManyStates } from './automaton.ts'
import { Language } from './language.ts'

/**
 * A node reads a character of a set and leads on, or leads on without one: always, or at the beginning or the end of
 * the text.
 */
type Node =
  | { type: 'chars'; set: CharSet; to: number }
  | { type: 'skip'; to: number[]; at?: 'start' | 'end' }
  | { type: 'found' }

const mostNodes = 3000
/** Nodes that are visited for all states together. */
const mostVisits = 200_000
const longestPattern = 2000

const known = new Map<string, Language>()
const mostKnown = 300

/**
 * Returns the texts in which a pattern of a JSON schema finds a match. Undefined for constructs that no automaton of a
 * bounded size expresses: back references, word boundaries, lookarounds elsewhere than at the beginning, Unicode
 * classes, repetitions of thousands.
 *
 * @example
 * patternLanguage('^(?!x)[a-z]+$')?.has('abc') // true
 */
export function patternLanguage(source: string, longest: number = longestPattern): Language | undefined {
  const made = known.get(source)
  if (made) return made
  if (known.size >= mostKnown) known.clear()
  const language = languageOf(source, longest)
  // Another grammar may have more steps left.
  if (language) known.set(source, language)
  return language
}

function languageOf(source: string, longest: number): Language | undefined {
  if (source.length > longest || /\\[pPkbB1-9]/.test(source)) return undefined
  try {
    return foundBy(parseRegexTree(source, ''))
  } catch (error) {
    if (error instanceof TooManyStates || error instanceof Unsupported || error instanceof SyntaxError) return undefined
    throw error
  }
}

/** The texts that an expression matches as a whole. Throws `TooManyStates` if it needs too many. */
export function wholeLanguage(tree: RegexTree): Language {
  return new PatternNodes().whole(tree)
}

class Unsupported extends Error {}

/** The texts in which the expression finds a match: lookaheads at the beginning first, then the rest. */
function foundBy(tree: RegexTree): Language {
  if (tree.type === 'choice') return tree.of.map(foundBy).reduce((all, one) => all.or(one), Language.none)
  if (tree.type === 'group') return foundBy(tree.of)
  const parts = tree.type === 'sequence' ? tree.of : [tree]
  const at = parts.findIndex((part) => part.type !== 'edge' || part.at !== 'start')
  if (at < 1 || parts[at]?.type !== 'look') return new PatternNodes().language(tree)
  const begin = parts.slice(0, at)
  let end = at
  let found = Language.all
  for (let look = parts[end]; look?.type === 'look' && !look.isAfter; look = parts[++end]) {
    const seen = foundBy({ type: 'sequence', of: [...begin, ...partsOf(look.of)] })
    found = look.isNegative ? found.without(seen) : found.and(seen)
  }
  return found.and(foundBy({ type: 'sequence', of: [...begin, ...parts.slice(end)] }))
}

function partsOf(tree: RegexTree): readonly RegexTree[] {
  return tree.type === 'sequence' ? tree.of : [tree]
}

/** A position in an expression: in all of these nodes at once. */
interface Place {
  nodes: readonly number[]
  isStart: boolean
}

/** The nodes of an expression, by Thompson's construction. */
class PatternNodes {
  readonly #nodes: Node[] = []
  #left = mostVisits

  /** The texts that the expression matches from their beginning to their end. */
  whole(tree: RegexTree): Language {
    const found = this.#add({ type: 'found' })
    const end = this.#add({ type: 'skip', to: [found], at: 'end' })
    return this.#from(this.#before(tree, end))
  }

  /** The texts in which the expression finds a match anywhere. */
  language(tree: RegexTree): Language {
    const found = this.#add({ type: 'found' })
    const start = this.#before(tree, found)
    const again = this.#add({ type: 'skip', to: [start] })
    const anywhere = this.#add({ type: 'chars', set: CharSet.all, to: again })
    this.#nodes[again] = { type: 'skip', to: [start, anywhere] }
    return this.#from(again)
  }

  #from(start: number): Language {
    const states = reached<Place>(
      { nodes: this.#closure([start], true), isStart: true },
      ({ nodes, isStart }) => `${isStart} ${nodes.join()}`,
      (place) => this.#state(place),
    )
    return Language.from(states)
  }

  #add(node: Node): number {
    if (this.#nodes.length >= mostNodes) throw new TooManyStates()
    this.#nodes.push(node)
    return this.#nodes.length - 1
  }

  /** The node with which the expression begins if `to` follows it. */
  #before(tree: RegexTree, to: number): number {
    switch (tree.type) {
      case 'set':
        return this.#add({ type: 'chars', set: tree.set.and(CharSet.all), to })
      case 'group':
        return this.#before(tree.of, to)
      case 'sequence':
        return tree.of.reduceRight((next, part) => this.#before(part, next), to)
      case 'choice':
        return this.#add({ type: 'skip', to: tree.of.map((part) => this.#before(part, to)) })
      case 'edge':
        if (tree.at !== 'start' && tree.at !== 'end') throw new Unsupported()
        return this.#add({ type: 'skip', to: [to], at: tree.at })
      case 'repeat':
        return this.#repeated(tree, to)
      case 'look':
      case 'back':
        throw new Unsupported()
    }
  }

  #repeated({ of, min, max }: Extract<RegexTree, { type: 'repeat' }>, to: number): number {
    if (max < min) throw new Unsupported()
    let next = to
    if (max === Number.POSITIVE_INFINITY) {
      const again = this.#add({ type: 'skip', to: [to] })
      const body = this.#before(of, again)
      this.#nodes[again] = { type: 'skip', to: [body, to] }
      next = again
    } else {
      for (let count = min; count < max; count++) next = this.#add({ type: 'skip', to: [this.#before(of, next), to] })
    }
    for (let count = 0; count < min; count++) next = this.#before(of, next)
    return next
  }

  /** All nodes that are reached without a character, in order. */
  #closure(from: readonly number[], isStart: boolean, isEnd: boolean = false): number[] {
    const seen = new Set(from)
    for (const at of seen) {
      const node = this.#nodes[at]
      if (node?.type !== 'skip') continue
      if ((node.at === 'start' && !isStart) || (node.at === 'end' && !isEnd)) continue
      for (const to of node.to) seen.add(to)
    }
    this.#left -= seen.size
    spendOnLanguage(seen.size)
    if (this.#left < 0) throw new TooManyStates()
    return [...seen].sort((one, other) => one - other)
  }

  #state(place: Place): { accepts: boolean; edges: { set: CharSet; to: Place }[] } {
    const { nodes, isStart } = place
    // A match remains a match, whatever follows.
    const whole = nodes.find((at) => this.#nodes[at]?.type === 'found')
    if (whole !== undefined) {
      return { accepts: true, edges: [{ set: CharSet.all, to: { nodes: [whole], isStart: false } }] }
    }
    const ended = this.#closure(nodes, isStart, true)
    const moves = nodes.flatMap((at) => {
      const node = this.#nodes[at]
      return node?.type === 'chars' && !node.set.isEmpty ? [node] : []
    })
    const edges = splitSets(moves).map(({ set, to }) => ({
      set,
      to: { nodes: this.#closure(to, false), isStart: false },
    }))
    return { accepts: ended.some((at) => this.#nodes[at]?.type === 'found'), edges }
  }
}
