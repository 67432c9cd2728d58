import { argumentError, type JsonObject, type JsonValue } from '../../conversation/index.ts'
import type { JsonSink } from '../sink.ts'
import { JsonReader } from './reader.ts'

/**
 * Returns the arguments of a call as a value, while their JSON text is still coming: push the pieces of its `call-arguments` events. A string
 * grows with its pieces; a key is there with the first character of its value; a number, `true`, `false` or `null` is there once it has ended.
 *
 * @example
 * const args = partialArguments()
 * args.push('{"city": "Par')
 * args.value // { city: 'Par' }
 * args.push('is", "days": 3}')
 * args.value // { city: 'Paris', days: 3 }
 */
export function partialArguments(json: string = ''): PartialArguments {
  const partial = new PartialArguments()
  if (json !== '') partial.push(json)
  return partial
}

/**
 * A value that grows with its JSON text. Each character is read once, however the text is split.
 *
 * @example
 * const args = partialArguments('{"city": "Paris"')
 * args.isComplete // false
 * args.push('}') // { city: 'Paris' }
 * args.isComplete // true
 */
export class PartialArguments {
  readonly #sink = new ValueSink()
  readonly #reader: JsonReader = new JsonReader(this.#sink)
  /** Text that is not read yet: an incomplete escape or number. */
  #rest = ''
  #offset = 0

  /** Reads the next piece, and returns the value so far. */
  push(json: string): JsonObject {
    if (typeof json !== 'string') throw argumentError('json', 'a text', json)
    const text = this.#rest + json
    const end = this.#reader.read(text, 0, false, this.#offset)
    this.#offset += end
    this.#rest = text.slice(end)
    return this.value
  }

  /** The value so far, which grows in place; `{}` as long as no object has begun. */
  get value(): JsonObject {
    return this.#sink.root
  }

  /** True when the object has ended. */
  get isComplete(): boolean {
    return this.#reader.status === 'done'
  }

  /**
   * The value so far, which later pieces leave unchanged. It shares complete parts with `value`, and copies only open
   * ones.
   */
  snapshot(): JsonObject {
    return this.#sink.snapshot()
  }
}

const highSurrogate = /[\ud800-\udbff]/

/** An object or a list that is open, and the place in it that is being written. */
type Frame = { object: JsonObject; key: string } | { list: JsonValue[] }

class ValueSink implements JsonSink {
  root: JsonObject = {}
  readonly #open: Frame[] = []
  #string = ''
  /** The first half of a character outside the Basic Multilingual Plane, written as an escape: the other half follows. */
  #half = ''

  openObject(): void {
    const object: JsonObject = {}
    if (this.#open.length === 0) this.root = object
    else this.#begin(object)
    this.#open.push({ object, key: '' })
  }
  closeObject(): void {
    this.#open.pop()
  }
  openArray(): void {
    const list: JsonValue[] = []
    this.#begin(list)
    this.#open.push({ list })
  }
  closeArray(): void {
    this.#open.pop()
  }
  key(key: string): void {
    const top = this.#open.at(-1)
    if (top && 'object' in top) top.key = key
  }
  openString(): void {
    this.#string = ''
    this.#begin('')
  }
  stringPiece(json: string): void {
    const text: string = this.#half + JSON.parse(`"${json}"`)
    const isCut = highSurrogate.test(text.slice(-1))
    this.#half = isCut ? text.slice(-1) : ''
    this.#grow(isCut ? text.slice(0, -1) : text)
  }
  closeString(): void {
    this.#grow(this.#half)
    this.#half = ''
  }
  literal(json: string): void {
    this.#begin(JSON.parse(json))
  }
  takesObjectOnly(): boolean {
    return this.#open.length === 0
  }
  repaired(): void {}

  snapshot(): JsonObject {
    let root: JsonObject = this.root
    let outer: Frame | undefined
    for (const frame of this.#open) {
      const copy: Frame = 'list' in frame ? { list: [...frame.list] } : { object: { ...frame.object }, key: frame.key }
      const value = 'list' in copy ? copy.list : copy.object
      if (outer) change(outer, value)
      else if ('object' in copy) root = copy.object
      outer = copy
    }
    return root
  }

  /** Adds a value that begins to the container that is open. */
  #begin(value: JsonValue): void {
    const top = this.#open.at(-1)
    if (top && 'list' in top) top.list.push(value)
    else if (top) set(top.object, top.key, value)
  }

  #grow(text: string): void {
    this.#string += text
    const top = this.#open.at(-1)
    if (top) change(top, this.#string)
  }
}

function change(frame: Frame, value: JsonValue): void {
  if ('list' in frame) frame.list[frame.list.length - 1] = value
  else set(frame.object, frame.key, value)
}

/** Sets an own member: `__proto__` is a name like others, as in `JSON.parse`. */
function set(object: JsonObject, key: string, value: JsonValue): void {
  if (key === '__proto__') {
    Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true })
  } else object[key] = value
}
