import { escapePattern, LazyRegExp, nameChar } from '../../../grammar/index.ts'

/** A marker that closes reasoning, in a text. */
export interface Closer {
  index: number
  length: number
  /** The text ends with it, and more text may make a tool's name of it. */
  isOpen: boolean
}

/**
 * The markers that close reasoning. Of several at one place the longest counts. If calls begin with the same marker,
 * directly followed by the tool's name, it does not count before a name: `>>>allocate` is not `>>>all`.
 */
export class ReasoningClosers {
  readonly markers: readonly string[]
  /** The length of text that must be examined again when more of it arrives. */
  readonly longest: number
  readonly #there: LazyRegExp
  readonly #next: LazyRegExp
  /** In lower case. */
  readonly #named: ReadonlySet<string>

  /** `beginsCall`: true if a call begins with a marker. */
  constructor(markers: readonly string[], beginsCall: (marker: string) => boolean) {
    this.markers = [...new Set(markers)].sort((one, other) => other.length - one.length)
    const named = this.markers.filter((marker) => nameChar.test(marker.slice(-1)) && beginsCall(marker))
    this.#named = new Set(named.map((marker) => marker.toLowerCase()))
    this.longest = 1 + Math.max(0, ...this.markers.map((marker) => marker.length))
    const sources = this.markers.map(
      (marker) => escapePattern(marker) + (named.includes(marker) ? `(?!${nameChar.source})` : ''),
    )
    const source = sources.length > 0 ? sources.join('|') : '(?!)'
    this.#there = new LazyRegExp(source, 'iy')
    this.#next = new LazyRegExp(source, 'ig')
  }

  /** The marker at a place. */
  at(text: string, place: number): Closer | undefined {
    return this.#find(this.#there, text, place)
  }

  /** The first marker from a place on. */
  find(text: string, from: number = 0): Closer | undefined {
    return this.#find(this.#next, text, from)
  }

  #find(pattern: LazyRegExp, text: string, from: number): Closer | undefined {
    const found = pattern.execAt(text, from)
    if (!found) return undefined
    const [{ length }] = found
    const isOpen = found.index + length === text.length && this.#named.has(found[0].toLowerCase())
    return { index: found.index, length, isOpen }
  }
}
