import { unescaped } from './escapes.ts'

/** JSON in JSON in JSON: escapes deeper than this are not resolved. */
const deepest = 4
/** Shorter texts are not keys worth hiding, and occur in ordinary words. */
export const shortestSecret = 6

export interface MaskRules {
  /** Texts that must not be kept. Those of fewer than six characters are left. */
  secrets: readonly string[]
  /** Expressions for texts that must not be kept; with the flag `g`. */
  patterns?: readonly RegExp[]
}

/** A stretch of a text: [start, end). */
type Range = [start: number, end: number]

/**
 * Masks secrets in texts, also if they are escaped as in JSON. Each character becomes `*`, so that offsets into the text stay
 * right, and JSON stays JSON unless a secret contains quotes.
 */
export class Masker {
  readonly #secrets: readonly string[]
  readonly #patterns: readonly RegExp[]
  readonly #hasRules: boolean
  /** True if a secret has characters that JSON escapes: a text with any escape may then hold it. */
  readonly #isEscaped: boolean

  constructor({ secrets, patterns = [] }: MaskRules, shortest: number = shortestSecret) {
    const long = secrets.filter(({ length }) => length >= shortest)
    const inUrls = long.map((secret) => encodeURIComponent(wellFormed(secret)))
    this.#secrets = [...new Set([...long, ...inUrls])]
    this.#patterns = patterns
    this.#hasRules = this.#secrets.length > 0 || patterns.length > 0
    this.#isEscaped = patterns.length > 0 || long.some((secret) => /["\\/\p{Cc}]|[^ -~]/u.test(secret))
  }

  /** Returns a masker that also masks these texts, of at least `shortest` characters; itself if it masks all of them already. */
  with(secrets: readonly string[], shortest = 1): Masker {
    const more = secrets.filter((secret) => secret.length >= shortest && !this.#secrets.includes(secret))
    if (more.length === 0) return this
    return new Masker({ secrets: [...this.#secrets, ...more], patterns: this.#patterns }, 1)
  }

  get longest(): number {
    return Math.max(0, ...this.#secrets.map(({ length }) => length))
  }

  get hasPatterns(): boolean {
    return this.#patterns.length > 0
  }

  /** Returns the text with its secrets masked; the same text if it has none. */
  mask(text: string): string {
    return this.#hasRules ? masked(text, this.#ranges(text)) : text
  }

  /** Masks texts that continue each other: a secret may be spread over them. */
  maskAll(texts: readonly string[]): string[] {
    const whole = texts.join('')
    const shown = this.mask(whole)
    if (shown === whole) return [...texts]
    let at = 0
    return texts.map(({ length }) => {
      at += length
      return shown.slice(at - length, at)
    })
  }

  #ranges(text: string): Range[] {
    const ranges: Range[] = []
    this.#find(text, undefined, ranges)
    const mayBeEscaped = this.#isEscaped
      ? text.includes('\\')
      : text.includes(String.raw`\u00`) && /\\u00[2-7]/.test(text)
    if (!mayBeEscaped) return ranges
    let level = unescaped(text)
    for (let depth = 1; level && depth <= deepest; depth++) {
      this.#find(level.text, level.places, ranges)
      level = unescaped(level.text, level.places)
    }
    return ranges
  }

  #find(text: string, places: Uint32Array | undefined, ranges: Range[]): void {
    const add = (start: number, end: number): void => {
      ranges.push(places ? [places[start] ?? 0, places[end] ?? 0] : [start, end])
    }
    for (const secret of this.#secrets) {
      for (let at = text.indexOf(secret); at >= 0; at = text.indexOf(secret, at + 1)) add(at, at + secret.length)
    }
    for (const pattern of this.#patterns) {
      for (const match of text.matchAll(pattern)) if (match[0] !== '') add(match.index, match.index + match[0].length)
    }
  }
}

function masked(text: string, ranges: Range[]): string {
  if (ranges.length === 0) return text
  ranges.sort(([a], [b]) => a - b)
  let shown = ''
  let at = 0
  for (const [start, end] of ranges) {
    if (end <= at) continue
    const from = Math.max(at, start)
    shown += text.slice(at, from) + '*'.repeat(end - from)
    at = end
  }
  return shown + text.slice(at)
}

/** Half of a surrogate pair cannot be written in a URL. */
function wellFormed(text: string): string {
  return text.replace(/\p{Cs}/gu, '\ufffd')
}
