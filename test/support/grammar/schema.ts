import { isJsonObject } from '../../../src/conversation/index.ts'

/**
 * A small validator of JSON schemas, for the keywords that grammars express: for tests only. Returns the error, or
 * nothing.
 */
export function schemaFault(
  schema: unknown,
  value: unknown,
  root: unknown = schema,
  path: string = '',
): string | undefined {
  if (schema === false) return `${path}: nothing is allowed`
  if (!isJsonObject(schema)) return undefined
  const wrong = (what: string) => `${path}: ${what}: ${JSON.stringify(value)}`
  if (typeof schema.$ref === 'string') {
    let target: unknown = root
    for (const part of schema.$ref.slice(2).split('/')) if (part !== '') target = Object(target)[part]
    const fault = schemaFault(target, value, root, path)
    if (fault) return fault
  }
  for (const part of Array.isArray(schema.allOf) ? schema.allOf : []) {
    const fault = schemaFault(part, value, root, path)
    if (fault) return fault
  }
  for (const branches of [schema.anyOf, schema.oneOf]) {
    if (!Array.isArray(branches)) continue
    if (schema.nullable === true && value === null) continue
    if (branches.every((branch) => schemaFault(branch, value, root, path))) return wrong('no branch fits')
  }
  if (schema.nullable === true && value === null) return undefined
  if ('const' in schema && JSON.stringify(schema.const) !== JSON.stringify(value)) return wrong('not the constant')
  if (Array.isArray(schema.enum) && !schema.enum.some((one) => JSON.stringify(one) === JSON.stringify(value))) {
    return wrong('not in the enum')
  }
  const types = typeof schema.type === 'string' ? [schema.type] : Array.isArray(schema.type) ? schema.type : undefined
  if (types && !types.some((type) => isOf(String(type), value))) return wrong(`not of type ${types.join()}`)
  if (typeof value === 'string') return stringFault(schema, value) ? wrong(stringFault(schema, value) ?? '') : undefined
  if (typeof value === 'number') return numberFault(schema, value) ? wrong(numberFault(schema, value) ?? '') : undefined
  if (Array.isArray(value)) {
    if (value.length < Number(schema.minItems ?? 0)) return wrong('too few items')
    if (value.length > Number(schema.maxItems ?? Number.POSITIVE_INFINITY)) return wrong('too many items')
    const tuple = Array.isArray(schema.prefixItems) ? schema.prefixItems : []
    for (const [index, item] of value.entries()) {
      const fault = schemaFault(index < tuple.length ? tuple[index] : schema.items, item, root, `${path}[${index}]`)
      if (fault) return fault
    }
    return undefined
  }
  if (!isJsonObject(value)) return undefined
  const properties = isJsonObject(schema.properties) ? schema.properties : {}
  for (const key of Array.isArray(schema.required) ? schema.required : []) {
    if (!Object.hasOwn(value, String(key))) return wrong(`no ${key}`)
  }
  for (const [key, one] of Object.entries(value)) {
    const member = Object.hasOwn(properties, key) ? properties[key] : schema.additionalProperties
    const fault = schemaFault(member, one, root, `${path}.${key}`)
    if (fault) return fault
  }
  return undefined
}

function isOf(type: string, value: unknown): boolean {
  if (value === null) return type === 'null'
  if (Array.isArray(value)) return type === 'array'
  if (type === 'integer') return Number.isInteger(value)
  return typeof value === type
}

function stringFault(schema: Record<string, unknown>, value: string): string | undefined {
  const length = [...value].length
  if (length < Number(schema.minLength ?? 0)) return 'too short'
  if (length > Number(schema.maxLength ?? Number.POSITIVE_INFINITY)) return 'too long'
  if (typeof schema.pattern === 'string' && !new RegExp(schema.pattern, 'u').test(value)) return 'not the pattern'
  if (schema.format === 'date' && !/^\d{4}-\d\d-\d\d$/.test(value)) return 'no date'
  if (schema.format === 'uuid' && !/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(value)) return 'no uuid'
  return undefined
}

function numberFault(schema: Record<string, unknown>, value: number): string | undefined {
  if (typeof schema.minimum === 'number' && value < schema.minimum) return 'too small'
  if (typeof schema.maximum === 'number' && value > schema.maximum) return 'too large'
  if (typeof schema.exclusiveMinimum === 'number' && value <= schema.exclusiveMinimum) return 'too small'
  if (typeof schema.exclusiveMaximum === 'number' && value >= schema.exclusiveMaximum) return 'too large'
  return undefined
}
