import { isJsonObject, type JsonObject } from '../../conversation/index.ts'

/** What one schema by itself says of a member: the schemas of one that it names, and of those that it has no names for. */
export interface SaidOfMember {
  named: readonly unknown[]
  unnamed: readonly unknown[]
}

/** What a schema object says of a member; undefined where it says nothing of members at all. */
export type OwnWord = (schema: JsonObject) => SaidOfMember | undefined

const nothing: SaidOfMember = { named: [], unnamed: [] }

/** Of a member of an object. A schema that names members and not this one has no place for it. */
export function saidOfProperty(key: string): OwnWord {
  return ({ properties, additionalProperties: rest }) => {
    if (isJsonObject(properties) && Object.hasOwn(properties, key)) return { named: [properties[key]], unnamed: [] }
    if (rest === true || isJsonObject(rest)) return { named: [], unnamed: [rest] }
    return isJsonObject(properties) || rest === false ? nothing : undefined
  }
}

/** Of an element of an array. Those of tuples are rare in tools and may be anything. */
export const saidOfItem: OwnWord = ({ items, prefixItems }) => {
  if (Array.isArray(prefixItems)) return { named: [true], unnamed: [] }
  return isJsonObject(items) ? { named: [items], unnamed: [] } : undefined
}

/** How the parts of a schema are found. */
export interface SchemaParts {
  resolve(reference: string): unknown
  /** Whether a value that has members of the kind in question fits a branch. */
  mayHaveMembers(branch: unknown): boolean
  /** How many schemas may be looked at. */
  left: number
}

/**
 * The schemas of a member, from a schema and all that it is combined from: several are alternatives. Undefined where it may be anything:
 * nothing is said of it, or a branch of a union says nothing that what stands beside the union does not say.
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
