import { isJsonObject, type JsonObject, type JsonValue } from '../../conversation/index.ts'
import { resolveReference } from '../../json/index.ts'
import { jsonTypeOf } from '../write/value.ts'
import { constantsOf } from './constants.ts'
import { fitsSize, unlookedAt } from './fits.ts'
import { mergeSchemas } from './merge.ts'
import { listOf } from './lists.ts'
import { hasNumber } from './number-bounds.ts'
import { fitsFacets, hasString } from './strings.ts'

/** A JSON schema taken apart: what a value may be, one variant for each type, with references and combinations resolved. */
export type Variant =
  /** This value, as JSON text. */
  | { type: 'const'; json: string }
  | { type: 'string' | 'number' | 'integer' | 'object' | 'array'; schema: JsonObject }
  | { type: 'boolean' | 'null' }
  | { type: 'any' }

const typeNames = ['string', 'number', 'integer', 'boolean', 'null', 'object', 'array'] as const
type TypeName = (typeof typeNames)[number]
/** An integer is a number. */
const everyType = typeNames.filter((type) => type !== 'integer')

/** Combinations of combinations multiply; beyond this a value may be anything. */
const maxVariants = 64
const maxDepth = 24
/** Schemas that are looked at for one tool, and keywords that are merged: 24 references that double take two to the power of as many. */
const maxSteps = 20_000

/** Keywords that only describe. */
const annotations: ReadonlySet<string> = new Set([
  ...['title', 'description', 'default', 'examples', 'example', 'deprecated', 'readOnly', 'writeOnly', '$comment'],
  ...['$schema', '$id', '$defs', 'definitions', '$anchor', 'nullable', 'contentMediaType', 'contentEncoding', 'strict'],
])
/** Keywords whose meaning no grammar can express, so that more is admitted. */
const unsupported: ReadonlySet<string> = new Set([
  ...['not', 'if', 'dependentSchemas', 'dependentRequired', 'dependencies', 'propertyNames', 'contains', 'minContains'],
  ...['maxContains', 'uniqueItems', 'multipleOf', 'unevaluatedProperties', 'unevaluatedItems', '$dynamicRef'],
])

/** The variants of the schemas of one tool. */
export class SchemaVariants {
  readonly #root: unknown
  readonly #notice: (what: string) => void
  readonly #known = new Map<JsonObject, readonly Variant[]>()
  readonly #isOpen: boolean
  #left = maxSteps

  /** `isOpen`: a schema without a type admits all types, as JSON Schema says; else it is read as tools mean it. */
  constructor(root: unknown, notice: (what: string) => void, options: { isOpen?: boolean } = {}) {
    this.#root = root
    this.#notice = notice
    this.#isOpen = options.isOpen ?? false
  }

  /** None where the schema admits nothing. */
  of(schema: unknown): readonly Variant[] {
    if (schema === false) return []
    if (!isJsonObject(schema)) return [{ type: 'any' }]
    const known = this.#known.get(schema)
    if (known) return known
    const found = this.#expand(schema, 0, new Set())
    const variants = found.length > maxVariants ? [{ type: 'any' as const }] : found
    if (found.length > maxVariants) this.#notice(`a schema of more than ${maxVariants} variants may be anything`)
    this.#known.set(schema, variants)
    return variants
  }

