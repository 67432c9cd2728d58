import type { JsonObject } from '../../conversation/index.ts'
import { readObject, readOptionalNumber } from '../fields.ts'

/**
 * Reads an object of the API. Its members have camel-case names in JSON; the API takes the names of its protocol buffers as well, with
 * underscores, and many clients send those.
 */
export function readFields(value: unknown, path: string): JsonObject {
  const fields = readObject(value, path)
  const names = Object.keys(fields)
  if (!names.some((name) => name.includes('_'))) return fields
  return Object.fromEntries(names.map((name) => [camelCase(name), fields[name]]))
}

/** Reads an object that may be absent; empty then. */
export function readOptionalFields(value: unknown, path: string): JsonObject {
  return value === undefined || value === null ? {} : readFields(value, path)
}

/** Reads a number; protocol buffers write large whole numbers as text. */
export function readOptionalCount(value: unknown, path: string): number | undefined {
  return readOptionalNumber(typeof value === 'string' && /^-?\d{1,15}$/.test(value) ? Number(value) : value, path)
}

function camelCase(name: string): string {
  // A leading underscore belongs to the name: older clients send `_responseJsonSchema`.
  return name.replace(/(?<=[^_])_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())
}
