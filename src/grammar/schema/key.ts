import { isJsonObject } from '../../conversation/index.ts'

/** Keywords that no grammar depends on. */
const silent: ReadonlySet<string> = new Set([
  ...['title', 'description', 'default', 'examples', 'example', 'deprecated', 'readOnly', 'writeOnly', '$comment'],
])
/** Keywords whose objects have names, not keywords, as keys. */
const named: ReadonlySet<string> = new Set(['properties', 'patternProperties'])
/** Keywords whose values are data: every part of them counts. */
const literal: ReadonlySet<string> = new Set(['const', 'enum'])

/**
 * Larger schemas are equal only if they are the same object: comparing them at each of their levels would cost more.
 */
const mostParts = 40

/**
 * The content of a schema as a text: schemas with the same text admit the same values, whichever tool they belong to.
 * Undefined for a schema that may refer to other parts of its tool's schema, and for a large one.
 */
export function schemaKey(schema: unknown): string | undefined {
  const left = { parts: mostParts }
  const key = keyOf(schema, false, left)
  return left.parts < 0 ? undefined : key
}

function keyOf(value: unknown, isNames: boolean, left: { parts: number }): string {
  if (--left.parts < 0) return ''
  if (Array.isArray(value)) {
    let all = '['
    for (const one of value) all += `${keyOf(one, false, left)},`
    return `${all}]`
  }
  if (!isJsonObject(value)) return typeof value === 'string' ? quoted(value) : (JSON.stringify(value) ?? 'true')
  let all = '{'
  for (const name in value) {
    if (!isNames && silent.has(name)) continue
    if (!isNames && name.startsWith('$')) left.parts = -1
    if (left.parts < 0) return ''
    const isLiteral = !isNames && literal.has(name)
    const part = isLiteral ? JSON.stringify(value[name]) : keyOf(value[name], !isNames && named.has(name), left)
    all += `${quoted(name)}:${part},`
  }
  return `${all}}`
}

/** The text as JSON. For words no character needs an escape. */
function quoted(text: string): string {
  return /^[\w ]*$/.test(text) ? `"${text}"` : JSON.stringify(text)
}
