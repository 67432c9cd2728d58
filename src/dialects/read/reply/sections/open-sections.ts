import type { Terminal } from '../../../../grammar/index.ts'

/** The number of sections that are known to be open: of more, the last. */
const mostOpen = 8

/** True if a marker has letters. */
const isWord = ({ whole }: Terminal): boolean => /\p{L}/u.test(whole.source.replace(/\\u[\da-f]{4}|\\./gi, ''))

/**
 * `marker`: calls that count are in the section. `text-of-calls`: only calls that are text, because they are refused, or broke off and are
 * delivered whole. `text`: something that only looks like the beginning of calls.
 */
export type SectionKind = 'marker' | 'text-of-calls' | 'text'

/** A section whose opener came and whose closers did not come yet. Its closers are text if its opener is, else markers. */
interface OpenSection {
  closers: readonly Terminal[]
  kind: SectionKind
  /** A call in it broke off: with the other delivery its markers may have another fate. */
  isBroken: boolean
}

/** The closer of an open section, with its place in a text. */
export interface SectionCloser {
  at: number
  end: number
  kind: SectionKind
}

/** The sections that are open after a block: a closer that comes later, after words, has the fate of its opener. */
export class OpenSections {
  #open: OpenSection[] = []

  get isEmpty(): boolean {
    return this.#open.length === 0
  }

  /** True if a closer may come that is text, with this delivery or the other. */
  get awaitsText(): boolean {
    return this.#open.some(({ kind, isBroken }) => kind !== 'marker' || isBroken)
  }

  /** True if the closer of a section of calls may come, as a marker or as text: which of the two may depend on the delivery. */
  get awaitsCloserOfCalls(): boolean {
    return this.#open.some(({ kind }) => kind !== 'text')
  }

  /** A section was opened that these markers close. A bracket alone closes much else. */
  leave(closers: readonly Terminal[], kind: SectionKind, isBroken: boolean = false): void {
    if (closers.length === 0) return
    const words = new Map(closers.filter(isWord).map((closer) => [closer.whole.source, closer]))
    if (words.size > 0) this.#open = [...this.#open, { closers: [...words.values()], kind, isBroken }].slice(-mostOpen)
  }

  /** Closes the section that was opened last of those that have a closer at one of the places, where none of `others` is. */
  close(text: string, places: readonly number[], others: readonly Terminal[] = []): SectionCloser | undefined {
    for (let index = this.#open.length - 1; index >= 0; index--) {
      const { closers = [], kind = 'marker', isBroken = false } = this.#open[index] ?? {}
      let found: SectionCloser | undefined
      const rest = closers.filter(({ whole }) => {
        const at = places.find(
          (one) => whole.testAt(text, one) && !others.some((other) => other.whole.testAt(text, one)),
        )
        if (at === undefined) return true
        const end = at + (whole.execAt(text, at)?.[0].length ?? 0)
        if (!found || found.end < end) found = { at, end, kind }
        return false
      })
      if (!found) continue
      this.#open.splice(index, 1, ...(rest.length > 0 ? [{ closers: rest, kind, isBroken }] : []))
      return found
    }
    return undefined
  }
}
