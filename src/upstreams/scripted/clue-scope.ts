import type { Clue, ClueKind, Clues, Pair } from './clues.ts'

/** A part of the text, as [start, end). */
export interface Span {
  start: number
  end: number
}

/**
 * The clues for one call: those of its own part of the text first, then those of the parts around it. Each clue is
 * taken once.
 */
export class ClueScope {
  readonly #clues: Clues
  readonly #spans: readonly Span[]
  readonly #own: Span
  readonly #only: { kind: ClueKind; clue: Clue } | undefined
  readonly #taken = new Set<Clue>()
  /** The text of the last result, for a step that uses it. */
  readonly lastResult: string | undefined

  /** `spans` go from the nearest to the widest; `only` leaves one clue of its kind. */
  constructor(
    clues: Clues,
    spans: readonly [Span, ...Span[]],
    lastResult?: string,
    only?: { kind: ClueKind; clue: Clue },
  ) {
    this.#clues = clues
    this.#spans = spans
    this.#own = spans[0]
    this.#only = only
    this.lastResult = lastResult
  }

  /** What the user wrote for this call. */
  get text(): string {
    return this.#clues.text.slice(this.#own.start, this.#own.end)
  }

  /** The same without its quotations. */
  get masked(): string {
    return this.#clues.masked.slice(this.#own.start, this.#own.end)
  }

  /** The next clue of a kind that was not taken yet. */
  take(kind: ClueKind): string | undefined {
    if (this.#only?.kind === kind) return this.#only.clue.text
    for (const span of this.#spans) {
      const clue = this.#clues.kinds[kind].find((one) => inside(one, span) && !this.#taken.has(one))
      if (clue === undefined) continue
      this.#taken.add(clue)
      return clue.text
    }
    return undefined
  }

  /** The name that stands right after a word: `from Paris`. */
  takeNameAfter(word: string): string | undefined {
    for (const span of this.#spans) {
      const clue = this.#clues.kinds.name.find((one) => {
        const before = this.#clues.masked.slice(Math.max(0, one.start - word.length - 2), one.start).toLowerCase()
        return inside(one, span) && !this.#taken.has(one) && before.trim().split(/\s+/).at(-1) === word
      })
      if (clue === undefined) continue
      this.#taken.add(clue)
      return clue.text
    }
    return undefined
  }

  /** The value given under a name, whatever its case style. */
  pair(key: string): Pair['value'] | undefined {
    const wanted = plainKey(key)
    for (const span of this.#spans) {
      const pair = this.#clues.pairs.find(
        (one) => one.start >= span.start && one.start < span.end && plainKey(one.key) === wanted,
      )
      if (pair !== undefined) return pair.value
    }
    return undefined
  }

  /** All clues of a kind in the call's own part. */
  own(kind: ClueKind): readonly Clue[] {
    return this.#clues.kinds[kind].filter((clue) => inside(clue, this.#own))
  }

  /** A list of at least two clues of a kind joined by "and", as in "Paris, Rome and Tokyo"; else empty. */
  joined(kind: ClueKind): readonly Clue[] {
    const list: Clue[] = []
    let hasAnd = false
    for (const clue of this.own(kind)) {
      const last = list.at(-1)
      const gap = last === undefined ? '' : this.#clues.masked.slice(last.end, clue.start)
      if (last !== undefined && !/^[\s,&+]*(?:(?:and|und|et|y|also|in|for|of|at|as well as|then)[\s,]+)*$/i.test(gap))
        break
      if (/\b(?:and|und|et|as well as)\b|&/i.test(gap)) hasAnd = true
      list.push(clue)
    }
    return hasAnd && list.length > 1 ? list : []
  }

  /** The same scope with one clue of a kind only. */
  narrowed(kind: ClueKind, clue: Clue): ClueScope {
    return new ClueScope(this.#clues, [this.#own, ...this.#spans.slice(1)], this.lastResult, { kind, clue })
  }
}

function inside(clue: Clue, span: Span): boolean {
  return clue.start >= span.start && clue.start < span.end
}

function plainKey(key: string): string {
  return key.toLowerCase().replace(/[_-]/g, '')
}
