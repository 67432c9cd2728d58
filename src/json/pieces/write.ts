import type { JsonObject, JsonValue } from '../../conversation/index.ts'

/** The number of characters that are written at once: one or two milliseconds of work. */
const enough = 256 * 1024
/** The cost of a value in addition to the characters of its strings. */
const perValue = 8

/** An object whose first members are written already, as JSON without the closing brace; it has others, which are not. */
export class BegunObject {
  readonly head: string
  readonly members: JsonObject

  constructor(head: string, members: JsonObject) {
    this.head = head
    this.members = members
  }
}

/** Returns a value as JSON. */
export function jsonText(value: JsonValue | BegunObject): string {
  if (!(value instanceof BegunObject)) return JSON.stringify(value)
  return `${value.head},${JSON.stringify(value.members).slice(1)}`
}

/** True if a value has at least this size. Stops counting there. */
export function isLarge(value: JsonValue | BegunObject | undefined, size: number = enough): boolean {
  if (!(value instanceof BegunObject)) return size <= sizeWithin(value, size)
  return size <= value.head.length + sizeWithin(value.members, size - value.head.length)
}

/** A value's size in characters, about; of a large one only that it is `most` or more. */
function sizeWithin(value: JsonValue | undefined, most: number): number {
  if (typeof value === 'string') return value.length + perValue
  if (typeof value !== 'object' || value === null) return perValue
  let size = perValue
  if (Array.isArray(value)) {
    for (const one of value) {
      size += sizeWithin(one, most - size)
      if (size >= most) return size
    }
    return size
  }
  for (const key in value) {
    size += key.length + sizeWithin(value[key], most - size)
    if (size >= most) return size
  }
  return size
}

/**
 * The text that `JSON.stringify` gives for a value, in pieces of about 256 kB, however large the value is. Lists, objects and strings
 * that are smaller are written at once.
 */
export function* jsonPieces(value: JsonValue | BegunObject): Generator<string, void, undefined> {
  let piece = ''
  for (const text of value instanceof BegunObject ? begunTexts(value) : textsOf(value)) {
    piece += text
    if (piece.length < enough) continue
    yield piece
    piece = ''
  }
  if (piece !== '') yield piece
}

function* begunTexts({ head, members }: BegunObject): Generator<string, void, undefined> {
  yield `${head},`
  let isFirst = true
  for (const text of textsOf(members)) {
    // The head has the opening brace.
    yield isFirst ? text.slice(1) : text
    isFirst = false
  }
}

function* textsOf(value: JsonValue): Generator<string, void, undefined> {
  if (!isLarge(value)) yield JSON.stringify(value)
  else if (typeof value === 'string') yield* stringTexts(value)
  else if (Array.isArray(value)) {
    let before = '['
    for (const one of value) {
      yield before
      yield* textsOf(one)
      before = ','
    }
    yield ']'
  } else if (typeof value === 'object' && value !== null) {
    let before = '{'
    for (const [key, member] of Object.entries(value)) {
      // `JSON.stringify` leaves out such a member too.
      if (member === undefined) continue
      yield `${before}${JSON.stringify(key)}:`
      yield* textsOf(member)
      before = ','
    }
    yield '}'
  }
}

function* stringTexts(text: string): Generator<string, void, undefined> {
  yield '"'
  for (let at = 0; at < text.length; ) {
    const end = blockEnd(text, at, enough)
    yield JSON.stringify(text.slice(at, end)).slice(1, -1)
    at = end
  }
  yield '"'
}

/**
 * The offset at which a block of `size` characters ends, or of one more: the two halves of a character stay together, as each would be
 * written as an escape if it were alone.
 */
export function blockEnd(text: string, from: number, size: number): number {
  const to = from + size
  if (to >= text.length) return text.length
  // A first half whose second half does not follow is alone anyway, and one after it may begin a character.
  return /^[\ud800-\udbff][\udc00-\udfff]$/.test(text.slice(to - 1, to + 1)) ? to + 1 : to
}
