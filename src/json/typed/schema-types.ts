import { isJsonObject, type JsonObject } from '../../conversation/index.ts'
import { resolveReference } from '../schema/references.ts'
import { memberSchemas, type OwnWord, saidOfItem, saidOfProperty } from './member-schemas.ts'

/** The JSON types as bits, so that the allowed types of a schema are one number. */
export const types = { string: 1, number: 2, integer: 4, boolean: 8, null: 16, object: 32, array: 64 } as const
export const anyType = 127

/**
 * The number of schemas that are visited for one value. A schema that refers to itself twice has any size, so the bound
 * is on the work and not on the depth. Beyond it, every type is allowed.
 */
const maxSchemas = 500
/** The number of members whose types are cached. */
const maxRemembered = 500

/**
 * The types that a JSON schema allows for one value, and for its members. Computed lazily, member by member, so that a
 * recursive schema costs only the parts that are read. They guide typing and do not validate.
 */
export class SchemaTypes {
  /** The types of a value without a schema: any. */
  static readonly any: SchemaTypes = new SchemaTypes({}, {})

  /** A bit set of `types`. `integer` is set if `number` is. */
  readonly types: number
  readonly #schema: unknown
  readonly #root: JsonObject
  readonly #properties = new Map<string, SchemaTypes>()
  #item: SchemaTypes | undefined

  private constructor(schema: unknown, root: JsonObject) {
    this.#root = root
    this.types = allowedTypes(schema, root, { left: maxSchemas })
    this.#schema = schema
  }

  /** Returns the types of a tool's arguments by its schema. Kept for as long as the schema object lives. */
  static of(schema: JsonObject): SchemaTypes {
    let schemaTypes = schemaTypesOf.get(schema)
    if (!schemaTypes) {
      schemaTypes = SchemaTypes.once(schema)
      schemaTypesOf.set(schema, schemaTypes)
    }
    return schemaTypes
  }

  /** Returns the same without keeping it, for a tool that is used once. */
  static once(schema: JsonObject): SchemaTypes {
    return new SchemaTypes(schema, schema)
  }

  /** True if the schema names no type. */
  get untyped(): boolean {
    return this.types === anyType
  }

  allows(type: number): boolean {
    return (this.types & type) !== 0
  }

  /** True if nothing but a string fits. */
  get isString(): boolean {
    return this.types === types.string
  }

  property(key: string): SchemaTypes {
    const known = this.#properties.get(key)
    if (known) return known
    const schemaTypes = this.#member(saidOfProperty(key), types.object)
    // A model may invent any number of keys.
    if (this.#properties.size < maxRemembered) this.#properties.set(key, schemaTypes)
    return schemaTypes
  }

  /** The types of an array's elements. */
  get item(): SchemaTypes {
    this.#item ??= this.#member(saidOfItem, types.array)
    return this.#item
  }

  #member(own: OwnWord, within: number): SchemaTypes {
    const root = this.#root
    const budget = { left: maxSchemas }
    const found = memberSchemas(this.#schema, own, {
      resolve: (reference) => resolveReference(reference, root),
      mayHaveMembers: (branch) => (allowedTypes(branch, root, budget) & within) !== 0,
      left: maxSchemas,
    })
    if (!found || found.length === 0) return SchemaTypes.any
    return new SchemaTypes(found.length === 1 ? found[0] : { anyOf: found }, root)
  }
}

interface Budget {
  left: number
}

const schemaTypesOf = new WeakMap<JsonObject, SchemaTypes>()

function allowedTypes(schema: unknown, root: JsonObject, budget: Budget): number {
  if (!isJsonObject(schema) || budget.left-- <= 0) return anyType
  let allowed = ownTypes(schema)
  if (typeof schema.$ref === 'string') allowed &= allowedTypes(resolveReference(schema.$ref, root), root, budget)
  for (const part of listOf(schema.allOf)) allowed &= allowedTypes(part, root, budget)
  for (const keyword of ['anyOf', 'oneOf']) {
    const branches = listOf(schema[keyword])
    if (branches.length === 0) continue
    let union = 0
    for (const branch of branches) union |= allowedTypes(branch, root, budget)
    allowed &= union
  }
  if (schema.nullable === true) allowed |= types.null
  // A schema that contradicts itself is ignored.
  return allowed === 0 ? anyType : allowed
}

function ownTypes(schema: JsonObject): number {
  const named = typeof schema.type === 'string' ? [schema.type] : listOf(schema.type)
  let allowed = 0
  for (const name of named) {
    if (typeof name !== 'string' || !Object.hasOwn(types, name)) continue
    allowed |= name === 'number' ? types.number | types.integer : types[name as keyof typeof types]
  }
  if (allowed !== 0) return allowed
  if ('const' in schema) return typeOf(schema.const)
  const values = listOf(schema.enum)
  if (values.length > 0) return values.reduce<number>((union, value) => union | typeOf(value), 0)
  if (isJsonObject(schema.properties)) return types.object
  if (schema.items !== undefined) return types.array
  return anyType
}

/** The bit of a JSON value's type. */
export function typeOf(value: unknown): number {
  if (value === null) return types.null
  if (Array.isArray(value)) return types.array
  switch (typeof value) {
    case 'string':
      return types.string
    case 'number':
      return types.number | types.integer
    case 'boolean':
      return types.boolean
    default:
      return types.object
  }
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}
