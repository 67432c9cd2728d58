import { LazyRegExp, type Pattern } from '../../grammar/index.ts'
import { joiner, type Sources } from './mark-pattern.ts'

/** A hostile text may have any characters, so candidates are remembered for this number of them only. */
const mostChars = 256

/**
 * The beginnings, at the end of a text, of neutralised marks that are broken after the same text. The rest of each mark
 * has its own expression, compiled when a text reaches it: the universal reader's expressions are a megabyte of
 * source, and to compile all of them at once takes seconds.
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
        const { takes, skips } = beginning(pattern, char)
        return takes || skips ? [begun] : []
      })
      if (this.#candidates.size >= mostChars) this.#candidates.clear()
      this.#candidates.set(char, candidates)
    }
    return candidates
  }
}

/**
 * Returns if a beginning of the pattern may take the character as its first, and if the pattern may be passed without
 * one. It may say so of a pattern that does not, never the reverse.
 */
function beginning(pattern: Pattern, char: string): { takes: boolean; skips: boolean } {
  switch (pattern.type) {
    case 'literal': {
      const [first] = pattern.text
      // The mark is matched with the flag i, so its first character is compared without regard to case.
      return { takes: first?.toUpperCase() === char.toUpperCase(), skips: first === undefined }
    }
    case 'chars':
      return { takes: pattern.max > 0 && new RegExp(`[${pattern.set}]`, 'i').test(char), skips: pattern.min === 0 }
    case 'captured':
      return { takes: true, skips: false }
    case 'sequence': {
      let takes = false
      for (const part of pattern.of) {
        const first = beginning(part, char)
        takes ||= first.takes
        if (!first.skips) return { takes, skips: false }
      }
      return { takes, skips: true }
    }
    case 'choice': {
      const firsts = pattern.of.map((one) => beginning(one, char))
      return { takes: firsts.some(({ takes }) => takes), skips: firsts.some(({ skips }) => skips) }
    }
    case 'optional':
    case 'not':
      return { takes: beginning(pattern.of, char).takes, skips: true }
    case 'capture':
      return beginning(pattern.of, char)
    case 'ahead': {
      // It takes nothing: the character is the first of what follows as well.
      const { takes, skips } = beginning(pattern.of, char)
      return { takes, skips: takes || skips }
    }
  }
}
