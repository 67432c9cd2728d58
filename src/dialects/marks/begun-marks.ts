import { LazyRegExp, type Pattern } from '../../grammar/index.ts'
import { joiner, type Sources } from './mark-pattern.ts'

/** A hostile text may have any characters, so candidates are remembered for this number of them only. */
const mostChars = 256

/**
 * The beginnings, at the end of a text, of neutralised marks that are broken after the same text. The rest of each mark
 * has its own expression, compiled when a text reaches it: the universal reader's expressions are a megabyte of
 * source, and to compile all of them at once accepts seconds.
 */
export class BegunMarks {
  readonly #head: LazyRegExp
  readonly #rests: readonly { pattern: Pattern; begun: LazyRegExp }[]
  /** The rests that may begin with a character. Made when the character is first met. */
  readonly #candidates = new Map<string, readonly LazyRegExp[]>()

  /** `broken` is the source for the text before the break. Each pattern has its sources at the same index. */
  constructor(broken: string, patterns: readonly Pattern[], sources: readonly Sources[]) {
    this.#head = new LazyRegExp(`${joiner}(?<=${broken}${joiner})${joiner}*`, 'iy')
    const rests = new Map<string, { pattern: Pattern; begun: LazyRegExp }>()
    for (const [index, pattern] of patterns.entries()) {
      const source = sources[index]?.begun ?? ''
      if (!rests.has(source)) rests.set(source, { pattern, begun: new LazyRegExp(source, 'iy') })
    }
    this.#rests = [...rests.values()]
  }

  /**
   * Returns the number of joiners at the index, if the text before them is broken there and the text after them may
   * become the rest of a mark; otherwise 0.
   */
  joinersAt(text: string, index: number): number {
    const joiners = this.#head.execAt(text, index)?.[0].length ?? 0
    const at = index + joiners
    if (joiners === 0 || at === text.length) return joiners
    const isBegun = this.#candidatesFor(String.fromCodePoint(text.codePointAt(at) ?? 0)).some((begun) =>
      begun.testAt(text, at),
    )
    return isBegun ? joiners : 0
  }

  #candidatesFor(char: string): readonly LazyRegExp[] {
    let candidates = this.#candidates.get(char)
    if (!candidates) {
      candidates = this.#rests.flatMap(({ pattern, begun }) => {
        const { accepts, isNullable } = firstStep(pattern, char)
        return accepts || isNullable ? [begun] : []
      })
      if (this.#candidates.size >= mostChars) this.#candidates.clear()
      this.#candidates.set(char, candidates)
    }
    return candidates
  }
}

/**
 * Computes if the pattern may match a text that starts with the character, and if it may match the empty text. Both may
 * be true for a pattern that cannot, but are never false for one that can.
 */
function firstStep(pattern: Pattern, char: string): { accepts: boolean; isNullable: boolean } {
  switch (pattern.type) {
    case 'literal': {
      const [first] = pattern.text
      // The mark is matched with the flag i, so its first character is compared without regard to case.
      return { accepts: first?.toUpperCase() === char.toUpperCase(), isNullable: first === undefined }
    }
    case 'chars':
      return {
        accepts: pattern.max > 0 && new RegExp(`[${pattern.set}]`, 'i').test(char),
        isNullable: pattern.min === 0,
      }
    case 'captured':
      return { accepts: true, isNullable: false }
    case 'sequence': {
      let accepts = false
      for (const part of pattern.of) {
        const first = firstStep(part, char)
        accepts ||= first.accepts
        if (!first.isNullable) return { accepts, isNullable: false }
      }
      return { accepts, isNullable: true }
    }
    case 'choice': {
      const firsts = pattern.of.map((one) => firstStep(one, char))
      return { accepts: firsts.some(({ accepts }) => accepts), isNullable: firsts.some(({ isNullable }) => isNullable) }
    }
    case 'optional':
    case 'not':
      return { accepts: firstStep(pattern.of, char).accepts, isNullable: true }
    case 'capture':
      return firstStep(pattern.of, char)
    case 'ahead': {
      // It accepts nothing: the character is the first of what follows as well.
      const { accepts, isNullable } = firstStep(pattern.of, char)
      return { accepts, isNullable: accepts || isNullable }
    }
  }
}
