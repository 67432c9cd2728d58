import { freezeList, isJsonObject, type JsonValue } from '../../conversation/index.ts'
import { isLarge } from '../../json/index.ts'

/** Characters of all remembered lists together: about a hundred lists of an agent's tools. */
const maxCharacters = 8_000_000
/** A list with a longer text is not remembered. */
const maxListCharacters = maxCharacters / 4
const maxLists = 100

/**
 * Remembers the tools of request bodies: a list that equals an earlier one is replaced by that one, frozen. Values
 * derived from a frozen list (the decoded tools, their description, signature, grammar, token estimate) are kept with
 * it by `OncePerList`, and are collected when the list is forgotten. An agent sends the same tools with each request.
 * Figures for 24 tools of 56 kB in a body of 76 kB: the key takes 0.12 ms; counting the prompt takes 1.2 ms with new
 * tools and 0.5 ms with remembered ones.
 */
export class KnownTools {
  /** The least recently used list comes first. */
  readonly #lists = new Map<string, readonly unknown[]>()
  #characters = 0

  /**
   * Returns the parsed body, with its `tools` replaced if they are known. The depth of the body must have been checked:
   * `JSON.stringify` recurses.
   */
  adopt(body: unknown): unknown {
    if (!isJsonObject(body) || !Array.isArray(body.tools) || body.tools.length === 0) return body
    const text = textOf(body.tools)
    if (text === undefined) return body
    const tools = this.#lists.get(text) ?? freezeList(body.tools)
    this.#remember(text, tools)
    return Object.assign(body, { tools })
  }

  #remember(text: string, tools: readonly unknown[]): void {
    if (!this.#lists.delete(text)) this.#characters += text.length
    this.#lists.set(text, tools)
    for (const [oldest] of this.#lists) {
      if (this.#characters <= maxCharacters && this.#lists.size <= maxLists) break
      this.#lists.delete(oldest)
      this.#characters -= oldest.length
    }
  }
}

/** The list as JSON; undefined if that is too long to be remembered. */
function textOf(tools: JsonValue[]): string | undefined {
  return isLarge(tools, maxListCharacters) ? undefined : JSON.stringify(tools)
}
