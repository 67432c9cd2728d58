import { isJsonObject, type JsonObject, type JsonValue } from '../../conversation/index.ts'
import { SchemaVariants, type Variant } from '../../grammar/index.ts'

/** Values that are made for one call, and schemas within each other: a schema may refer to itself. */
const maxValues = 1000
const maxDepth = 16
/** A `minItems` or `minLength` from outside asks for no more than this. */
const maxItems = 64
const maxLength = 1000

/** A text of each format. Patterns are ignored. */
const textOfFormat: Readonly<Record<string, string>> = {
  date: '2026-01-01',
  time: '12:00:00Z',
  'date-time': '2026-01-01T12:00:00Z',
  duration: 'P1D',
  email: 'someone@example.com',
  hostname: 'example.com',
  ipv4: '192.0.2.1',
  ipv6: '2001:db8::1',
  uri: 'https://example.com/',
  uuid: '00000000-0000-4000-8000-000000000000',
}

/**
 * Returns arguments that a tool's schema admits, with the required members only. The same schema gives the same
 * arguments. `notice` receives the parts of the schema that the arguments may not fit.
 */
export function makeArguments(schema: JsonObject, notice: (what: string) => void = () => {}): JsonObject {
  const made = new Making(schema, notice).value(schema, 0, 0)
  return isJsonObject(made) ? made : {}
}

/** The values of one call. */
class Making {
  readonly #variants: SchemaVariants
  readonly #notice: (what: string) => void
  #left = maxValues

  constructor(root: JsonObject, notice: (what: string) => void) {
    this.#notice = notice
    this.#variants = new SchemaVariants(root, notice)
  }

  /** Returns a value for a schema. `index` is its place in a list with elements that may have to differ. */
  value(schema: JsonValue | undefined, depth: number, index: number): JsonValue {
    if (depth > maxDepth || this.#left-- <= 0) return null
    const variants = this.#variants.of(schema)
    if (variants.length === 0) this.#notice('a schema admits nothing')
    const given = isJsonObject(schema) ? givenIn(schema).filter((value) => variants.some(admits(value))) : []
    const likely = variants.filter((variant) => !admits(null)(variant) || variant.type === 'any')
    const choices = likely.length > 0 ? likely : variants
    return given[index] ?? this.#valueOf(choices[index % choices.length], depth, index)
  }

  #valueOf(variant: Variant | undefined, depth: number, index: number): JsonValue {
    if (variant && 'schema' in variant && variant.schema.not !== undefined) this.#notice('"not" is not looked at')
    switch (variant?.type) {
      case undefined:
      case 'null':
        return null
      case 'const':
        return JSON.parse(variant.json)
      case 'boolean':
        return index % 2 === 1
      case 'any':
        return 'example'
      case 'string':
        return textFor(variant.schema)
      case 'integer':
      case 'number':
        return numberFor(variant.schema, variant.type === 'integer', index)
      case 'array':
        return this.#list(variant.schema, depth)
      case 'object':
        return this.#object(variant.schema, depth)
    }
  }

  #list({ minItems, prefixItems, items }: JsonObject, depth: number): JsonValue[] {
    const first = Array.isArray(prefixItems) ? prefixItems : []
    const count = typeof minItems === 'number' ? Math.min(Math.ceil(minItems), maxItems) : 0
    return Array.from({ length: count }, (_, index) => this.value(first[index] ?? items, depth + 1, index))
  }

  #object({ properties, required, additionalProperties }: JsonObject, depth: number): JsonObject {
    const schemas = isJsonObject(properties) ? properties : {}
    const names = Array.isArray(required) ? required.filter((name) => typeof name === 'string') : []
    return Object.fromEntries(
      names
        .slice(0, maxValues)
        .map((name) => [
          name,
          this.value(Object.hasOwn(schemas, name) ? schemas[name] : additionalProperties, depth + 1, 0),
        ]),
    )
  }
}

/** The values that a schema itself names as its default or as examples. */
function givenIn(schema: JsonObject): JsonValue[] {
  const { default: usual, examples, example } = schema
  const named = [usual, ...(Array.isArray(examples) ? examples : []), example]
  return named.filter((value) => value !== undefined && value !== null)
}

/** Returns a function that is true for a variant with the type of the value. */
function admits(value: JsonValue): (variant: Variant) => boolean {
  return (variant) => {
    switch (variant.type) {
      case 'const':
        return variant.json === JSON.stringify(value)
      case 'any':
        return true
      case 'null':
        return value === null
      case 'integer':
        return Number.isInteger(value)
      case 'array':
        return Array.isArray(value)
      case 'object':
        return isJsonObject(value)
      default:
        return typeof value === variant.type
    }
  }
}

function textFor({ format, minLength, maxLength: most }: JsonObject): string {
  const known = typeof format === 'string' && Object.hasOwn(textOfFormat, format) ? textOfFormat[format] : undefined
  if (known !== undefined) return known
  const least = typeof minLength === 'number' ? Math.min(minLength, maxLength) : 0
  return 'example'.padEnd(least, '.').slice(0, typeof most === 'number' ? Math.max(most, 0) : undefined)
}

/** The first number from 1 on that the bounds admit, or the last one before them. */
function numberFor(schema: JsonObject, isInteger: boolean, index: number): number {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema
  const step = typeof multipleOf === 'number' && multipleOf > 0 ? multipleOf : isInteger ? 1 : undefined
  const low = Math.max(numberOr(minimum, -Infinity), numberOr(exclusiveMinimum, -Infinity))
  const high = Math.min(numberOr(maximum, Infinity), numberOr(exclusiveMaximum, Infinity))
  const isIn = (value: number) =>
    value >= low && value <= high && value !== exclusiveMinimum && value !== exclusiveMaximum
  const wanted = Math.min(Math.max(1 + index, low), high)
  if (step === undefined) return isIn(wanted) ? wanted : inside(low, high)
  const multiple = Math.ceil(wanted / step) * step
  return [multiple, multiple + step, multiple - step, multiple - 2 * step].find(isIn) ?? multiple
}

/** Returns a number between two bounds. One of them may be infinite. */
function inside(low: number, high: number): number {
  if (low === -Infinity) return high - 1
  return high === Infinity ? low + 1 : (low + high) / 2
}

function numberOr(value: JsonValue | undefined, otherwise: number): number {
  return typeof value === 'number' ? value : otherwise
}
