import { anchorsOf, baseOf, resolved } from './anchors.ts'

/**
 * Returns the schema that a reference leads to within a schema: a pointer such as `#/$defs/Point`, an anchor such as `#point`, or the `$id`
 * of a part, alone or with one of both. Undefined for one that leads nowhere, or out of the schema.
 */
export function resolveReference(reference: string, root: unknown): unknown {
  const [document = '', fragment = ''] = reference.split('#', 2)
  if (document === '' && (fragment === '' || fragment.startsWith('/'))) return atPointer(fragment, root)
  if (typeof root !== 'object' || root === null) return undefined
  const anchors = anchorsOf(root)
  const base = document === '' ? baseOf(root) : resolved(document, baseOf(root))
  if (base === undefined) return undefined
  if (fragment !== '' && !fragment.startsWith('/')) return anchors.get(`${base}#${decode(fragment)}`)
  return atPointer(fragment, anchors.get(base))
}

function atPointer(pointer: string, root: unknown): unknown {
  let value: unknown = root
  for (const part of pointer.split('/').slice(1)) {
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
