import { freezeTools, type Tool, toolsText } from '../conversation/index.ts'

/** How much text is remembered in all: some hundred lists of an agent's tools. */
const maxCharacters = 8_000_000

/**
 * Gives lists of tools that say the same as one and the same list: an agent sends its tools anew with every request, and what was made for them
 * (description, grammar, their text in a prompt, an estimate of their tokens) is kept by the list itself. A list that is forgotten
 * takes all of that with it.
 */
export class KnownTools {
  readonly #known = new Map<string, Tool[]>()
  #characters = 0

  /** The list with which these tools came first, frozen. */
  same(tools: Tool[]): Tool[] {
    if (tools.length === 0) return tools
    const text = toolsText(tools)
    const known = this.#known.get(text) ?? freezeTools(tools)
    // What was used last stands last: the first is the one to forget.
    if (!this.#known.delete(text)) this.#characters += text.length
    this.#known.set(text, known)
    for (const [oldest] of this.#known) {
      if (this.#characters <= maxCharacters) break
      this.#known.delete(oldest)
      this.#characters -= oldest.length
    }
    return known
  }
}
