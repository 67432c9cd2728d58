import type { Tool } from './conversation.ts'
import { freezeOnlyList, ListMemo } from './memo.ts'

/**
 * Freezes a list and everything in it, and returns it: values computed from a frozen list can be cached. Works without
 * recursion, because the values of clients can nest to any depth.
 */
export function freezeList<List extends readonly unknown[]>(list: List): List {
  const open: object[] = [freezeOnlyList(list)]
  for (let value = open.pop(); value; value = open.pop()) {
    Object.freeze(value)
    for (const member of Object.values(value)) if (typeof member === 'object' && member !== null) open.push(member)
  }
  return list
}

let lists = 0
const keys = new ListMemo<string>()

/** Returns a cache key for a list of tools: a short one if the list is frozen, else its whole text. */
export function toolsKey(tools: readonly Tool[]): string {
  return keys.of(tools, () => (Object.isFrozen(tools) ? `list ${++lists}` : toolsText(tools)))
}

const texts = new ListMemo<string>()

/** Returns a list of tools as JSON text. */
export function toolsText(tools: readonly Tool[]): string {
  return texts.of(tools, () => JSON.stringify(tools))
}
