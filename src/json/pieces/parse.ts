import { newId } from '../../conversation/index.ts'
import type { JsonBounds, JsonExcess } from '../bounds.ts'

/** The number of characters that are parsed at once: one or two milliseconds of work. */
const pieceSize = 256 * 1024
/** The longest text without a place to cut: a name, a number or white space. All shorter ones are taken. */
const longestWhole = 4 * 1024 ** 2

const quote = 0x22
const comma = 0x2c
const colon = 0x3a
const openList = 0x5b
const backslash = 0x5c
const closeList = 0x5d
const letterU = 0x75
const openObject = 0x7b
const closeObject = 0x7d

type Container = Record<string, unknown> | unknown[]

/** A list or object that is open. */
interface Level {
  isObject: boolean
  /** The span of its name in the text that is not parsed yet, quotes included. Unused in a list, and after a cut. */
  name: readonly [at: number, end: number]
  /** Known from the first cut in it on. */
  value?: Container
}

/** A string that was cut: it is given to its owner when all of it is there. */
interface OpenString {
  owner: Container
  key: string
  text: string
}

/**
 * Parses a large JSON text in pieces as it arrives, so that no step of the work is long, however long the text is. The
 * result equals that of `JSON.parse` for the whole text.
 *
 * The text is cut before a comma, or within a string that is a value. Each part becomes a separate JSON text:
 * containers that are open at its beginning are opened again, with a stand-in for the members before, and containers
 * that are open at its end are closed. So `JSON.parse` judges every part, and the values that it returns are added to
 * the lists and objects that the parts before have begun.
 */
export class PiecewiseJson {
  readonly #bounds: JsonBounds
  readonly #enough: number
  /** The key that replaces the members of earlier parts. It is random, so no client can have written it. */
  readonly #name = newId('before_')
  /** The text that is not parsed yet. */
  #text = ''
  /** The place in it up to which it was scanned. */
  #at = 0
  /** The characters before it. */
  #parsed = 0
  #levels: Level[] = []
  /** The levels that were open at the last cut, and how many of them are open still. */
  #opened: readonly Level[] = []
  #kept = 0
  #values = 0
  #isInString = false
  #isAfterColon = false
  /** True in a string that can be cut: one that is a value. */
  #isValue = false
  /** The place where the last string began; negative if that was before the last cut. */
  #stringAt = 0
  /** The last string that ended, quotes included: before a value, its name. */
  #lastString: readonly [at: number, end: number] = [0, 0]
  #string: OpenString | undefined
  #root: unknown

  /** `enough`: the number of characters after which the text is cut at the next possible place. */
  constructor(bounds: JsonBounds, enough: number = pieceSize) {
    this.#bounds = bounds
    this.#enough = enough
  }

