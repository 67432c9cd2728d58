import { isJsonObject, type JsonObject, type JsonValue } from '../../../conversation/index.ts'
import { listOf } from '../values/lists.ts'

/**
 * The keyword of schemas that are made here. True: names of members only constrain those, and do not say which members an
 * object has, so they do not close it. False: a part of the schema says which, although none of those may be there. No
 * schema from outside has it.
 */
export const openKeyword = '\u0000open'

/** The schema of an object whose names of members leave others as they are. */
export function opened(schema: JsonValue): JsonValue {
  return isJsonObject(schema) && namesMembers(schema) ? { ...schema, [openKeyword]: true } : schema
}

/** True for a schema that says which members an object has. One that only rules some out says nothing of others. */
export function declaresMembers(schema: JsonObject): boolean {
  const isOpen = schema[openKeyword]
  return typeof isOpen === 'boolean' ? !isOpen : namesMembers(schema)
}

/** Sets the keyword of a schema that was merged from two: what one of them declares is declared. */
export function setOpen(merged: JsonObject, one: JsonObject, other: JsonObject): void {
  const isDeclared = declaresMembers(one) || declaresMembers(other)
  if (isDeclared && !namesMembers(merged)) merged[openKeyword] = false
  else if (isDeclared) delete merged[openKeyword]
}

function namesMembers({ properties, patternProperties, required }: JsonObject): boolean {
  const hasPatterns = isJsonObject(patternProperties) && Object.keys(patternProperties).length > 0
  const schemas = isJsonObject(properties) ? Object.values(properties) : undefined
  const hasNames = schemas !== undefined && (schemas.length === 0 || schemas.some((schema) => schema !== false))
  return hasNames || hasPatterns || listOf(required).some((key) => typeof key === 'string')
}
