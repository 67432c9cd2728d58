import { isJsonObject, type JsonObject, type JsonValue } from '../../conversation/index.ts'
import { resolveReference } from '../../json/index.ts'
import { objectId } from '../tree/object-id.ts'
import { ConditionRewriter } from './conditions.ts'
import { mayShare } from './disjoint.ts'
import { withSomeMember } from './members/some.ts'
import { mergeSchemas } from './merge.ts'
import { negated } from './negation.ts'
import { everyType, isNumber, isOfType, saidOf, type TypeName, typesOf } from './types.ts'
import { constantsOf } from './values/constants.ts'
import { fitsSize, unlookedAt } from './values/fits.ts'
import { asList, listOf } from './values/lists.ts'
import { hasNumber } from './values/number-bounds.ts'
import { fitsFacets, hasString } from './values/strings.ts'

/**
 * A JSON schema split into the values that it admits: one variant for each type, with references and combinations
 * resolved.
 */
export type Variant =
  /** This value, as JSON text. */
  | { type: 'const'; json: string }
  | { type: 'string' | 'number' | 'integer' | 'object' | 'array'; schema: JsonObject }
  | { type: 'boolean' | 'null' }
  | { type: 'any' }

/** Combinations of combinations multiply; beyond this a value may be anything. Constants do not count. */
const maxVariants = 64
const maxConstants = 4000
const maxDepth = 100
/** References to references that are followed for one schema of a combination. */
const maxHops = 24
/**
 * The most schemas that are examined for one tool, and keywords that are merged: 24 references that double take two to
 * the power of as many.
 */
const maxSteps = 10_000
/** Two schemas are merged keyword by keyword. */
const stepsOfMerge = 4

/** Keywords that only describe. */
const annotations: ReadonlySet<string> = new Set([
  ...['title', 'description', 'default', 'examples', 'example', 'deprecated', 'readOnly', 'writeOnly', '$comment'],
  ...[
    '$schema',
    '$id',
    '$defs',
    'definitions',
    '$anchor',
    '$dynamicAnchor',
    '$recursiveAnchor',
    'nullable',
    'contentMediaType',
    'contentEncoding',
    'strict',
  ],
  'id',
])
/** Keywords whose meaning no grammar can express, so that more is admitted. */
const unsupported = ['unevaluatedProperties', 'unevaluatedItems'] as const

/** The variants of the schemas of one tool. */
export class SchemaVariants {
  readonly #root: unknown
  readonly #notice: (what: string) => void
  readonly #known = new Map<JsonObject, readonly Variant[]>()
  readonly #isOpen: boolean
  /** Until draft 7, keywords beside a reference are ignored. */
  readonly #isRefAlone: boolean
  readonly #conditions: ConditionRewriter
  #left = maxSteps

  /**
   * `isOpen`: a schema without a type admits all types, as JSON Schema defines it; otherwise it is read as authors of
   * tools mean it.
   */
  constructor(root: unknown, notice: (what: string) => void, options: { isOpen?: boolean } = {}) {
    this.#root = root
    this.#notice = notice
    this.#isOpen = options.isOpen ?? false
    this.#isRefAlone = this.#isOpen && isJsonObject(root) && /draft-0[3-7]/.test(String(root.$schema))
    this.#conditions = new ConditionRewriter((schema) => this.#negated(schema), notice)
  }

  /** Empty if the schema admits nothing. */
  of(schema: unknown): readonly Variant[] {
    if (schema === false) return []
    if (!isJsonObject(schema)) return [{ type: 'any' }]
    const known = this.#known.get(schema)
    if (known) return known
    const found = this.#expand(schema, 0, new Set())
    const variants = isTooMany(found) ? [{ type: 'any' as const }] : found
    if (isTooMany(found)) this.#notice(`a schema of more than ${maxVariants} variants may be anything`)
    this.#known.set(schema, variants)
    return variants
  }

