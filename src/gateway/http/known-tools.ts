import { freezeList, isJsonObject, type JsonValue, newId } from '../../conversation/index.ts'
import { jsonPieces } from '../../json/index.ts'

/** How much text is remembered in all: some hundred lists of an agent's tools. */
const maxCharacters = 8_000_000
/** A longer list is not remembered. */
const longestText = maxCharacters / 4
/** And of how many lists: each is compared with what stands in a body. */
const maxLists = 100
/** In so many places of a body tools are looked for: `tools` may be a name in what a call was given, too. */
const maxPlaces = 4

/** A list of tools in a body: from where on it stands there, its text, and what it says. */
interface Found {
  at: number
  text: string
  tools: readonly unknown[]
}

/**
 * Parses the bodies of requests, and gives tools that came before as the list that they were then, frozen: an agent sends the same tools
 * with every request, 76 kB of them in Claude Code's. They are neither parsed nor looked through again, and all that is made of them
 * (what the protocol reads in them, their description, grammar, an estimate of their tokens) is kept by the list itself. A list that
 * is forgotten takes all of that with it.
 */
export class KnownTools {
  /** By their text. */
  readonly #known = new Map<string, readonly unknown[]>()
  #characters = 0
  /** In a body's text, in the place of tools that are known. No client can have written it. Made with the first body: a Worker refuses random values while it loads. */
  #standIn: string | undefined

  /** As `JSON.parse`, errors included. */
  parse(body: string): unknown {
    const found = this.#find(body)
    const known = found && this.#parseWith(body, found)
    if (known) {
      this.#remember(found)
      return known
    }
    const value: unknown = JSON.parse(body)
    if (isJsonObject(value) && Array.isArray(value.tools) && value.tools.length > 0) this.#learn(body, value.tools)
    return value
  }

  /** The value of a body that was read in pieces, with tools that came before as the list of then. They are known by what they say, as their text is gone. */
  adopt(body: unknown): unknown {
    if (!isJsonObject(body) || !Array.isArray(body.tools) || body.tools.length === 0) return body
    const text = textOf(body.tools)
    if (text === undefined) return body
    const tools = this.#known.get(text) ?? freezeList(body.tools)
    this.#remember({ text, tools })
    return Object.assign(body, { tools })
  }

  #find(body: string): Found | undefined {
    if (this.#known.size === 0) return undefined
    for (const at of placesOfTools(body)) {
      for (const [text, tools] of this.#known) {
        // Not `startsWith`, which takes ten times as long.
        if (body.slice(at, at + text.length) === text) return { at, text, tools }
      }
    }
    return undefined
  }

  #learn(body: string, tools: readonly unknown[]): void {
    for (const at of placesOfTools(body)) {
      const found = { at, text: body.slice(at, endOfList(body, at)), tools }
      if (found.text.length > longestText || !this.#parseWith(body, found)) continue
      freezeList(tools)
      this.#remember({ ...found, text: copied(found.text) })
      return
    }
  }

  /**
   * The body with these tools; undefined where what was found is not what the body has as its tools, but stands further inside or is
   * overridden. A key and its colon are one in all of JSON: within a string its quotes would be escaped. So what stands in for the list
   * changes nothing else, and a body that is no JSON stays none; what is wrong with it is told of the body as it came.
   */
  #parseWith(body: string, { at, text, tools }: Found): unknown {
    this.#standIn ??= newId('tools_')
    const value = parsed(`${body.slice(0, at)}"${this.#standIn}"${body.slice(at + text.length)}`)
    if (!isJsonObject(value) || value.tools !== this.#standIn) return undefined
    return Object.assign(value, { tools })
  }

  #remember({ text, tools }: Pick<Found, 'text' | 'tools'>): void {
    // What was used last stands last: the first is the one to forget.
    if (!this.#known.delete(text)) this.#characters += text.length
    this.#known.set(text, tools)
    for (const [oldest] of this.#known) {
      if (this.#characters <= maxCharacters && this.#known.size <= maxLists) break
      this.#known.delete(oldest)
      this.#characters -= oldest.length
    }
  }
}

/** A list as JSON; undefined where that is longer than what is remembered. */
function textOf(tools: readonly JsonValue[]): string | undefined {
  let text = ''
  for (const piece of jsonPieces([...tools])) {
    text += piece
    if (text.length > longestText) return undefined
  }
  return text
}

/** The text by itself: a part of a text holds on to all of it, and a body may have megabytes. */
function copied(text: string): string {
  return ` ${text}`.slice(1)
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Where a list begins that is the value of a key `tools`. */
function* placesOfTools(body: string): Generator<number, void, undefined> {
  const key = /"tools"\s*:\s*(?=\[)/g
  for (let place = 0; place < maxPlaces && key.test(body); place++) yield key.lastIndex
}

/** Where a list ends that is part of valid JSON. */
function endOfList(body: string, at: number): number {
  const delimiter = /["[\]{}]/g
  delimiter.lastIndex = at
  let depth = 0
  for (let found = delimiter.exec(body); found; found = delimiter.exec(body)) {
    if (found[0] === '"') delimiter.lastIndex = endOfString(body, found.index)
    else depth += found[0] === '[' || found[0] === '{' ? 1 : -1
    if (depth === 0) return delimiter.lastIndex
  }
  return body.length
}

function endOfString(body: string, at: number): number {
  const delimiter = /["\\]/g
  delimiter.lastIndex = at + 1
  for (let found = delimiter.exec(body); found?.[0] === '\\'; found = delimiter.exec(body)) delimiter.lastIndex++
  return delimiter.lastIndex
}
