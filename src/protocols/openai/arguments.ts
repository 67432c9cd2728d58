import { invalid, readObject } from '../fields.ts'

/**
 * Returns the arguments as they were sent, even if they are not JSON: according to the client, the model wrote them.
 */
export function readArguments(value: unknown, path: string): string {
  if (value === undefined || value === null) return '{}'
  if (typeof value === 'string') return value.trim() === '' ? '{}' : value
  const object = readObject(value, path)
  try {
    return JSON.stringify(object)
  } catch (cause) {
    // JSON.parse reads any depth, JSON.stringify does not.
    if (cause instanceof RangeError) throw invalid(path, 'is nested too deeply; send the arguments as JSON text')
    throw cause
  }
}