  #expand(schema: JsonObject | boolean, depth: number, open: ReadonlySet<unknown>): readonly Variant[] {
    if (schema === false) return []
    if (schema === true) return [{ type: 'any' }]
    // A schema that is only a reference to itself admits nothing.
    if (open.has(schema)) return []
    if (!this.#spend(1)) return [{ type: 'any' }]
    if (depth > maxDepth) {
      this.#notice(`a schema of more than ${maxDepth} combinations in each other may be anything`)
      return [{ type: 'any' }]
    }
    if (isPlain(schema)) return this.#plain(schema)
    const inside = new Set([...open, schema])
    const expand = (one: unknown) =>
      this.#expand(isJsonObject(one) || typeof one === 'boolean' ? one : {}, depth + 1, inside)
    if (typeof schema.$ref === 'string') {
      const target = resolveReference(schema.$ref, this.#root)
      const { $ref: _, ...beside } = schema
      if (target === undefined) this.#notice(`the reference "${schema.$ref}" leads nowhere: anything goes`)
      if (!isConstraining(beside)) return target === undefined ? [{ type: 'any' }] : expand(target)
      return expand({ ...beside, allOf: [...listOf(beside.allOf), target ?? {}] as JsonValue[] })
    }
    if (Array.isArray(schema.allOf)) {
      const { allOf, ...beside } = schema
      return expand(this.#merge([beside, ...allOf], inside))
    }
    for (const keyword of ['anyOf', 'oneOf'] as const) {
      const branches = schema[keyword]
      if (!Array.isArray(branches)) continue
      const { [keyword]: _, ...beside } = schema
      const isAlone = !isConstraining(beside)
      const found = branches
        .slice(0, maxVariants)
        .flatMap((branch) => (isAlone ? expand(branch) : expand(this.#merge([beside, branch], inside))))
      if (keyword === 'oneOf' && mayOverlap(found)) this.#notice('oneOf is read as anyOf where its branches overlap')
      return unique(schema.nullable === true ? [...found, { type: 'null' }] : found)
    }
    return this.#plain(schema)
  }

  /** False, with a notice, once too much was looked at. */
  #spend(steps: number): boolean {
    this.#left -= steps
    if (this.#left >= 0) return true
    this.#notice('a schema of too many combinations may be anything')
    return false
  }

  /** Schemas that all hold at once as one; what of them refers elsewhere is looked up. */
  #merge(schemas: readonly unknown[], open: ReadonlySet<unknown>): JsonObject | boolean {
    let merged: JsonObject | boolean = {}
    for (const schema of schemas) {
      let next = schema
      for (let hops = 0; isJsonObject(next) && typeof next.$ref === 'string' && hops < maxDepth; hops++) {
        const { $ref, ...beside } = next
        const target = resolveReference(String($ref), this.#root)
        if (open.has(target)) return false
        if (isConstraining(beside)) merged = mergeSchemas(merged, beside, this.#notice)
        next = target
      }
      if (!this.#spend(sizeOfProperties(merged) + sizeOfProperties(next))) return true
      merged = mergeSchemas(merged, isJsonObject(next) || next === false ? next : {}, this.#notice)
    }
    return merged
  }

  /** A schema without combinations. */
  #plain(schema: JsonObject): readonly Variant[] {
    for (const keyword in schema) {
      if (unsupported.has(keyword) && schema[keyword] !== false) this.#notice(`"${keyword}" is not expressed`)
    }
    const types = typesOf(schema)
    const nullable: Variant[] = schema.nullable === true ? [{ type: 'null' }] : []
    const constants = constantsOf(schema)
    if (constants) {
      const fitting = constants.filter(
        (value) =>
          (types.length === 0 || types.some((type) => isOfType(value, type))) &&
          fitsSize(value, schema) &&
          (typeof value !== 'string' || fitsFacets(value, schema) !== false),
      )
      for (const keyword of new Set(fitting.flatMap((value) => unlookedAt(value, schema)))) {
        this.#notice(`"${keyword}" is not expressed for values that the schema names`)
      }
      const written = fitting.map((value): Variant => ({ type: 'const', json: JSON.stringify(value ?? null) }))
      return unique([...written, ...nullable])
    }
    if (types.length === 0 && !isConstraining(schema)) return [{ type: 'any' }]
    if (types.length === 0 && !this.#isOpen) return this.#guessed(schema)
    const variants = (types.length > 0 ? types : everyType).flatMap((type) => {
      const isPossible = type === 'string' ? hasString(schema) : !isNumber(type) || hasNumber(schema, type === 'integer')
      return isPossible ? [variantOf(type, schema)] : []
    })
    return unique([...variants, ...nullable])
  }

  /** A schema that says nothing of the type is read as tools mean it: one with properties is an object. */
  #guessed(schema: JsonObject): readonly Variant[] {
    if (
      'properties' in schema ||
      'additionalProperties' in schema ||
      'required' in schema ||
      'patternProperties' in schema
    ) {
      return [{ type: 'object', schema }]
    }
    if ('items' in schema || 'prefixItems' in schema || 'minItems' in schema) return [{ type: 'array', schema }]
    if ('pattern' in schema || 'format' in schema || 'minLength' in schema || 'maxLength' in schema) {
      return [{ type: 'string', schema }]
    }
    if ('minimum' in schema || 'maximum' in schema || 'exclusiveMinimum' in schema || 'exclusiveMaximum' in schema) {
      return [{ type: 'number', schema }]
    }
    return [{ type: 'any' }]
  }
}

function sizeOfProperties(schema: unknown): number {
  return isJsonObject(schema) && isJsonObject(schema.properties) ? Object.keys(schema.properties).length : 0
}

/** A schema that neither refers to others nor combines them. */
function isPlain({ $ref, allOf, anyOf, oneOf }: JsonObject): boolean {
  return typeof $ref !== 'string' && !Array.isArray(allOf) && !Array.isArray(anyOf) && !Array.isArray(oneOf)
}

function variantOf(type: TypeName, schema: JsonObject): Variant {
  return type === 'boolean' || type === 'null' ? { type } : { type, schema }
}

function typesOf(schema: JsonObject): TypeName[] {
  const own = schema.type
  if (typeof own === 'string') return typeNames.filter((type) => type === own)
  const named = listOf(own)
  const known = typeNames.filter((type) => named.includes(type))
  // An integer is a number.
  return known.includes('number') ? known.filter((type) => type !== 'integer') : known
}

function isOfType(value: JsonValue | undefined, type: TypeName): boolean {
  if (value === null) return type === 'null'
  if (Array.isArray(value)) return type === 'array'
  if (type === 'integer') return Number.isInteger(value)
  return typeof value === type
}

function isConstraining(schema: JsonObject): boolean {
  return Object.keys(schema).some((key) => !annotations.has(key) && !key.startsWith('x-'))
}

function unique(variants: readonly Variant[]): readonly Variant[] {
  if (variants.length === 1) return variants
  if (variants.some(({ type }) => type === 'any')) return [{ type: 'any' }]
  const keys = new Set<string>()
  return variants.filter((variant) => {
    if (variant.type === 'object' || variant.type === 'array') return true
    const key = JSON.stringify(variant)
    return !keys.has(key) && keys.add(key)
  })
}

/** Whether a value may be of two variants. */
function mayOverlap(variants: readonly Variant[]): boolean {
  return variants.some((one, at) => variants.slice(at + 1).some((other) => areBoth(one, other)))
}

/** False where no value can be of both: the types differ, or a constant tells them apart. */
function areBoth(one: Variant, other: Variant): boolean {
  if (one.type === 'any' || other.type === 'any') return true
  if (one.type === 'const' && other.type === 'const') return one.json === other.json
  const [first, second] = [typeOf(one), typeOf(other)]
  if (first !== second && !(isNumber(first) && isNumber(second))) return false
  return !('schema' in one && 'schema' in other && areDisjoint(one.schema, other.schema))
}

function typeOf(variant: Exclude<Variant, { type: 'any' }>): string {
  return variant.type === 'const' ? jsonTypeOf(variant.json) : variant.type
}

function isNumber(type: string): boolean {
  return type === 'number' || type === 'integer'
}

function areDisjoint(one: JsonObject, other: JsonObject): boolean {
  if (!isJsonObject(one.properties) || !isJsonObject(other.properties)) return false
  const [first, second] = [one.properties, other.properties]
  return Object.keys(first).some((key) => {
    const [a, b] = [first[key], second[key]]
    return isJsonObject(a) && isJsonObject(b) && 'const' in a && 'const' in b && a.const !== b.const
  })
}
