import type { Pattern } from '../tree/pattern.ts'
import { firstChars } from '../tree/pattern-queries.ts'
import { wholeSource } from '../tree/pattern-source.ts'
import { begunSource } from './begun-pattern.ts'

/** Sources of regular expressions for a whole match, and for a beginning of one at the end of a text. */
export interface Sources {
  readonly whole: string
  readonly begun: string
}

/** A beginning to search for. */
export interface Sought {
  sources: Sources
  /** The pattern that the sources come from, if it is one: patterns with equal beginnings are searched together. */
  pattern?: Pattern
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
