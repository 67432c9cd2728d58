const ids = new WeakMap<object, number>()
let last = 0

/** A number for each object, so that a text can be a cache key for values made from it. */
export function objectId(object: object): number {
  let id = ids.get(object)
  if (id === undefined) {
    id = ++last
    ids.set(object, id)
  }
  return id
}
