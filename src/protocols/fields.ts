import { AnycallError, isJsonObject, type JsonObject } from '../conversation/index.ts'

// Readers of a request's fields. `path` names the field in the error: `messages[2].content`.

/** Returns the error for a field with an invalid value. */
export function invalid(path: string, problem: string): AnycallError {
  return new AnycallError('invalid-request', `${path}: ${problem}`, { param: path })
}

/** Returns an object, or throws an AnycallError `invalid-request`. */
export function readObject(value: unknown, path: string): JsonObject {
  if (!isJsonObject(value)) throw invalid(path, `expected an object, got ${kindOf(value)}`)
  return value
}

/** Returns an array, or throws an AnycallError `invalid-request`. */
export function readArray(value: unknown, path: string): unknown[] {
  if (!Array.isArray(value)) throw invalid(path, `expected an array, got ${kindOf(value)}`)
  return value
}

/** Returns a string, or throws an AnycallError `invalid-request`. */
export function readString(value: unknown, path: string): string {
  if (typeof value !== 'string') throw invalid(path, `expected a string, got ${kindOf(value)}`)
  return value
}

/** Returns a number, or undefined if the field is absent or null. */
export function readOptionalNumber(value: unknown, path: string): number | undefined {
  if (value === undefined || value === null) return undefined
  if (typeof value !== 'number' || !Number.isFinite(value)) {
    throw invalid(path, `expected a number, got ${kindOf(value)}`)
  }
  return value
}

/** Returns a string, or undefined if the field is absent or null. */
export function readOptionalString(value: unknown, path: string): string | undefined {
  return value === undefined || value === null ? undefined : readString(value, path)
}

/** Returns a boolean, or undefined if the field is absent or null. */
export function readOptionalBoolean(value: unknown, path: string): boolean | undefined {
  if (value === undefined || value === null) return undefined
  if (typeof value !== 'boolean') throw invalid(path, `expected true or false, got ${kindOf(value)}`)
  return value
}

/** Returns `record` without undefined entries, as `exactOptionalPropertyTypes` requires for optional fields. */
export function defined<T extends object>(record: { [K in keyof T]: T[K] | undefined }): T {
  const result: Partial<T> = {}
  for (const key of Object.keys(record) as (keyof T)[]) {
    const value = record[key]
    if (value !== undefined) result[key] = value
  }
  return result as T
}

/** Names the kind of a value, for an error message. */
export function kindOf(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'an array'
  return typeof value === 'object' ? 'an object' : `the ${typeof value} ${JSON.stringify(value).slice(0, 40)}`
}
