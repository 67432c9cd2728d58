import { failed } from '../../parse/error.ts'
import { whitespaceClass } from '../../parse/whitespace.ts'
import type { Budget } from './budget.ts'

/**
 * From this length on a text is not looked for by JavaScript's own search, whose time is up to the product of both lengths: a needle that
 * nearly fits everywhere would take hours.
 */
const longNeedle = 64

/** The offset of the first occurrence of a part, from an offset on; negative if there is none. */
export function indexOf(text: string, part: string, from: number = 0): number {
  if (part.length < longNeedle) return text.indexOf(part, from)
  return new Search(text, part).next(from) ?? -1
}

/** The offset of the last occurrence of a part; negative if there is none. */
export function lastIndexOf(text: string, part: string): number {
  if (part.length < longNeedle) return text.lastIndexOf(part)
  const last = new Search(text, part, true).next(0)
  return last === undefined ? -1 : text.length - last - part.length
}

/** Splits like `text.split(separator)`, and counts each part before it is made. */
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

/** Knuth, Morris and Pratt's search, forwards or backwards: in time linear in the lengths, whatever the texts. */
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

  /** The next place from there on, counted from the end if the search goes backwards. */
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

const space = new RegExp(`[${whitespaceClass}]`)

/** Python's `split` and `rsplit` at a separator, at most `limit` times. */
export function split(text: string, separator: string, limit: number, fromEnd: boolean, budget: Budget): string[] {
  if (separator === '') throw failed('empty separator')
  const parts = splitAt(text, separator, budget)
  if (parts.length - 1 <= limit) return parts
  if (fromEnd) {
    const cut = parts.length - limit
    return [parts.slice(0, cut).join(separator), ...parts.slice(cut)]
  }
  return [...parts.slice(0, limit), parts.slice(limit).join(separator)]
}

/**
 * Without a separator Python splits at runs of white space, and returns no empty parts; the rest after the last split
 * keeps its other end unchanged.
 */
export function splitWords(text: string, limit: number, fromEnd: boolean): string[] {
  return fromEnd ? wordsFromEnd(text, limit) : words(text, limit)
}

function words(text: string, limit: number): string[] {
  const found: string[] = []
  for (let at = 0; ; ) {
    while (at < text.length && space.test(text[at] ?? '')) at++
    if (at >= text.length) return found
    if (found.length >= limit) return [...found, text.slice(at)]
    const start = at
    while (at < text.length && !space.test(text[at] ?? '')) at++
    found.push(text.slice(start, at))
  }
}

function wordsFromEnd(text: string, limit: number): string[] {
  const found: string[] = []
  for (let end = text.length; ; ) {
    while (end > 0 && space.test(text[end - 1] ?? '')) end--
    if (end === 0) return found.reverse()
    if (found.length >= limit) return [...found, text.slice(0, end)].reverse()
    const last = end
    while (end > 0 && !space.test(text[end - 1] ?? '')) end--
    found.push(text.slice(end, last))
  }
}

const lineEnd = /\r\n|[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]/g

/** Python's `splitlines`, which has more line ends than most. */
export function splitLines(text: string, keepEnds = false): string[] {
  const lines: string[] = []
  let start = 0
  for (const { 0: end, index } of text.matchAll(lineEnd)) {
    lines.push(text.slice(start, keepEnds ? index + end.length : index))
    start = index + end.length
  }
  if (start < text.length) lines.push(text.slice(start))
  return lines
}
