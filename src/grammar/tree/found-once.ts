/** What is found of an object that does not change, as the parts of formats are: it is looked at once. */
export function memoize<Of extends object, Found>(find: (of: Of) => Found): (of: Of) => Found {
  const known = new WeakMap<Of, { found: Found }>()
  return (of) => {
    let entry = known.get(of)
    if (!entry) {
      entry = { found: find(of) }
      known.set(of, entry)
    }
    return entry.found
  }
}
