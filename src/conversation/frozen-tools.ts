import type { Tool } from './conversation.ts'

/** Freezes a list of tools with all that is in it: then what is made of it can be kept. Gives the list. */
export function freezeTools(tools: Tool[]): Tool[] {
  freeze(tools)
  return tools
}

function freeze(value: object): void {
  Object.freeze(value)
  for (const member of Object.values(value)) if (typeof member === 'object' && member !== null) freeze(member)
}

/**
 * What is made of a list of tools: once for a list that is frozen, which is then known by its identity; anew each time for one that
 * its owner may yet change.
 */
export class OncePerTools<Made> {
  readonly #made = new WeakMap<readonly Tool[], { made: Made }>()

  of(tools: readonly Tool[], make: () => Made): Made {
    const known = this.#made.get(tools)
    if (known) return known.made
    const made = make()
    if (Object.isFrozen(tools)) this.#made.set(tools, { made })
    return made
  }
}

let lists = 0
const keys = new OncePerTools<string>()

/** What is kept for a list of tools is kept by this: short where the list is frozen, all of its text where it may change. */
export function toolsKey(tools: readonly Tool[]): string {
  return keys.of(tools, () => (Object.isFrozen(tools) ? `list ${++lists}` : toolsText(tools)))
}

const texts = new OncePerTools<string>()

/** A list of tools as one text: all that anything made of them depends on. */
export function toolsText(tools: readonly Tool[]): string {
  return texts.of(tools, () => JSON.stringify(tools))
}
