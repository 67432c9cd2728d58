import * as z from 'zod'
import { isJsonObject, type JsonObject, type JsonValue } from '../../conversation/index.ts'
import { dialectNames } from '../../dialects/index.ts'
import { gatewaySchema } from './schema/schema.ts'

/** Returns the JSON schema (draft 2020-12) of a configuration file, by which editors complete and check it. */
export function configJsonSchema(): JsonObject {
  const checked = gatewaySchema({ upstreams: [], dialects: dialectNames, keysAreListed: true })
  const schema: JsonValue = JSON.parse(JSON.stringify(z.toJSONSchema(checked, { io: 'input', unrepresentable: 'any' })))
  return { title: 'Configuration of anycall', ...widened(schema, '') }
}

/** A text with a reference to the environment, which can take the place of any value. */
const reference: JsonObject = { type: 'string', pattern: '\\$\\{' }
const text: JsonObject = { type: 'string' }

/** The short forms of members that are lists, and the names of dialects: the checks read them, their schemas do not show them. */
const shortForms = new Map<string, (schema: JsonObject) => JsonObject>([
  ['keys', (list) => ({ anyOf: [list, { const: 'pass-through' }, reference] })],
  ['cors', (list) => ({ anyOf: [list, text] })],
  ['match', (list) => ({ anyOf: [list, text] })],
  ['upstream', ({ items = {} }) => ({ anyOf: [text, items, { type: 'array', items: { anyOf: [text, items] } }] })],
  ['metrics', (options) => ({ anyOf: [{ type: 'boolean' }, options, reference] })],
  ['order', (object) => ({ anyOf: [object, { const: 'best' }, reference] })],
  ['dialect', () => ({ enum: [...dialectNames] })],
])

/** Returns the schema of the member `key` with the forms that the checks allow besides: references and short forms. */
function widened(schema: JsonValue | undefined, key: string): JsonObject {
  if (!isJsonObject(schema)) return {}
  const inside: JsonObject = { ...schema }
  if (isJsonObject(schema.properties)) {
    inside.properties = Object.fromEntries(
      Object.entries(schema.properties).map(([name, member]) => [name, widened(member, name)]),
    )
  }
  if (isJsonObject(schema.items)) inside.items = widened(schema.items, '')
  if (isJsonObject(schema.additionalProperties)) inside.additionalProperties = widened(schema.additionalProperties, '')
  if (Array.isArray(schema.oneOf)) inside.oneOf = schema.oneOf.map((option) => widened(option, ''))
  const short = shortForms.get(key)
  if (short) return short(inside)
  const isOpen = isJsonObject(schema.properties) || schema.type === 'array' || schema.type === 'object'
  return isOpen || 'const' in schema || schema.type === undefined ? inside : { anyOf: [inside, reference] }
}
