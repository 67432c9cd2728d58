import type { Tool } from './conversation.ts'

/** Freezes a list with all that is in it: then what is made of it can be kept. Gives the list. Works without recursion: what clients send nests as deep as they like. */
export function freezeList<List extends readonly unknown[]>(list: List): List {
  const open: object[] = [list]
  for (let value = open.pop(); value; value = open.pop()) {
    Object.freeze(value)
    for (const member of Object.values(value)) if (typeof member === 'object' && member !== null) open.push(member)
  }
  return list
}

/**
 * What is made of a list, as of the tools of a request: once for a list that is frozen, which is then known by its identity; anew each
 * time for one that its owner may yet change.
 */
export class OncePerList<Made> {
  readonly #made = new WeakMap<readonly unknown[], { made: Made }>()

  of(list: readonly unknown[], make: () => Made): Made {
    const known = this.#made.get(list)
    if (known) return known.made
    const made = make()
    if (Object.isFrozen(list)) this.#made.set(list, { made })
    return made
  }
}

let lists = 0
const keys = new OncePerList<string>()

/** What is kept for a list of tools is kept by this: short where the list is frozen, all of its text where it may change. */
export function toolsKey(tools: readonly Tool[]): string {
  return keys.of(tools, () => (Object.isFrozen(tools) ? `list ${++lists}` : toolsText(tools)))
}

const texts = new OncePerList<string>()

/** A list of tools as one text: all that anything made of them depends on. */
export function toolsText(tools: readonly Tool[]): string {
  return texts.of(tools, () => JSON.stringify(tools))
}
