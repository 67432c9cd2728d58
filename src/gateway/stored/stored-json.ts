import { isJsonObject, type JsonObject } from '../../conversation/index.ts'

/** Returns the object that a store holds as JSON; an empty one for another value. */
export function objectIn(json: string): JsonObject {
  const value: unknown = JSON.parse(json)
  return isJsonObject(value) ? value : {}
}

/** Returns the list that a store holds as JSON; an empty one for another value. */
export function listIn(json: string): unknown[] {
  const value: unknown = JSON.parse(json)
  return Array.isArray(value) ? value : []
}
