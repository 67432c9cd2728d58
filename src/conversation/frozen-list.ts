import type { Tool } from './conversation.ts'

/** Freezes a list deeply, so that `OncePerList` can cache by its identity, and returns it. Does not recurse, as clients may nest deeply. */
export function freezeList<List extends readonly unknown[]>(list: List): List {
  const open: object[] = [list]
  for (let value = open.pop(); value; value = open.pop()) {
    Object.freeze(value)
    for (const member of Object.values(value)) if (typeof member === 'object' && member !== null) open.push(member)
  }
  return list
}

/** Memoizes a value per list. Frozen lists are cached by identity; for a list that can still change the value is made on every call. */
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

/** Returns a cache key for a list of tools: a short one if the list is frozen, else all of its text. */
export function toolsKey(tools: readonly Tool[]): string {
  return keys.of(tools, () => (Object.isFrozen(tools) ? `list ${++lists}` : toolsText(tools)))
}

const texts = new OncePerList<string>()

/** Returns a list of tools as JSON, which is all that anything made of them depends on. */
export function toolsText(tools: readonly Tool[]): string {
  return texts.of(tools, () => JSON.stringify(tools))
}
