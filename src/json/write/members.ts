import { isEscapedText } from '../literals.ts'
import { quotedEnd } from '../quoted.ts'
import { JsonReader } from '../read/reader.ts'
import type { JsonSink } from '../sink.ts'
import { JsonText, spaced } from '../text.ts'

/**
 * The members of an object that is given as JSON text, each value as JSON text too: so large integers keep their
 * digits. Undefined if the text does not begin with an object. For an object that is cut, the members that are there
 * are returned, closed.
 */
export function objectMembers(json: string): [key: string, value: string][] | undefined {
  return plainMembers(json) ?? readMembers(json)
}

/** Returns the members by means of the reader, which makes the necessary repairs. */
export function readMembers(json: string): [key: string, value: string][] | undefined {
  const members = new Members()
  const reader = new JsonReader(members)
  reader.read(json, 0, true)
  if (reader.status !== 'done') reader.close(json.length)
  return members.found
}

/** A value that has no parts, and the text between the tokens of JSON. */
const word = /(?:true|false|null|-?(?:0|[1-9][0-9]{0,14}))(?=[\s,}])/y
const blanks = /[ \t\r\n]*/y

/**
 * Returns the members of an object of strings, whole numbers and words that are written as `JSON.stringify` writes them, with any white
 * space around them. Undefined for any other text. It slices the text instead of using the JSON reader, which would
 * emit a string of megabytes in as many pieces as it has escapes.
 */
export function plainMembers(json: string): [key: string, value: string][] | undefined {
  const found: [key: string, value: string][] = []
  let at = afterBlanks(json, 0)
  if (json[at] !== '{') return undefined
  at = afterBlanks(json, at + 1)
  // An empty object, and a comma before the end, are for the reader.
  for (;;) {
    const keyEnd = json[at] === '"' ? plainStringEnd(json, at) : -1
    if (keyEnd < 0) return undefined
    const key = String(JSON.parse(json.slice(at, keyEnd)))
    at = afterBlanks(json, keyEnd)
    if (json[at] !== ':') return undefined
    at = afterBlanks(json, at + 1)
    const end = json[at] === '"' ? plainStringEnd(json, at) : endOf(word, json, at)
    if (end < 0) return undefined
    found.push([key, json.slice(at, end)])
    at = afterBlanks(json, end)
    if (json[at] === '}') return afterBlanks(json, at + 1) === json.length ? found : undefined
    if (json[at] !== ',') return undefined
    at = afterBlanks(json, at + 1)
  }
}

function afterBlanks(json: string, at: number): number {
  return endOf(blanks, json, at)
}

/** Returns the place after the match of a sticky expression; -1 if it does not match. */
function endOf(expression: RegExp, text: string, at: number): number {
  expression.lastIndex = at
  return expression.test(text) ? expression.lastIndex : -1
}

function plainStringEnd(json: string, at: number): number {
  const end = quotedEnd(json, at)
  return end < 0 || !isEscapedText(json.slice(at + 1, end - 1)) ? -1 : end
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
