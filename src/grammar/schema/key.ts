import { isJsonObject } from '../../conversation/index.ts'

/** Keywords that no grammar depends on. */
const silent: ReadonlySet<string> = new Set([
  ...['title', 'description', 'default', 'examples', 'example', 'deprecated', 'readOnly', 'writeOnly', '$comment'],
])
/** Under these stand names, not keywords. */
const named: ReadonlySet<string> = new Set(['properties', 'patternProperties'])
/** And under these values, all of which counts. */
const literal: ReadonlySet<string> = new Set(['const', 'enum'])

/** Larger schemas are the same only where they are one: to compare them at each of their levels would cost more. */
const mostParts = 40

/**
 * What a schema says, as a text: schemas with the same text admit the same, whichever tool they belong to. Undefined for
 * one that may refer to what stands elsewhere in its tool, and for a large one.
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

/** As JSON; of words that is known without a look at each character. */
function quoted(text: string): string {
  return /^[\w ]*$/.test(text) ? `"${text}"` : JSON.stringify(text)
}
