import { isJsonObject, type JsonObject, type JsonValue, type Tool } from '../../conversation/index.ts'
import type { ClueScope } from './clue-scope.ts'
import { resolveSchema, typeOf } from './schema.ts'
import { clearlyGiven, fitsFormat, plausibleString, stringKindOf } from './strings.ts'

/** Schemas may refer to themselves; deeper than this nothing is filled in. */
const maxDepth = 8
/** A hostile `minItems` or `minLength` buys no more than this. */
const maxMade = 64

/** Plausible arguments for a call: every required property, and the optional ones that the text clearly gives. */
export function makeArguments(tool: Tool, scope: ClueScope): JsonObject {
  return makeObject(tool.schema, { root: tool.schema, scope, depth: 0 })
}

interface Making {
  root: JsonObject
  scope: ClueScope
  depth: number
}

function makeObject(schema: JsonObject, making: Making): JsonObject {
  const properties = isJsonObject(schema.properties) ? schema.properties : {}
  const required = Array.isArray(schema.required) ? schema.required.filter((key) => typeof key === 'string') : []
  const keys = new Set([...Object.keys(properties), ...required])
  // With nothing required, the first property is what the tool is about.
  const wanted = new Set(required.length > 0 || making.depth > 0 ? required : [...keys].slice(0, 1))
  const entries: [string, JsonValue][] = []
  for (const key of keys) {
    const property = properties[key]
    const resolved = resolveSchema(isJsonObject(property) ? property : {}, making.root)
    const inner = { ...making, depth: making.depth + 1 }
    const given = fromPair(key, resolved, inner)
    if (given !== undefined) entries.push([key, given])
    else if (required.includes(key)) entries.push([key, makeValue(key, resolved, inner)])
    else {
      const value = fromText(key, resolved, making.scope, wanted.has(key))
      if (value !== undefined) entries.push([key, value])
    }
  }
  return Object.fromEntries(entries)
}

/** A value for a property that must be there. */
function makeValue(key: string, schema: JsonObject, making: Making): JsonValue {
  if ('const' in schema && schema.const !== undefined) return schema.const
  const given = fromText(key, schema, making.scope, true)
  if (given !== undefined) return given
  if (Array.isArray(schema.enum) && schema.enum.length > 0) return schema.enum[0] ?? null
  if (schema.default !== undefined) return schema.default
  switch (typeOf(schema)) {
    case 'integer':
    case 'number':
      return fitNumber(1, schema)
    case 'boolean':
      return false
    case 'null':
      return null
    case 'array':
      return making.depth >= maxDepth ? [] : makeArray(key, schema, making)
    case 'object':
      return making.depth >= maxDepth ? {} : makeObject(schema, making)
    default:
      return fitString(plausibleString(key, schema, making.scope), schema)
  }
}

function makeArray(key: string, schema: JsonObject, making: Making): JsonValue[] {
  const items = resolveSchema(isJsonObject(schema.items) ? schema.items : {}, making.root)
  const inner = { ...making, depth: making.depth + 1 }
  const least = Math.min(typeof schema.minItems === 'number' ? schema.minItems : 0, maxMade)
  const most = Math.min(typeof schema.maxItems === 'number' ? schema.maxItems : maxMade, maxMade)
  const given = countGiven(key, items, making.scope)
  const count = Math.min(Math.max(least, given, 1), Math.max(most, least))
  const values: JsonValue[] = []
  for (let made = 0; made < count; made++) values.push(makeValue(key, items, inner))
  return values
}

/** How many items the text gives. */
function countGiven(key: string, items: JsonObject, scope: ClueScope): number {
  const type = typeOf(items)
  if (type === 'integer' || type === 'number') return scope.own('number').length
  if (type !== 'string') return 0
  return Math.max(0, ...stringKindOf(key, items).clues.map((kind) => scope.own(kind).length))
}

/** What the text says under the property's own name, where it fits the type. */
function fromPair(key: string, schema: JsonObject, making: Making): JsonValue | undefined {
  const pair = making.scope.pair(key)
  if (pair === undefined) return undefined
  const type = typeOf(schema)
  const value = pair.type === 'json' ? pair.json : readAs(schema, pair.text, making.root)
  if (value === undefined || !isOfType(type, value)) return undefined
  if (Array.isArray(schema.enum)) return schema.enum.find((choice) => choice === value)
  if (typeof value === 'number') return fitNumber(value, schema)
  return typeof value === 'string' ? fitString(value, schema) : value
}

