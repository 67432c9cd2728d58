import { JsonReader } from '../read/reader.ts'
import type { JsonSink } from '../sink.ts'
import { JsonText, spaced } from '../text.ts'

/**
 * The members of an object that is given as JSON text, each value as JSON text too: so big integers keep their digits.
 * Undefined when the text does not begin with an object. Of an object that is cut, what was there is given, closed.
 */
export function objectMembers(json: string): [key: string, value: string][] | undefined {
  const members = new Members()
  const reader = new JsonReader(members)
  reader.read(json, 0, true)
  if (reader.status !== 'done') reader.close(json.length)
  return members.found
}

/** Cuts an object's events into its members. */
class Members implements JsonSink {
  found: [key: string, value: string][] | undefined
  #depth = 0
  #text = new JsonText(() => {})

  openObject(): void {
    if (this.#depth === 0) this.found = []
    else this.#text.openObject()
    this.#depth++
  }

  closeObject(): void {
    if (--this.#depth > 0) this.#text.closeObject()
  }

  openArray(): void {
    if (this.#depth > 0) this.#text.openArray()
    this.#depth++
  }

  closeArray(): void {
    if (--this.#depth > 0) this.#text.closeArray()
  }

  key(key: string): void {
    if (this.#depth > 1) {
      this.#text.key(key)
      return
    }
    const member: [string, string] = [key, '']
    this.found?.push(member)
    this.#text = new JsonText((piece) => {
      member[1] += piece
    }, spaced)
  }

  openString(): void {
    if (this.#depth > 0) this.#text.openString()
  }

  stringPiece(json: string): void {
    if (this.#depth > 0) this.#text.stringPiece(json)
  }

  closeString(): void {
    if (this.#depth > 0) this.#text.closeString()
  }

  literal(json: string): void {
    if (this.#depth > 0) this.#text.literal(json)
  }

  repaired(): void {}
}
