import { isJsonObject, type JsonObject, type JsonValue, RecentMap } from '../../../conversation/index.ts'
import { Language, orUndefined } from '../../language/language.ts'
import { patternLanguage } from '../../language/pattern.ts'
import { constantsOf } from './constants.ts'
import { formatLanguage } from './formats.ts'
import { asList } from './lists.ts'

/**
 * The constraints that a schema sets on strings. Each of the patterns and formats must hold, and none of the schemas of
 * `not`.
 */
export interface StringFacets {
  patterns: readonly string[]
  formats: readonly string[]
  min: number
  max: number
  not: readonly JsonValue[]
}

/** Reads those constraints. Merged schemas have lists if several patterns must hold. */
export function stringFacets({ pattern, format, minLength, maxLength, not }: JsonObject): StringFacets {
  return {
    patterns: asList(pattern).filter((one) => typeof one === 'string'),
    formats: asList(format).filter((one) => typeof one === 'string'),
    min: lengthOf(minLength, 0),
    max: lengthOf(maxLength, Number.POSITIVE_INFINITY),
    not: asList(not),
  }
}

function lengthOf(value: unknown, otherwise: number): number {
  return typeof value === 'number' && value >= 0 ? Math.floor(value) : otherwise
}

/** The strings of a schema, and the constraints that they leave out, so that they are more. */
export interface StringLanguage {
  language: Language
  missing: readonly string[]
}

/** Results for strings: the same strings are requested in each combination of the schemas around them. */
const known = new RecentMap<string, StringLanguage>(300)
const longestKey = 4000
const mostKnownStates = 300

/** The strings that facets admit. What takes too many states is left out. */
export function stringLanguage(facets: StringFacets): StringLanguage {
  const key = JSON.stringify([facets.patterns, facets.formats, facets.min, facets.max, facets.not])
  const found = known.get(key) ?? makeLanguage(facets)
  const isSmall = key.length <= longestKey && found.language.states.length <= mostKnownStates
  // A result with missing parts is not cached: another grammar may have more steps left for them.
  if (isSmall && found.missing.length === 0) known.set(key, found)
  return found
}

function makeLanguage({ patterns, formats, min, max, not }: StringFacets): StringLanguage {
  let language = Language.all
  const missing: string[] = []
  const narrow = (what: string, make: () => Language | undefined): void => {
    const found = orUndefined(make)
    if (found) language = found
    else missing.push(what)
  }
  for (const pattern of patterns) {
    narrow(`the pattern ${shown(pattern)}`, () => {
      const found = patternLanguage(pattern)
      return found && language.and(found)
    })
  }
  for (const format of formats) {
    narrow(`the format "${shown(format)}"`, () => {
      const found = formatLanguage(format)
      return found && language.and(found)
    })
  }
  for (const one of not) {
    narrow('"not"', () => {
      const found = stringsOf(one)
      return found && language.without(found)
    })
  }
  const limited = language
  narrow('the length of a string that has a pattern, a format or "not"', () => limited.ofLength(min, max))
  return { language, missing }
}

/** Keywords whose constraints on strings are not read. */
const combining = ['$ref', '$dynamicRef', '$recursiveRef', 'allOf', 'oneOf', 'if'] as const

/**
 * Exactly the strings that a schema of constants, patterns, formats and lengths admits; undefined if the schema has
 * other constraints, or too large ones.
 */
export function stringsOf(schema: JsonValue): Language | undefined {
  if (schema === true) return Language.all
  if (schema === false) return Language.none
  if (!isJsonObject(schema) || combining.some((keyword) => keyword in schema)) return undefined
  if (Array.isArray(schema.anyOf)) {
    const parts = schema.anyOf.map(stringsOf)
    const known = parts.filter((part) => part !== undefined)
    return known.length < parts.length ? undefined : known.reduce((all, one) => all.or(one), Language.none)
  }
  const types = asList(schema.type)
  if (types.length > 0 && !types.includes('string')) return Language.none
  const { language, missing } = stringLanguage(stringFacets(schema))
  if (missing.length > 0) return undefined
  const constants = constantsOf(schema)?.filter((one) => typeof one === 'string')
  return constants ? language.and(Language.of(constants)) : language
}

/** False if no string fits a schema. */
export function hasString(schema: JsonObject): boolean {
  const facets = stringFacets(schema)
  if (facets.max < facets.min) return false
  const { patterns, formats, not } = facets
  const isPlain = not.length === 0 && patterns.length + formats.length <= 1 && facets.max === Number.POSITIVE_INFINITY
  return isPlain || !stringLanguage(facets).language.isEmpty
}

/** Characters that are in no string of a grammar: `CharSet.all` has neither NUL nor half of a surrogate pair. */
const noText = /[\0\ud800-\udfff]/u

/** True if a string that a schema names fits the schema's other constraints; undefined if that cannot be determined. */
export function fitsFacets(text: string, schema: JsonObject): boolean | undefined {
  const { pattern, format, not } = schema
  // Nearly all constants are the only constraint of their schema, and a tool may name hundreds.
  if (pattern === undefined && format === undefined && not === undefined) return !noText.test(text)
  const { language, missing } = stringLanguage({ ...stringFacets(schema), min: 0, max: Number.POSITIVE_INFINITY })
  if (!language.has(text)) return false
  return missing.length === 0 ? true : undefined
}

export function shown(text: string): string {
  return text.length > 60 ? `${text.slice(0, 60)}…` : text
}
