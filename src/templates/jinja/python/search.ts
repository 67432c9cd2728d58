import type { Budget } from './budget.ts'

/**
 * From this length on a text is not looked for by JavaScript's own search, whose time is up to the product of both lengths: a needle that
 * nearly fits everywhere would take hours.
 */
const longNeedle = 64

/** Where the part first is from there on; below zero where it is not. */
export function indexOf(text: string, part: string, from: number = 0): number {
  if (part.length < longNeedle) return text.indexOf(part, from)
  return new Search(text, part).next(from) ?? -1
}

/** Where the part last is. */
export function lastIndexOf(text: string, part: string): number {
  if (part.length < longNeedle) return text.lastIndexOf(part)
  const last = new Search(text, part, true).next(0)
  return last === undefined ? -1 : text.length - last - part.length
}

/** As `text.split(separator)`, counting each part before it is made. */
export function splitAt(text: string, separator: string, budget: Budget): string[] {
  const parts: string[] = []
  const search = separator.length < longNeedle ? undefined : new Search(text, separator)
  for (let from = 0; ; ) {
    budget.spend(1)
    const at = search ? (search.next(from) ?? -1) : text.indexOf(separator, from)
    if (at < 0) return [...parts, text.slice(from)]
    parts.push(text.slice(from, at))
    from = at + separator.length
  }
}

/** Knuth, Morris and Pratt's search, forwards or backwards: time in step with the lengths, whatever the texts. */
class Search {
  readonly #text: string
  readonly #part: string
  readonly #isBackward: boolean
  /** For each length of a match, that of the longest shorter one that ends the same. */
  readonly #shorter: Int32Array

  constructor(text: string, part: string, isBackward = false) {
    this.#text = text
    this.#part = part
    this.#isBackward = isBackward
    this.#shorter = new Int32Array(part.length + 1)
    for (let at = 1, length = 0; at < part.length; at++) {
      length = this.#longer(length, this.#unit(part, at))
      this.#shorter[at + 1] = length
    }
  }

  /** The next place from there on, counted from the end where the search goes backwards. */
  next(from: number): number | undefined {
    for (let at = from, length = 0; at < this.#text.length; at++) {
      length = this.#longer(length, this.#unit(this.#text, at))
      if (length === this.#part.length) return at + 1 - length
    }
    return undefined
  }

  #longer(matched: number, unit: number): number {
    let length = matched
    while (length > 0 && (length === this.#part.length || this.#unit(this.#part, length) !== unit)) {
      length = this.#shorter[length] ?? 0
    }
    return this.#unit(this.#part, length) === unit ? length + 1 : 0
  }

  #unit(text: string, at: number): number {
    return text.charCodeAt(this.#isBackward ? text.length - 1 - at : at)
  }
}
