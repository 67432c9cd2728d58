/** The schema that a local reference such as `#/$defs/Point` leads to; undefined for any other. */
export function resolveReference(reference: string, root: unknown): unknown {
  if (!reference.startsWith('#')) return undefined
  let value: unknown = root
  for (const part of reference.slice(1).split('/').slice(1)) {
    if (typeof value !== 'object' || value === null) return undefined
    const key = decode(part).replaceAll('~1', '/').replaceAll('~0', '~')
    if (!Object.hasOwn(value, key)) return undefined
    value = (value as Record<string, unknown>)[key]
  }
  return value
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    // It is not percent-encoded: the key is used as it is.
    return part
  }
}