  /**
   * Takes the next piece. Returns the first bound that the text exceeds, if any. Throws a `SyntaxError` if it is not
   * JSON.
   */
  push(piece: string): JsonExcess | undefined {
    this.#text += piece
    const excess = this.#scan()
    if (this.#text.length > longestWhole) throw this.#broken()
    return excess
  }

  /** The value. Throws a `SyntaxError` if the text is not JSON. */
  end(): unknown {
    this.#parse(this.#text, '')
    return this.#root
  }

  #scan(): JsonExcess | undefined {
    const { values, depth } = this.#bounds
    while (this.#at < this.#text.length) {
      const char = this.#text.charCodeAt(this.#at)
      if (this.#isInString) {
        if (!this.#inString(char)) return undefined
        continue
      }
      switch (char) {
        case quote:
          this.#isInString = true
          this.#stringAt = this.#at
          this.#isValue = this.#isAfterColon || this.#levels.at(-1)?.isObject === false
          break
        case colon:
          this.#isAfterColon = true
          break
        case comma:
          if (this.#at >= this.#enough && this.#levels.length > 0) this.#cut()
          this.#isAfterColon = false
          this.#values++
          break
        case openList:
        case openObject:
          this.#values++
          this.#levels.push({ isObject: char === openObject, name: this.#lastString })
          this.#isAfterColon = false
          if (this.#levels.length > depth) return 'depth'
          break
        case closeList:
        case closeObject:
          this.#levels.pop()
          this.#kept = Math.min(this.#kept, this.#levels.length)
      }
      this.#at++
      if (this.#values > values) return 'values'
    }
    return undefined
  }

  /** Goes on in a string; false if more text is needed. */
  #inString(first: number): boolean {
    const text = this.#text
    let at = this.#at
    for (let char = first; ; char = text.charCodeAt(at)) {
      if (char === backslash) {
        const isCode = text.charCodeAt(at + 1) === letterU
        if (at + (isCode ? 5 : 1) >= text.length) break
        at += isCode ? 6 : 2
      } else if (char === quote) {
        this.#isInString = false
        this.#lastString = [this.#stringAt, at + 1]
        this.#at = at + 1
        return true
      } else at++
      if (at >= this.#enough && this.#isValue && at < text.length) {
        this.#at = at
        this.#cut()
        return true
      }
      if (at >= text.length) break
    }
    this.#at = at
    return false
  }

  /** Parses the text up to here. */
  #cut(): void {
    const part = this.#text.slice(0, this.#at)
    // A comma here is wrong, although the text before it can be closed.
    if (!this.#isInString && /[[{]/.test(part.trimEnd().slice(-1))) throw this.#broken()
    const closing = this.#levels.map(({ isObject }) => (isObject ? '}' : ']')).reverse()
    this.#parse(part, (this.#isInString ? '"' : '') + closing.join(''))
    this.#findValues(part)
    if (this.#isInString) this.#string ??= this.#beginString(part)
    this.#opened = [...this.#levels]
    this.#kept = this.#levels.length
    this.#text = this.#text.slice(this.#at)
    this.#parsed += this.#at
    this.#at = 0
    // A string that continues begins before the whole text.
    this.#stringAt = -1
  }

  #parse(part: string, closing: string): void {
    const name = `{"${this.#name}":`
    const opening = this.#opened.map(({ isObject }) => (isObject ? name : '[')).join('')
    const first = this.#string ? '"' : '0'
    let read: unknown
    try {
      read = JSON.parse(this.#opened.length === 0 ? part + closing : opening + first + part + closing)
    } catch {
      throw this.#broken()
    }
    if (this.#opened.length === 0) this.#root = read
    else this.#merge(read)
  }

  /** Adds the members that were read to the lists and objects that they continue. */
  #merge(read: unknown): void {
    const parts: unknown[] = [read]
    for (let depth = 0; depth < this.#opened.length; depth++) {
      const part = parts.at(-1) as Container
      parts.push(Array.isArray(part) ? part[0] : part[this.#name])
    }
    // Before all others: one of them may have the same name.
    this.#goOn(String(parts.at(-1)))
    this.#opened.forEach(({ value }, index) => {
      const part = parts[index] as Container
      if (Array.isArray(value) && Array.isArray(part)) {
        for (let at = 1; at < part.length; at++) value.push(part[at])
      } else if (value && !Array.isArray(part)) {
        for (const key of Object.keys(part)) if (key !== this.#name) set(value, key, part[key])
      }
    })
  }

  /** Adds the next part of a string that was cut; it is complete if it has ended, whether or not another has begun. */
  #goOn(text: string): void {
    if (!this.#string) return
    this.#string.text += text
    if (this.#isInString && this.#stringAt < 0) return
    const { owner, key, text: whole } = this.#string
    set(owner, key, whole)
    this.#string = undefined
  }

  /** Finds the values of the levels that were opened since the last cut. */
  #findValues(part: string): void {
    for (let index = this.#kept; index < this.#levels.length; index++) {
      const level = this.#levels[index] as Level
      const owner = this.#levels[index - 1]?.value
      const value = owner ? memberOf(owner, part.slice(...level.name)).value : this.#root
      level.value = value as Container
    }
  }

  /** The string that is open at the end of a part. */
  #beginString(part: string): OpenString {
    const owner = this.#levels.at(-1)?.value as Container
    const { key, value } = memberOf(owner, part.slice(...this.#lastString))
    return { owner, key, text: String(value) }
  }

  #broken(): SyntaxError {
    return new SyntaxError(`it is no JSON somewhere after character ${this.#parsed}`)
  }
}

/** The last member of a list, or the member of an object with a name, which is JSON. */
function memberOf(owner: Container, name: string): { key: string; value: unknown } {
  if (Array.isArray(owner)) return { key: String(owner.length - 1), value: owner.at(-1) }
  const key = String(JSON.parse(name))
  return { key, value: owner[key] }
}

/** Sets a member as `JSON.parse` does: `__proto__` is a name like any other. */
function set(owner: Container, key: string, value: unknown): void {
  if (key === '__proto__') {
    Object.defineProperty(owner, key, { value, writable: true, enumerable: true, configurable: true })
  } else (owner as Record<string, unknown>)[key] = value
}
