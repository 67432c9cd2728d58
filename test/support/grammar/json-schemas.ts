/** JSON schemas drawn at random, and values that may fit them: for tests only. */
import * as fc from 'fast-check'
import { isJsonObject, type JsonObject, type JsonValue } from '../../../src/conversation/index.ts'

const keys = ['a', 'b', 'c', 'x y', 'é'] as const
const key = fc.constantFrom(...keys)
const bound = fc.oneof(fc.integer({ min: -30, max: 130 }), fc.constantFrom(0.5, -0.25, 2.5, 19.9, 1000000))
const texts = [
  ...['', 'a', 'ab', 'abc', 'aab', 'ABC', '12', '123', 'x y', 'é😀', 'abcdefgh', 'q"q', 'a\nb', 'w@w', 'P1D', '::1'],
  ...['2024-01-31', '2024-02-29', '12:30:00Z', '23:59:60Z', '12:30:00+01:00', '2024-02-29T12:30:00.123+01:00'],
  ...['a@b.co', "o'hara+x@sub.example.org", '127.0.0.1', '255.1.2.3', 'example.com', 'a-b.c', 'http://a.b/c?d#e'],
  '123e4567-e89b-12d3-a456-426614174000',
]
const leaf = fc.oneof(fc.constantFrom<JsonValue>(...texts), bound, fc.constantFrom<JsonValue>(true, false, null))
export const anyValue: fc.Arbitrary<JsonValue> = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 2 },
    leaf,
    fc.array(tie('value'), { maxLength: 3 }),
    // A grammar has only one order of members if a schema has the whole object as a constant.
    fc.dictionary(key, tie('value'), { maxKeys: 1 }),
  ),
})).value

const patterns = [
  ...['^[a-z]+$', '^[A-Z]{3}$', '[0-9]', '^a', 'b$', '^(a|b)*$', '^\\d{2,4}$', '^\\S+$', '^.{2}$', '^[^a]*$', 'ab?c'],
  ...['^\\w+@\\w+$', '^a{2,}|b$', '^(?:x|y)?$', '^[\\w.-]+$'],
]
const formats = ['date', 'time', 'date-time', 'email', 'uuid', 'ipv4', 'hostname', 'uri', 'ipv6', 'duration']
/** Patterns of names of members; each matches some of the names that values have. */
const namePatterns = ['^[ab]$', '^zz', '^x ', 'e', '^\\w+$']

function some(model: Record<string, fc.Arbitrary<JsonValue>>): fc.Arbitrary<JsonObject> {
  return fc.record(model, { requiredKeys: [] }).map((found): JsonObject => ({ ...found }))
}

/** A schema with keywords added. */
function and(base: JsonObject, more: fc.Arbitrary<JsonObject>): fc.Arbitrary<JsonValue> {
  return more.map((keywords): JsonObject => ({ ...base, ...keywords }))
}

const string = fc.oneof(
  and(
    { type: 'string' },
    fc.tuple(fc.nat(4), fc.nat(6)).map(([minLength, more]) => ({ minLength, maxLength: minLength + more })),
  ),
  and({ type: 'string' }, some({ minLength: fc.nat(3) })),
  and(
    { type: 'string' },
    fc.constantFrom(...patterns).map((pattern) => ({ pattern })),
  ),
  and(
    { type: 'string' },
    fc.constantFrom(...formats).map((format) => ({ format })),
  ),
)
const bounds = some({ minimum: bound, maximum: bound, exclusiveMinimum: bound, exclusiveMaximum: bound })

/**
 * Objects declare whether they take other members: by default grammars take none, although a schema would. A schema
 * refers to another one only in an optional place, so that there is a value of finite size.
 */
