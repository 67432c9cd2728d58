import { freezeList, isJsonObject, type JsonObject, ListMemo, type Tool } from '../../conversation/index.ts'

/** The bounds on the schemas that one grammar is made from. */
export interface SchemaBounds {
  /** The number of schemas, names, constants, and other values in a schema; descriptions do not count. */
  parts: number
  /** Characters of names and constants. */
  text: number
  /** Characters of one name: it takes a state of an automaton for each. */
  name: number
}

/**
 * The bounds of one tool: the largest tools of agents have some hundred parts. A grammar of 4000 parts takes 10 to 100
 * ms of CPU, depending on their kinds.
 */
export const boundsOfOne: Readonly<SchemaBounds> = { parts: 4000, text: 40_000, name: 200 }
/** The bounds for all tools of a request together: 24 tools of Claude Code have a thousand parts in total. */
export const boundsOfAll: Readonly<SchemaBounds> = { parts: 12_000, text: 150_000, name: 200 }

/** Keywords on which no grammar depends. */
const silent: ReadonlySet<string> = new Set([
  ...['title', 'description', 'default', 'examples', 'example', 'deprecated', 'readOnly', 'writeOnly', '$comment'],
])

/** Tools for a grammar. */
export interface BoundedTools {
  /** The tools; those that are too large take any object. The same list if there are none. */
  tools: readonly Tool[]
  /** The names of those. */
  widened: readonly string[]
}

const known = new ListMemo<BoundedTools>()

/**
 * The tools of a request as grammars are made of them: a tool whose schema is past `boundsOfOne` takes any object, and so do the largest of
 * those that are past `boundsOfAll` together. The work for a grammar grows faster than the schema in places, and one request must not keep all others waiting.
 */
export function boundedTools(tools: readonly Tool[]): BoundedTools {
  return known.of(tools, () => bounded(tools))
}

function bounded(tools: readonly Tool[]): BoundedTools {
  const sized = tools.map((tool) => ({
    tool,
    size: sizeOf(tool.schema, boundsOfOne),
    isWide: tool.name.length > boundsOfOne.name,
  }))
  const left = { parts: boundsOfAll.parts, text: boundsOfAll.text }
  // The smallest first: most keep their grammar then.
  for (const one of sized.toSorted((first, second) => (first.size?.parts ?? 0) - (second.size?.parts ?? 0))) {
    const { parts, text } = one.size ?? { parts: Infinity, text: Infinity }
    if (parts > left.parts || text > left.text) one.isWide = true
    if (one.isWide) continue
    left.parts -= parts
    left.text -= text
  }
  const widened = sized.flatMap(({ tool, isWide }) => (isWide ? [tool.name] : []))
  if (widened.length === 0) return { tools, widened }
  const all = sized.map(({ tool, isWide }): Tool => (isWide ? { ...tool, schema: anyObject } : tool))
  return { tools: Object.isFrozen(tools) ? freezeList(all) : all, widened }
}

/** The same tools, each of which takes any object. */
export function widenedTools(tools: readonly Tool[]): readonly Tool[] {
  const all = tools.map((tool): Tool => ({ ...tool, schema: anyObject }))
  return Object.isFrozen(tools) ? freezeList(all) : all
}

const anyObject: JsonObject = { type: 'object' }

/** A schema for a grammar, or one of any object if it is too large. */
export function boundedSchema(schema: JsonObject): JsonObject {
  return sizeOf(schema, boundsOfOne) === undefined ? anyObject : schema
}

/** The size of a schema; undefined if it exceeds the bounds. Examines no more than they allow. */
export function sizeOf(schema: JsonObject, bounds: SchemaBounds): Omit<SchemaBounds, 'name'> | undefined {
  const size = { parts: 0, text: 0 }
  const open: unknown[] = [schema]
  const isWithin = (): boolean => size.parts + open.length <= bounds.parts && size.text <= bounds.text
  while (open.length > 0) {
    const value = open.pop()
    size.parts++
    if (typeof value === 'string') size.text += value.length
    else if (Array.isArray(value)) {
      if (value.length > bounds.parts) return undefined
      open.push(...value)
    } else if (isJsonObject(value)) {
      for (const name in value) {
        if (silent.has(name) && typeof value[name] !== 'object') continue
        if (name.length > bounds.name) return undefined
        size.text += name.length
        open.push(value[name])
        if (!isWithin()) return undefined
      }
    }
    if (!isWithin()) return undefined
  }
  return size
}
