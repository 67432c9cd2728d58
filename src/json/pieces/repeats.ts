import { type JsonObject, type JsonValue, RecentMap } from '../../conversation/index.ts'
import { blockEnd } from './write.ts'

/** Strings of so many characters and more are remembered: for a shorter one, looking takes as long as writing. */
const shortest = 2048
/** Longer strings are not remembered. */
const longest = 128 * 1024
/** The number of strings that are remembered: about 9 million characters of text and JSON at most. */
const mostTexts = 32
/** Strings that repeat each other, at least in part, begin with the same characters; so many are looked at. */
const keySize = 128
/** Once so many are remembered, another takes the place of the oldest only in one of so many cases. */
const chances = 8
/** The number of characters that are compared, and written, at once. */
const blockSize = 1024

/** A part of a string, from one place to another, and its JSON without quotes. */
interface Block {
  readonly from: number
  readonly to: number
  readonly json: string
}

interface Written {
  readonly text: string
  readonly blocks: readonly Block[]
}

/**
 * Writes values as JSON, and remembers how the first long string of each was written. That of the next value is likely to be the same, or
 * to differ in a few words: requests of agents begin with the same instructions and tools. A block that is the same at the same place is
 * not written again: instructions with eight tools, 13 kB, take 12 us in place of 27, of 490 for a whole reply of the gateway.
 *
 * @example
 * const repeats = new Repeats()
 * const body = repeats.json({ messages: [{ role: 'system', content: instructions }] }) // as JSON.stringify writes it
 */
export class Repeats {
  readonly #known = new RecentMap<string, Written>(mostTexts)
  #missed = 0
  /** True after the first long string of the value that is being written. */
  #isFound = false

  /** Returns the text that `JSON.stringify` returns. */
  json(value: JsonValue): string {
    this.#isFound = false
    return this.#written(value) ?? JSON.stringify(value)
  }

  /** Returns the JSON of a value that contains the first long string. Other values are written together with those around them. */
  #written(value: JsonValue | undefined): string | undefined {
    if (this.#isFound) return undefined
    if (typeof value === 'string') return value.length < shortest ? undefined : `"${this.#text(value)}"`
    if (typeof value !== 'object' || value === null) return undefined
    return Array.isArray(value) ? this.#list(value) : this.#object(value)
  }

  #list(items: readonly JsonValue[]): string | undefined {
    let json = ''
    let from = 0
    for (let index = 0; index < items.length; index++) {
      const written = this.#written(items[index])
      if (written === undefined) continue
      json = joined(joined(json, from < index ? inner(items.slice(from, index)) : ''), written)
      from = index + 1
    }
    if (from === 0) return undefined
    return `[${joined(json, from < items.length ? inner(items.slice(from)) : '')}]`
  }

  #object(object: JsonObject): string | undefined {
    const keys = Object.keys(object)
    let json = ''
    let from = 0
    for (let index = 0; index < keys.length; index++) {
      const key = keys[index] ?? ''
      const written = this.#written(object[key])
      if (written === undefined) continue
      json = joined(joined(json, membersOf(object, keys.slice(from, index))), `${JSON.stringify(key)}:${written}`)
      from = index + 1
    }
    return from === 0 ? undefined : `{${joined(json, membersOf(object, keys.slice(from)))}}`
  }

  #text(text: string): string {
    this.#isFound = true
    if (text.length > longest) return inner(text)
    const key = text.slice(0, keySize)
    const known = this.#known.get(key)
    const blocks: Block[] = []
    let json = ''
    let repeated = 0
    for (let from = 0; from < text.length; ) {
      const to = blockEnd(text, from, blockSize)
      const before = known?.blocks[blocks.length]
      const part = text.slice(from, to)
      const isSame = before?.from === from && before.to === to && known?.text.slice(from, to) === part
      if (isSame) repeated++
      const block = isSame ? before : { from, to, json: inner(part) }
      blocks.push(block)
      json += block.json
      from = to
    }
    if (repeated < blocks.length / 2) this.#remember(key, { text, blocks })
    return json
  }

  #remember(key: string, written: Written): void {
    const isFree = this.#known.size < mostTexts || this.#known.has(key)
    if (isFree || this.#missed++ % chances === 0) this.#known.set(key, written)
  }
}

function membersOf(object: JsonObject, keys: readonly string[]): string {
  return keys.length === 0 ? '' : inner(Object.fromEntries(keys.map((key) => [key, object[key]])))
}

/** The JSON of a value without the marks at its ends. */
function inner(value: JsonValue): string {
  return JSON.stringify(value).slice(1, -1)
}

/** Two parts of a list or of an object; each can be empty. Joining a list of parts would copy them. */
function joined(before: string, after: string): string {
  return before === '' || after === '' ? before + after : `${before},${after}`
}
