/** Parts of one schema that are searched for their own names. */
const mostParts = 20_000
/** The address of a schema that has none. */
const noBase = 'schema:///'
/** The keywords whose content is plain values, without schemas. */
const literal: ReadonlySet<string> = new Set(['const', 'enum', 'default', 'examples', 'example'])

const known = new WeakMap<object, ReadonlyMap<string, unknown>>()

/**
 * Returns the parts of a schema that have an `$id`, an `$anchor` or a `$dynamicAnchor`, by their addresses. If two have the same, the
 * first, outer one counts: a dynamic reference resolves to it.
 */
export function anchorsOf(root: object): ReadonlyMap<string, unknown> {
  const found = known.get(root) ?? findAnchors(root)
  known.set(root, found)
  return found
}

/** Returns the address of a whole schema. */
export function baseOf(root: object): string {
  return idOf(root, noBase) ?? noBase
}

/** Returns an address that is relative to another one, without its fragment; undefined if it is not a valid address. */
export function resolved(address: string, base: string): string | undefined {
  try {
    const url = new URL(address, base)
    url.hash = ''
    return url.href
  } catch {
    // The reference is not a valid URI.
    return undefined
  }
}

function findAnchors(root: object): ReadonlyMap<string, unknown> {
  const found = new Map<string, unknown>([[noBase, root]])
  const open: { part: object; base: string }[] = [{ part: root, base: noBase }]
  // Parts are added while they are looked at.
  for (const { part, base: outer } of open) {
    const base = idOf(part, outer) ?? outer
    for (const address of addressesOf(part, base, base !== outer)) if (!found.has(address)) found.set(address, part)
    for (const [key, value] of Object.entries(part)) {
      if (typeof value !== 'object' || value === null || literal.has(key)) continue
      if (open.length >= mostParts) return found
      open.push({ part: value, base })
    }
  }
  return found
}

/** Until draft 4 the keyword is `id`. One of only a fragment is an anchor. */
function idOf(part: object, base: string): string | undefined {
  const id = stringOf(part, '$id') ?? stringOf(part, 'id')
  return id === undefined || id.startsWith('#') ? undefined : resolved(id, base)
}

function addressesOf(part: object, base: string, isOwn: boolean): string[] {
  const fragments = [stringOf(part, '$id'), stringOf(part, 'id')].filter((id) => id?.startsWith('#'))
  const anchors = [stringOf(part, '$anchor'), stringOf(part, '$dynamicAnchor')].filter((name) => name !== undefined)
  const names = [...anchors, ...fragments.map((id) => id?.slice(1) ?? '')]
  return [...(isOwn ? [base] : []), ...names.map((name) => `${base}#${name}`)]
}

function stringOf(part: object, key: string): string | undefined {
  const value: unknown = Object.getOwnPropertyDescriptor(part, key)?.value
  return typeof value === 'string' ? value : undefined
}
