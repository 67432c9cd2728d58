import type { JsonObject, Notice } from '../../conversation/index.ts'
import { invalid, readOptionalNumber } from '../fields.ts'

/** A field of an API that anycall does not support. */
export interface IgnoredField {
  /** True if this value asks for something that the reply will not have. */
  asks(value: unknown): boolean
  consequence: string
}

/** Any value asks for it. */
export const always = (): boolean => true

/** The most unknown fields that a notice names. */
const maxNamedFields = 20

/** Reports the fields that have no effect. */
export function reportFields(
  body: JsonObject,
  knownFields: ReadonlySet<string>,
  ignoredFields: ReadonlyMap<string, IgnoredField>,
  notices: Notice[],
): void {
  const unknown: string[] = []
  for (const [field, value] of Object.entries(body)) {
    if (value === null || value === undefined || knownFields.has(field)) continue
    const ignored = ignoredFields.get(field)
    if (ignored === undefined) unknown.push(field)
    else if (ignored.asks(value)) {
      notices.push({ code: 'field-ignored', message: `${field}: ignored; ${ignored.consequence}.` })
    }
  }
  if (unknown.length === 0) return
  const named = unknown.slice(0, maxNamedFields).join(', ')
  const more = unknown.length > maxNamedFields ? ` and ${unknown.length - maxNamedFields} more` : ''
  notices.push({ code: 'field-unknown', message: `Fields that anycall does not know were ignored: ${named}${more}.` })
}

/** Reads a bound on the reply's tokens; undefined if there is none. */
export function readTokenLimit(value: unknown, path: string): number | undefined {
  const limit = readOptionalNumber(value, path)
  // Clients made for llama.cpp and LM Studio send -1 for "no bound".
  if (limit === undefined || limit === -1) return undefined
  if (!Number.isInteger(limit) || limit < 1) throw invalid(path, `expected a whole number of at least 1, got ${limit}`)
  return limit
}
