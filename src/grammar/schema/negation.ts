import { isJsonObject, type JsonObject, type JsonValue } from '../../conversation/index.ts'
import { opened } from './members/open.ts'
import { someMember } from './members/some.ts'
import { constantsOf } from './values/constants.ts'
import { asList, listOf } from './values/lists.ts'

/** The context that a negation needs. */
export interface NegationContext {
  /** The schema that a reference leads to. */
  resolve: (reference: string) => unknown
  /** False once too many schemas were examined. */
  spend: (steps: number) => boolean
}

/** References and combinations in each other that are followed. */
const maxDepth = 12
const typeNames = ['string', 'number', 'boolean', 'null', 'object', 'array']
/** No number that is not whole is one of these. */
const wholeNumbers: JsonObject = { multipleOf: 1 }

/** Thrown if no schema expresses the negation exactly. */
class Unsayable extends Error {}

/**
 * Returns a schema for the values that `schema` does not admit: one alternative for each keyword that a value may
 * violate. Undefined if that cannot be expressed exactly; then no value must be excluded because of it.
 *
 * @example
 * negated({ type: 'object', required: ['a'] }, context)
 * // { anyOf: [{ type: ['string', 'number', …] }, { type: 'object', properties: { a: false } }] }
 */
export function negated(schema: JsonValue, context: NegationContext): JsonValue | undefined {
  try {
    return new Negation(context).of(schema, 0)
  } catch (error) {
    if (error instanceof Unsayable) return undefined
    throw error
  }
}

class Negation {
  readonly #context: NegationContext

  constructor(context: NegationContext) {
    this.#context = context
  }