  #negated(schema: JsonValue): JsonValue | undefined {
    const resolve = (reference: string) => resolveReference(reference, this.#root)
    return negated(schema, { resolve, spend: (steps) => this.#left > 0 && this.#spend(steps) })
  }

  #expand(schema: JsonObject | boolean, depth: number, open: ReadonlySet<unknown>): readonly Variant[] {
    if (schema === false) return []
    if (schema === true) return [{ type: 'any' }]
    // A schema that is only a reference to itself admits nothing.
    if (open.has(schema)) return []
    if (!this.#spend(1)) return [{ type: 'any' }]
    if (depth > maxDepth) {
      this.#notice(`a schema of more than ${maxDepth} nested combinations may be anything`)
      return [{ type: 'any' }]
    }
    const rewritten = this.#conditions.rewrite(withStaticReference(schema))
    const asked = rewritten === schema && isPlain(schema) ? withSomeMember(schema) : undefined
    if (rewritten === schema && isPlain(schema) && !asked) return this.#plain(schema)
    const inside = new Set([...open, schema])
    const expand = (one: unknown) =>
      this.#expand(isJsonObject(one) || typeof one === 'boolean' ? one : {}, depth + 1, inside)
    if (rewritten !== schema) return expand(rewritten)
    if (asked) {
      if (!asked.isWhole) this.#notice('"not" of "additionalProperties" is not expressed')
      return expand(asked.schema)
    }
    if (typeof schema.$ref === 'string') {
      const target = resolveReference(schema.$ref, this.#root)
      const { $ref: _, ...others } = schema
      const beside = this.#isRefAlone ? {} : others
      if (target === undefined) this.#notice(`the reference "${schema.$ref}" cannot be resolved: any value is allowed`)
      if (!isConstraining(beside)) return target === undefined ? [{ type: 'any' }] : expand(target)
      return expand({ ...beside, allOf: [...listOf(beside.allOf), target ?? {}] as JsonValue[] })
    }
    // Unions that are left of a combination are taken one after the other.
    const isCombined = Array.isArray(schema.allOf) && !(isUnion(schema) && schema.allOf.every(isOnlyUnion))
    if (isCombined) {
      const { allOf, ...beside } = schema
      return expand(this.#merge([beside, ...listOf(allOf)], inside))
    }
    const keyword = Array.isArray(schema.anyOf) ? 'anyOf' : 'oneOf'
    const { [keyword]: branches, ...beside } = schema
    const isAlone = !isConstraining(beside)
    const expandAll = (parts: readonly JsonValue[]) =>
      isAlone && parts.length === 1 ? expand(parts[0]) : expand(this.#merge([beside, ...parts], inside))
    const found = this.#branches(asList(branches), keyword === 'oneOf', expandAll)
    return unique(schema.nullable === true ? [...found, { type: 'null' }] : found)
  }

  /** The values that one branch admits or, for `oneOf`, that one branch and no other admits. */
  #branches(
    branches: readonly JsonValue[],
    isExclusive: boolean,
    expand: (parts: readonly JsonValue[]) => readonly Variant[],
  ): readonly Variant[] {
    const each: (readonly Variant[])[] = []
    const all: Variant[] = []
    for (const branch of branches) {
      const found = expand([branch])
      each.push(found)
      all.push(...found)
      // The remaining branches are covered, because any value is admitted.
      if (isTooMany(all)) return all
    }
    if (!isExclusive) return all
    const exact = branches.map((branch, at) => {
      const others = branches.filter((_, other) => other !== at && mayShare(each[at] ?? [], each[other] ?? []))
      if (others.length === 0) return each[at] ?? []
      const not = others.map((other) => this.#negated(other))
      if (not.includes(undefined)) this.#notice('oneOf is read as anyOf because its branches overlap')
      return expand([branch, ...not.filter((one) => one !== undefined)])
    })
    const found = exact.flat()
    if (!isTooMany(found)) return found
    this.#notice('oneOf is read as anyOf because its branches overlap in too many ways')
    return all
  }

  /** False, with a notice, once too much was examined. */
  #spend(steps: number): boolean {
    this.#left -= steps
    if (this.#left >= 0) return true
    this.#notice('a schema of too many combinations may be anything')
    return false
  }

  /** Merges schemas that all apply at once; references in them are resolved. */
  #merge(schemas: readonly unknown[], open: ReadonlySet<unknown>): JsonObject | boolean {
    let merged: JsonObject | boolean = {}
    for (const schema of schemas) {
      let next = schema
      for (let hops = 0; isJsonObject(next) && typeof next.$ref === 'string' && hops < maxHops; hops++) {
        const { $ref, ...others } = next
        const beside = this.#isRefAlone ? {} : others
        const target = resolveReference(String($ref), this.#root)
        if (open.has(target)) return false
        if (isConstraining(beside)) merged = mergeSchemas(merged, this.#conditions.rewrite(beside), this.#notice)
        next = target
      }
      if (!this.#spend(stepsOfMerge + sizeOfProperties(merged) + sizeOfProperties(next))) return true
      const part = isJsonObject(next) ? this.#conditions.rewrite(next) : next !== false
      merged = mergeSchemas(merged, part, this.#notice)
    }
    return merged
  }

  /** A schema without combinations. */
  #plain(schema: JsonObject): readonly Variant[] {
    for (const keyword of unsupported) {
      if (keyword in schema && schema[keyword] !== false) this.#notice(`"${keyword}" is not expressed`)
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
      const isPossible =
        type === 'string' ? hasString(schema) : !isNumber(type) || hasNumber(schema, type === 'integer')
      return isPossible ? [variantOf(type, schema, this.#isOpen)] : []
    })
    return unique([...variants, ...nullable])
  }

  /** A schema without a type, read as authors of tools mean it: one with properties is an object. */
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

/** True for more variants than a grammar distinguishes. */
function isTooMany(variants: readonly Variant[]): boolean {
  if (variants.length <= maxVariants) return false
  const structures = variants.filter(({ type }) => type !== 'const').length
  return structures > maxVariants || variants.length > maxConstants
}

/** Parts of combinations are merged again and again. */
const sizes = new WeakMap<JsonObject, number>()

function sizeOfProperties(schema: unknown): number {
  if (!isJsonObject(schema) || !isJsonObject(schema.properties)) return 0
  const { properties } = schema
  const size = sizes.get(properties) ?? Object.keys(properties).length
  sizes.set(properties, size)
  return size
}

/** Within one schema a dynamic reference is one like others: the outermost of its anchors is the one that it finds. */
function withStaticReference(schema: JsonObject): JsonObject {
  if (typeof schema.$dynamicRef !== 'string' && typeof schema.$recursiveRef !== 'string') return schema
  const { $dynamicRef, $recursiveRef, ...others } = schema
  const references = [$dynamicRef, $recursiveRef].filter((one) => typeof one === 'string')
  const [$ref = ''] = references
  // A schema that refers to itself is recognised by its `$ref`, so a single reference is kept as it is.
  if (references.length === 1 && others.$ref === undefined) return { ...others, $ref }
  return { ...others, allOf: [...asList(others.allOf), ...references.map((one): JsonObject => ({ $ref: one }))] }
}

/** A schema that neither refers to others nor combines them. */
function isPlain({ $ref, allOf, anyOf, oneOf }: JsonObject): boolean {
  return typeof $ref !== 'string' && !Array.isArray(allOf) && !Array.isArray(anyOf) && !Array.isArray(oneOf)
}

function isUnion({ anyOf, oneOf }: JsonObject): boolean {
  return Array.isArray(anyOf) || Array.isArray(oneOf)
}

function isOnlyUnion(schema: JsonValue): boolean {
  return isJsonObject(schema) && isUnion(schema) && Object.keys(schema).length === 1
}

function variantOf(type: TypeName, schema: JsonObject, isOpen: boolean): Variant {
  if (type === 'boolean' || type === 'null') return { type }
  return { type, schema: isOpen ? saidOf(type, schema) : schema }
}

function isConstraining(schema: JsonObject): boolean {
  return Object.keys(schema).some((key) => !annotations.has(key) && !key.startsWith('x-'))
}

function unique(variants: readonly Variant[]): readonly Variant[] {
  if (variants.length === 1) return variants
  if (variants.some(({ type }) => type === 'any')) return [{ type: 'any' }]
  const keys = new Set<string>()
  return variants.filter((variant) => {
    const isStructure = variant.type === 'object' || variant.type === 'array'
    const key = isStructure ? `${variant.type} ${objectId(variant.schema)}` : JSON.stringify(variant)
    return !keys.has(key) && keys.add(key)
  })
}
