import { isJsonObject, type JsonObject, type JsonValue } from '../../src/conversation/index.ts'

/** Fields of values that came from a server; the functions fail if a type is wrong. */

export function objectOf(value: unknown): JsonObject {
  if (!isJsonObject(value)) throw new Error(`expected an object, got ${JSON.stringify(value)}`)
  return value
}

export function arrayOf(value: JsonValue | undefined): JsonValue[] {
  if (!Array.isArray(value)) throw new Error(`expected an array, got ${JSON.stringify(value)}`)
  return value
}

export function textOf(value: JsonValue | undefined): string {
  if (typeof value !== 'string') throw new Error(`expected a string, got ${JSON.stringify(value)}`)
  return value
}
