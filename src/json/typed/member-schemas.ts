import { isJsonObject, type JsonObject } from '../../conversation/index.ts'

/** The information about a member in one schema: the schemas of a named member, and those for members without names. */
export interface SaidOfMember {
  named: readonly unknown[]
  unnamed: readonly unknown[]
}

/** Returns the information about a member in a schema. Undefined if the schema does not mention members. */
export type OwnWord = (schema: JsonObject) => SaidOfMember | undefined

const nothing: SaidOfMember = { named: [], unnamed: [] }

/**
 * Returns the information about a member of an object. A schema that names other members does not allow this one. Patterns are not
 * run, as those from outside can take for ever: the member may be one of each pattern, or of none.
 */
export function saidOfProperty(key: string): OwnWord {
  return ({ properties, additionalProperties: rest, patternProperties }) => {
    if (isJsonObject(properties) && Object.hasOwn(properties, key)) return { named: [properties[key]], unnamed: [] }
    const patterns = isJsonObject(patternProperties) ? Object.values(patternProperties) : []
    if (rest === true || isJsonObject(rest)) return { named: [], unnamed: [...patterns, rest] }
    if (!isJsonObject(properties) && rest !== false) return undefined
    return patterns.length === 0 ? nothing : { named: [], unnamed: patterns }
  }
}

/** Returns the information about an element of an array. Tuples are rare in tools; their elements may be anything. */
export const saidOfItem: OwnWord = ({ items, prefixItems }) => {
  if (Array.isArray(prefixItems)) return { named: [true], unnamed: [] }
  return isJsonObject(items) ? { named: [items], unnamed: [] } : undefined
}

/** Access to the parts of a schema. */
export interface SchemaParts {
  resolve(reference: string): unknown
  /** Returns true if a value with members of this kind may fit a branch. */
  mayHaveMembers(branch: unknown): boolean
  /** The number of schemas that may still be visited. */
  left: number
}

/**
 * Returns the schemas of a member, from a schema and all schemas that it combines; several are alternatives. Undefined
 * if the member may be anything: no schema mentions it, or a branch of a union does not and the schema around the union
 * does not either.
 */
export function memberSchemas(schema: unknown, own: OwnWord, parts: SchemaParts): readonly unknown[] | undefined {
  const said = saidBy(schema, own, parts)
  return said && effective(said)
}

function saidBy(schema: unknown, own: OwnWord, parts: SchemaParts): SaidOfMember | undefined {
  if (!isJsonObject(schema) || parts.left-- <= 0) return undefined
  const all = [own(schema)]
  if (typeof schema.$ref === 'string') all.push(saidBy(parts.resolve(schema.$ref), own, parts))
  for (const part of listOf(schema.allOf)) all.push(saidBy(part, own, parts))
  let said = together(all)
  for (const keyword of ['anyOf', 'oneOf']) {
    const fitting = listOf(schema[keyword]).filter((branch) => parts.mayHaveMembers(branch))
    const branches = fitting.map((branch) => saidBy(branch, own, parts))
    const saying = branches.filter((branch) => branch !== undefined)
    if (saying.length > 0 && (said || saying.length === branches.length)) said = together([said, union(saying)])
  }
  return said
}

function together(all: readonly (SaidOfMember | undefined)[]): SaidOfMember | undefined {
  const said = all.filter((one) => one !== undefined)
  if (said.length <= 1) return said[0]
  return { named: said.flatMap(({ named }) => named), unnamed: said.flatMap(({ unnamed }) => unnamed) }
}

/** A member that one branch names may be that of another, which has no name for it. */
function union(branches: readonly SaidOfMember[]): SaidOfMember {
  const schemas = branches.flatMap(effective)
  const isNamed = branches.some(({ named }) => named.length > 0)
  return isNamed ? { named: schemas, unnamed: [] } : { named: [], unnamed: schemas }
}

function effective({ named, unnamed }: SaidOfMember): readonly unknown[] {
  return named.length > 0 ? named : unnamed
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}