const schemas = fc.letrec<{ schema: JsonValue }>((tie) => {
  const schema = tie('schema')
  const array = fc
    .tuple(fc.nat(3), fc.nat(3), some({ items: schema, prefixItems: fc.array(schema, { minLength: 1, maxLength: 2 }) }))
    .map(([minItems, more, rest]): JsonValue => ({ type: 'array', minItems, maxItems: minItems + more, ...rest }))
  const object = fc
    .tuple(
      fc.dictionary(key, schema, { maxKeys: 4 }),
      fc.subarray([...keys], { maxLength: 2 }),
      fc.oneof(fc.constantFrom<JsonValue>(true, false), schema),
    )
    .map(
      ([properties, wanted, additionalProperties]): JsonValue => ({
        type: 'object',
        properties,
        required: wanted.filter((name) => name in properties || additionalProperties !== false),
        additionalProperties,
      }),
    )
  const names = fc.subarray([...keys], { minLength: 1, maxLength: 2 })
  /** An object with keywords whose effect depends on the members that are there. */
  const conditional = fc
    .tuple(
      object,
      fc.oneof(
        fc.dictionary(key, names, { minKeys: 1, maxKeys: 2 }).map((dependentRequired) => ({ dependentRequired })),
        fc.dictionary(key, object, { minKeys: 1, maxKeys: 1 }).map((dependentSchemas) => ({ dependentSchemas })),
        fc
          .dictionary(fc.constantFrom(...namePatterns), schema, { minKeys: 1, maxKeys: 2 })
          .map((patternProperties) => ({ patternProperties })),
        fc.tuple(key, leaf, names, names).map(([name, constant, then, otherwise]) => ({
          if: { properties: { [name]: { const: constant } }, required: [name] },
          // biome-ignore lint/suspicious/noThenProperty: it is a keyword of JSON Schema.
          then: { required: then },
          else: { required: otherwise },
        })),
        names.map((required) => ({ not: { required } })),
      ),
    )
    .map(([base, more]): JsonValue => (isJsonObject(base) ? { ...base, ...more } : base))
  const negated = fc
    .tuple(
      fc.oneof(
        string,
        and({ type: 'integer' }, bounds),
        fc.constant<JsonValue>({ type: ['string', 'number', 'null'] }),
      ),
      fc.oneof(
        leaf.map((constant): JsonObject => ({ const: constant })),
        fc.array(leaf, { minLength: 1, maxLength: 3 }).map((named): JsonObject => ({ enum: named })),
        fc.constantFrom<JsonObject>({ type: 'string' }, { type: 'integer' }, { type: ['null', 'boolean'] }),
      ),
    )
    .map(([base, not]): JsonValue => ({ ...(isJsonObject(base) ? base : {}), not }))
  const branches = (max: number) => fc.array(schema, { minLength: 1, maxLength: max })
  const atoms = fc.oneof(
    string,
    and({ type: 'integer' }, bounds),
    and({ type: 'number' }, bounds),
    fc.constantFrom<JsonValue>({ type: 'boolean' }, { type: 'null' }, {}, true),
    fc.array(leaf, { minLength: 1, maxLength: 4 }).map((named): JsonValue => ({ enum: named })),
    anyValue.map((constant): JsonValue => ({ const: constant })),
    fc.subarray(['string', 'integer', 'null', 'boolean'], { minLength: 1 }).map((type): JsonValue => ({ type })),
  )
  return {
    schema: fc.oneof(
      { maxDepth: 3 },
      atoms,
      atoms,
      array,
      object,
      object,
      conditional,
      negated,
      branches(3).map((anyOf): JsonValue => ({ anyOf })),
      branches(3).map((oneOf): JsonValue => ({ oneOf })),
      branches(2).map((allOf): JsonValue => ({ allOf })),
      fc.constantFrom('#/$defs/other', '#other').map(($ref): JsonValue => ({ anyOf: [{ type: 'null' }, { $ref }] })),
    ),
  }
}).schema

/** A schema that may refer to another one, which may refer to itself. */
export const jsonSchema: fc.Arbitrary<JsonObject> = fc.tuple(schemas, schemas).map(([schema, of]) => {
  const other: JsonObject = { $anchor: 'other', type: 'object', properties: { of }, additionalProperties: false }
  return { ...(isJsonObject(schema) ? schema : {}), $defs: { other } }
})

/** A value that may fit the schema. */
export function valueFor(
  schema: JsonValue | undefined,
  root: JsonObject,
  random: () => number,
  depth: number = 0,
): JsonValue {
  const pick = <Item>(items: readonly Item[]): Item | undefined => items[Math.floor(random() * items.length)]
  const inside = (one: JsonValue | undefined): JsonValue => valueFor(one, root, random, depth + 1)
  if (!isJsonObject(schema) || depth > 6) return pick<JsonValue>([1, 'a', null, [], {}, { a: 1 }]) ?? null
  if (typeof schema.$ref === 'string') return inside(isJsonObject(root.$defs) ? root.$defs.other : undefined)
  if (schema.const !== undefined) return schema.const
  const listed = [schema.enum, schema.anyOf, schema.oneOf, schema.allOf].find(Array.isArray)
  if (listed === schema.enum && listed) return pick(listed) ?? null
  if (listed === schema.allOf && listed) {
    const parts = listed.map(inside)
    return parts.every(isJsonObject) ? Object.assign({}, ...parts) : (pick(parts) ?? null)
  }
  if (listed) return inside(pick(listed))
  switch (Array.isArray(schema.type) ? pick(schema.type) : schema.type) {
    case 'string':
      return pick(texts) ?? ''
    case 'integer':
    case 'number': {
      const named = [schema.minimum, schema.maximum, schema.exclusiveMinimum, schema.exclusiveMaximum, 0]
      const near =
        (pick(named.filter((one) => typeof one === 'number')) ?? 0) + (pick([0, 1, -1, 0.5, -0.25, 10, 100]) ?? 0)
      return schema.type === 'integer' ? Math.round(near) : near
    }
    case 'boolean':
      return random() < 0.5
    case 'array': {
      const first = Array.isArray(schema.prefixItems) ? schema.prefixItems : []
      return Array.from({ length: Math.floor(random() * 6) }, (_, at) => inside(first[at] ?? schema.items))
    }
    case 'object': {
      const { properties, required, additionalProperties } = schema
      const known = isJsonObject(properties) ? properties : {}
      const needed = Array.isArray(required) ? required.filter((one) => typeof one === 'string') : []
      const names = [
        ...new Set([...Object.keys(known), ...needed, ...(additionalProperties === false ? [] : ['zz', 'other'])]),
      ]
      const shuffled = names.map((name) => [random(), name] as const).sort(([one], [other]) => one - other)
      const chosen = shuffled.filter(([, name]) => needed.includes(name) || random() < 0.6)
      return Object.fromEntries(chosen.map(([, name]) => [name, inside(known[name] ?? additionalProperties)]))
    }
    default:
      return null
  }
}