/** What the text says about a property in other ways. `wanted`: take what may be meant, not only what surely is. */
function fromText(key: string, schema: JsonObject, scope: ClueScope, wanted: boolean): JsonValue | undefined {
  if (Array.isArray(schema.enum)) return findChoice(schema.enum, scope.text, wanted)
  const type = typeOf(schema)
  if (type === 'integer' || type === 'number') {
    const named = numberBesideKey(key, scope.masked)
    const text = named ?? (wanted ? scope.take('number') : undefined)
    if (text === undefined) return undefined
    return fitNumber(type === 'integer' ? Math.trunc(Number(text)) : Number(text), schema)
  }
  if (type !== 'string') return undefined
  const text = clearlyGiven(key, schema, scope, wanted)
  return text === undefined ? undefined : fitString(text, schema)
}

function findChoice(choices: readonly JsonValue[], text: string, wanted: boolean): JsonValue | undefined {
  const words = ` ${text.toLowerCase().replace(/[^\p{L}\p{N}_-]+/gu, ' ')} `
  return choices.find(
    (choice) =>
      typeof choice === 'string' && choice.length >= (wanted ? 1 : 3) && words.includes(` ${choice.toLowerCase()} `),
  )
}

/** `limit 5`, `limit of 5`, `5 days` for the key `days`. */
function numberBesideKey(key: string, text: string): string | undefined {
  if (!/^[\w-]{1,64}$/.test(key)) return undefined
  const name = key.replace(/[_-]/g, '[_ -]')
  const after = new RegExp(`\\b${name}\\s+(?:of\\s+|to\\s+|is\\s+|be\\s+)?(-?\\d+(?:\\.\\d+)?)`, 'i').exec(text)?.[1]
  return after ?? new RegExp(`(?<![\\w.])(-?\\d+(?:\\.\\d+)?)\\s+${name}\\b`, 'i').exec(text)?.[1]
}

/** A text given by name, read as the schema wants it; undefined where it cannot be. */
function readAs(schema: JsonObject, text: string, root: JsonObject): JsonValue | undefined {
  switch (typeOf(schema)) {
    case 'string':
      return fitsFormat(text, schema) ? text : undefined
    case 'boolean':
      if (/^(?:true|yes|on)\b/i.test(text)) return true
      return /^(?:false|no|off)\b/i.test(text) ? false : undefined
    case 'array':
      return text.startsWith('[') ? parse(text) : readList(schema, text, root)
    case 'object':
      return parse(text)
    default:
      return parse(text.split(/\s/)[0] ?? '')
  }
}

/** `a, b, c` where the items are texts. */
function readList(schema: JsonObject, text: string, root: JsonObject): JsonValue | undefined {
  const items = resolveSchema(isJsonObject(schema.items) ? schema.items : {}, root)
  const list = text.split(/\s*,\s*/)
  const tooFew = typeof schema.minItems === 'number' && list.length < schema.minItems
  const tooMany = typeof schema.maxItems === 'number' && list.length > schema.maxItems
  if (typeOf(items) !== 'string' || items.enum !== undefined || tooFew || tooMany) return undefined
  return list.every((item) => fitsFormat(item, items)) ? list.map((item) => fitString(item, items)) : undefined
}

function parse(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function isOfType(type: string, value: JsonValue): boolean {
  switch (type) {
    case 'integer':
      return Number.isInteger(value)
    case 'array':
      return Array.isArray(value)
    case 'object':
      return isJsonObject(value)
    case 'null':
      return value === null
    default:
      return typeof value === type
  }
}

/** The nearest number that the schema admits. */
function fitNumber(value: number, schema: JsonObject): number {
  const whole = typeOf(schema) === 'integer'
  const given = typeof schema.multipleOf === 'number' && schema.multipleOf > 0 ? schema.multipleOf : undefined
  const step = given ?? (whole ? 1 : undefined)
  const least = bound(schema.minimum, schema.exclusiveMinimum, step ?? 0.5)
  const most = bound(schema.maximum, schema.exclusiveMaximum, -(step ?? 0.5))
  let fitted = value
  if (most !== undefined && fitted > most) fitted = most
  if (least !== undefined && fitted < least) fitted = least
  if (step === undefined) return fitted
  const rounded = Math.round(fitted / step) * step
  if (most !== undefined && rounded > most) return Math.floor(most / step) * step
  return least !== undefined && rounded < least ? Math.ceil(least / step) * step : rounded
}

function bound(inclusive: JsonValue | undefined, exclusive: JsonValue | undefined, inward: number): number | undefined {
  if (typeof exclusive === 'number') return exclusive + inward
  return typeof inclusive === 'number' ? inclusive : undefined
}

/** The text, cut or filled up to the schema's lengths. */
function fitString(text: string, schema: JsonObject): string {
  const most = typeof schema.maxLength === 'number' ? schema.maxLength : Number.POSITIVE_INFINITY
  const least = typeof schema.minLength === 'number' ? Math.min(schema.minLength, maxMade) : 0
  const characters = [...text]
  if (characters.length > most) return characters.slice(0, Math.max(0, most)).join('')
  return characters.length < least ? text + '.'.repeat(least - characters.length) : text
}
