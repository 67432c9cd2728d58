/** Adds items to a list. By `push(...items)` a reply that comes whole could be more than a function takes arguments. */
export function append<Item>(list: Item[], items: readonly Item[]): void {
  for (const item of items) list.push(item)
}
