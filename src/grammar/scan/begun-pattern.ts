import { anyName, type Pattern } from '../tree/pattern.ts'
import { escapePattern } from '../tree/pattern-queries.ts'
import { wholeSource } from '../tree/pattern-source.ts'

/** The source of an expression that matches nothing. */
export const never = '(?!)'

/**
 * The source of a regular expression that matches, up to the end of the text, a beginning of the pattern that more text
 * may complete. It does not match if the pattern is complete and no more text can change that.
 */
export function begunSource(pattern: Pattern): string {
  switch (pattern.type) {
    case 'literal':
    case 'sequence':
      return begunChoice([pattern])
    case 'chars':
      return pattern.max === 0 ? never : `[${pattern.set}]{0,${pattern.max - 1}}$`
    case 'captured':
      return begunSource(anyName)
    case 'choice':
      return begunChoice(pattern.of)
    case 'optional':
    case 'capture':
    case 'ahead':
    case 'not':
      return begunSource(pattern.of)
  }
}

/**
 * Returns the source for several patterns, one of which the text may become. Common beginnings are compared once:
 * readers search for more than a hundred markers that begin with `<`, half of them with `<|`.
 */
export function begunChoice(of: readonly Pattern[]): string {
  const root = new Beginning()
  const others: string[] = []
  for (const pattern of of) {
    const [first, ...rest] = partsOf(pattern)
    if (first?.type === 'literal') root.add(first.text, rest)
    else others.push(first === pattern ? begunSource(pattern) : begunSequence([...(first ? [first] : []), ...rest]))
  }
  return choice([...root.sources(), ...others])
}

/** Returns the parts of a pattern, with nested sequences flattened and neighbouring literals joined. */
function partsOf(pattern: Pattern): Pattern[] {
  if (pattern.type !== 'sequence') return [pattern]
  const parts: Pattern[] = []
  for (const part of pattern.of.flatMap(partsOf)) {
    const last = parts.at(-1)
    if (part.type === 'literal' && last?.type === 'literal')
      parts.splice(-1, 1, { ...last, text: last.text + part.text })
    else parts.push(part)
  }
  return parts
}

function begunSequence([first, ...rest]: readonly Pattern[]): string {
  if (!first) return never
  if (rest.length === 0) return begunSource(first)
  return choice([begunSource(first), uncaptured(first, rest) + begunChoice([{ type: 'sequence', of: rest }])])
}

function uncaptured(pattern: Pattern, rest: readonly Pattern[]): string {
  return wholeSource(pattern, rest).replace(/\(\?<[a-z]+>/g, '(?:')
}

/** More sources are compared by a set. */
const fewSources = 16

/**
 * Returns the source for several. It is called for each character of a literal with all of the source after it, which a
 * set and `join` would read from end to end each time. Comparing two sources of different lengths and adding one to
 * another do not.
 */
function choice(sources: readonly string[]): string {
  let all = ''
  for (const source of sources.length > fewSources ? new Set(sources) : sources.filter(isFirst)) {
    if (source !== never) all = all === '' ? `(?:${source}` : `${all}|${source}`
  }
  return all === '' ? never : `${all})`
}

function isFirst(source: string, index: number, sources: readonly string[]): boolean {
  return sources.indexOf(source) === index
}

/** A beginning that literals share. */
class Beginning {
  readonly #longer = new Map<string, Beginning>()
  /** The sources that follow if a literal is complete. */
  readonly #after: string[] = []

  add(text: string, rest: readonly Pattern[]): void {
    const [char] = text
    if (char === undefined) {
      this.#after.push(begunSequence(rest))
      return
    }
    const next = this.#longer.get(char) ?? new Beginning()
    this.#longer.set(char, next)
    next.add(text.slice(char.length), rest)
  }

  /**
   * Returns sources. One of them matches if the text after the beginning may become one of the literals and its
   * continuation.
   */
  sources(): string[] {
    if (this.#longer.size === 0) return this.#after
    const longer = [...this.#longer].flatMap(([char, next]) => {
      const source = choice(next.sources())
      return source === never ? [] : [escapePattern(char) + source]
    })
    return ['$', ...longer, ...this.#after]
  }
}