  of(schema: JsonValue, depth: number): JsonValue {
    if (schema === true) return false
    if (schema === false) return true
    if (!isJsonObject(schema) || depth > maxDepth || !this.#context.spend(1)) throw new Unsayable()
    const parts: JsonValue[] = []
    for (const [keyword, value] of Object.entries(schema)) {
      if (value !== undefined) parts.push(...this.#parts(keyword, value, schema, depth))
    }
    const saying = parts.filter((part) => part !== false)
    if (saying.includes(true)) return true
    const [first] = saying
    return first === undefined ? false : saying.length === 1 ? first : { anyOf: saying }
  }

  /** The values that violate one keyword of a schema. */
  #parts(keyword: string, value: JsonValue, schema: JsonObject, depth: number): readonly JsonValue[] {
    const not = (one: JsonValue | undefined): JsonValue => this.of(one ?? true, depth + 1)
    switch (keyword) {
      case 'type':
        return otherTypes(value)
      case 'const':
      case 'enum':
        return keyword === 'enum' && 'const' in schema ? [] : otherValues(constantsOf(schema) ?? [], not)
      case 'minimum':
        return [
          { type: 'number', ...(schema.exclusiveMinimum === true ? { maximum: value } : { exclusiveMaximum: value }) },
        ]
      case 'maximum':
        return [
          { type: 'number', ...(schema.exclusiveMaximum === true ? { minimum: value } : { exclusiveMinimum: value }) },
        ]
      case 'exclusiveMinimum':
        return typeof value === 'number' ? [{ type: 'number', maximum: value }] : []
      case 'exclusiveMaximum':
        return typeof value === 'number' ? [{ type: 'number', minimum: value }] : []
      case 'multipleOf':
        return [{ type: 'number', not: { multipleOf: value } }]
      case 'minLength':
      case 'minItems':
      case 'minProperties':
        return fewer(keyword, value)
      case 'maxLength':
      case 'maxItems':
      case 'maxProperties':
        return more(keyword, value)
      case 'pattern':
      case 'format':
        return asList(value).map((one) => ({ type: 'string', not: { [keyword]: one } }))
      case 'required':
        return listOf(value).flatMap((key) =>
          typeof key === 'string' ? [{ type: 'object', properties: { [key]: false } }] : [],
        )
      case 'properties':
        return Object.entries(isJsonObject(value) ? value : {}).map(([key, one]) => {
          const other = not(one)
          return other === false ? false : opened({ type: 'object', required: [key], properties: { [key]: other } })
        })
      case 'additionalProperties':
        return value === true ? [] : [someMember({ ...namesIn(schema), schema: not(value) })]
      case 'patternProperties':
        return Object.entries(isJsonObject(value) ? value : {}).map(([pattern, one]) =>
          someMember({ pattern, schema: not(one) }),
        )
      case 'items':
        if (Array.isArray(value) || 'prefixItems' in schema) throw new Unsayable()
        return value === true ? [] : [{ type: 'array', contains: not(value) }]
      case 'allOf':
        return listOf(value).map((one) => not(schemaOf(one)))
      case 'anyOf':
        return [{ allOf: listOf(value).map((one) => not(schemaOf(one))) }]
      case 'not':
        return asList(value).map(opened)
      case '$ref':
        return [not(schemaOf(this.#context.resolve(String(value))))]
      default:
        if (constraining.has(keyword)) throw new Unsayable()
        return []
    }
  }
}

/** Keywords whose violation is not expressed; all keywords that are not listed anywhere set no constraint on values. */
const constraining: ReadonlySet<string> = new Set([
  ...['propertyNames', 'dependencies', 'dependentRequired', 'oneOf', 'if'],
  ...['dependentSchemas', 'prefixItems', 'additionalItems', 'contains', 'uniqueItems', '$dynamicRef', 'nullable'],
  ...['unevaluatedItems', 'unevaluatedProperties', '$recursiveRef'],
])

function namesIn({ properties, patternProperties }: JsonObject): JsonObject {
  const [names, patterns] = [properties, patternProperties].map((one) => (isJsonObject(one) ? Object.keys(one) : []))
  return { names: names ?? [], patterns: patterns ?? [] }
}

function schemaOf(value: unknown): JsonValue {
  if (isJsonObject(value) || typeof value === 'boolean') return value
  throw new Unsayable()
}

function otherTypes(value: JsonValue): readonly JsonValue[] {
  const named = asList(value)
  const others = typeNames.filter((type) => !named.includes(type) && !(type === 'number' && named.includes('integer')))
  const parts: JsonValue[] = others.length > 0 ? [{ type: others }] : []
  if (named.includes('integer') && !named.includes('number')) parts.push({ type: 'number', not: wholeNumbers })
  return parts
}

/** Values that are not in a list, by their types. */
function otherValues(values: readonly JsonValue[], not: (schema: JsonValue) => JsonValue): readonly JsonValue[] {
  const ofType = (type: string) => values.filter((value) => typeof value === type && value !== null)
  const [strings, numbers] = [ofType('string'), ofType('number')]
  const booleans = [true, false].filter((value) => !values.includes(value))
  const structures = values.filter((value) => typeof value === 'object' && value !== null)
  const whole = structures.map((value) => not(structureOf(value)))
  return [
    { type: 'string', ...(strings.length > 0 && { not: { enum: [...strings] } }) },
    { type: 'number', ...(numbers.length > 0 && { not: { enum: [...numbers] } }) },
    ...(booleans.length > 0 ? [{ enum: booleans }] : []),
    ...(values.includes(null) ? [] : [{ type: 'null' }]),
    ...(whole.length === 0 ? [{ type: ['object', 'array'] }] : [{ allOf: [{ type: ['object', 'array'] }, ...whole] }]),
  ]
}

/** A list or an object as a schema of its parts. */
function structureOf(value: JsonValue): JsonValue {
  if (Array.isArray(value)) throw new Unsayable()
  if (!isJsonObject(value)) return { const: value }
  const entries = Object.entries(value).map(([key, one]): [string, JsonValue] => [key, { const: one ?? null }])
  const keys = entries.map(([key]) => key)
  return { type: 'object', properties: Object.fromEntries(entries), required: keys, maxProperties: keys.length }
}

const typeOfCount: Readonly<Record<string, string>> = { Length: 'string', Items: 'array', Properties: 'object' }

function fewer(keyword: string, value: JsonValue): readonly JsonValue[] {
  const what = keyword.slice('min'.length)
  return typeof value === 'number' && value > 0
    ? [{ type: typeOfCount[what] ?? '', [`max${what}`]: Math.ceil(value) - 1 }]
    : []
}

function more(keyword: string, value: JsonValue): readonly JsonValue[] {
  const what = keyword.slice('max'.length)
  return typeof value === 'number' ? [{ type: typeOfCount[what] ?? '', [`min${what}`]: Math.floor(value) + 1 }] : []
}
