import type { JsonValue } from '../../../conversation/index.ts'

/** The values of a list; empty if it is not a list. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

/** The values of a list; any other value is a list of itself. */
export function asList(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? value : value === undefined ? [] : [value]
}
