import type { Pattern } from '../tree/pattern.ts'
import { firstChars } from '../tree/pattern-queries.ts'
import { wholeSource } from '../tree/pattern-source.ts'
import type { Tag } from '../tree/tag.ts'
import { begunChoice, begunSource, never } from './begun-pattern.ts'
import { kindOf, TagOpeners } from './tag-opener.ts'

/** Sources of regular expressions for a whole match, and for a beginning of one at the end of a text. */
export interface Sources {
  readonly whole: string
  readonly begun: string
}

/** A beginning to search for. */
export interface Sought {
  sources: Sources
  /** The pattern or the tag that the sources come from: those with equal beginnings are searched together. */
  pattern?: Pattern
  tag?: Tag
  /** The characters with which it may begin; undefined when it may begin with any. */
  firstChars: readonly string[] | undefined
  /** True if it counts at the beginning of a line only, so that white space or nothing comes before it. */
  atLine?: boolean
}

/**
 * The sources for a pattern. Each is made when it is first asked for: of the sources of all formats, which take 0.1 s to
 * make, a reply needs one in ten.
 */
export class PatternSources implements Sources {
  readonly #pattern: Pattern
  #whole: string | undefined
  #begun: string | undefined

  constructor(pattern: Pattern) {
    this.#pattern = pattern
  }

  get whole(): string {
    this.#whole ??= wholeSource(this.#pattern)
    return this.#whole
  }

  get begun(): string {
    this.#begun ??= begunSource(this.#pattern)
    return this.#begun
  }
}

/** The sources for a pattern whose captures are not asked for: several of them can be alternatives of one expression. */
export class UncapturedSources extends PatternSources {
  override get whole(): string {
    return super.whole.replace(/\(\?<[a-z]+>/g, '(?:')
  }
}

/** Returns the search for a pattern. */
export function soughtPattern(pattern: Pattern, chars: readonly string[] | undefined = firstChars(pattern)): Sought {
  return { sources: new UncapturedSources(pattern), pattern, firstChars: chars }
}

/** V8 does not optimize an expression of more characters. */
const mostOptimized = 20 * 1024

/**
 * Returns the sources for several beginnings, those that have much in common together: literals, other patterns, and each
 * kind of tag. One expression for all of the beginnings in a large dialect takes V8 three times as long to match as these
 * take together.
 */
export function sourceGroups(sought: readonly Sought[]): Sources[] {
  const tags = new Map<string, Tag[]>()
  const literals: Sought[] = []
  const others: Sought[] = []
  for (const one of sought) {
    if (one.tag) tags.set(kindOf(one.tag), [...(tags.get(kindOf(one.tag)) ?? []), one.tag])
    else if (one.pattern && beginsWithLiteral(one.pattern)) literals.push(one)
    else others.push(one)
  }
  return [
    ...(literals.length > 0 ? [new LiteralSources(literals)] : []),
    ...packed(others.map(({ sources }) => sources)),
    ...[...tags.values()].map((list) => new TagOpeners(list)),
  ]
}

/** Unites sources that have nothing in common, up to the length that V8 optimizes. */
function packed(sources: readonly Sources[]): Sources[] {
  const packs: { of: Sources[]; length: number }[] = []
  for (const one of sources) {
    const length = one.begun.length + 1
    const last = packs.at(-1)
    if (last && last.length + length <= mostOptimized) {
      last.of.push(one)
      last.length += length
    } else packs.push({ of: [one], length })
  }
  return packs.map(({ of }) => new AnySources(of))
}

function beginsWithLiteral(pattern: Pattern): boolean {
  if (pattern.type === 'sequence') return pattern.of[0] !== undefined && beginsWithLiteral(pattern.of[0])
  return pattern.type === 'literal'
}

/** The sources for any of several; for none, of what matches nothing. */
export class AnySources implements Sources {
  readonly #of: readonly Sources[]

  constructor(of: readonly Sources[]) {
    this.#of = of
  }

  get whole(): string {
    return this.#of.length === 0 ? never : [...new Set(this.#of.map(({ whole }) => whole))].join('|')
  }

  get begun(): string {
    return this.#of.length === 0 ? never : [...new Set(this.#of.map(({ begun }) => begun))].join('|')
  }
}

/** The same for patterns, whose common beginnings are compared once. */
class LiteralSources extends AnySources {
  readonly #sought: readonly Sought[]

  constructor(sought: readonly Sought[]) {
    super(sought.map(({ sources }) => sources))
    this.#sought = sought
  }

  override get begun(): string {
    return begunChoice(this.#sought.flatMap(({ pattern }) => pattern ?? []))
  }
}
