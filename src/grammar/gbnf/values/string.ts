import type { JsonObject } from '../../../conversation/index.ts'
import { CharSet } from '../../regex/chars.ts'
import { formatSource } from '../../schema/values/formats.ts'
import { type StringFacets, shown, stringFacets, stringLanguage } from '../../schema/values/strings.ts'
import { charsOf, type Gbnf, repeat } from '../gbnf.ts'
import { languageGbnf } from '../language.ts'
import type { GbnfRules } from '../rules.ts'
import { regexOf } from '../schema-regex.ts'
import { embedded, grammarOfString } from './string-grammar.ts'

/** Formats are longer than patterns from outside may be. */
const longestFormat = 10_000

const formatContents = new Map<string, Gbnf | undefined>()

/** A string of a format; undefined if the format has no regular expression. */
function formatContent(format: string): Gbnf | undefined {
  const source = formatSource(format)
  if (source === undefined) return undefined
  const found = formatContents.get(format) ?? regexOf(source, longestFormat)
  formatContents.set(format, found)
  return found
}

/**
 * The texts that a string schema admits, without quotes; undefined if it admits any. Constraints that are not expressed
 * are reported as notices.
 */
export function stringContent(schema: JsonObject, rules: GbnfRules): Gbnf | undefined {
  const grammar = grammarOfString(schema)
  if (grammar) return embedded(grammar, rules)
  const facets = stringFacets(schema)
  const known = { ...facets, formats: facets.formats.filter((format) => formatSource(format) !== undefined) }
  for (const format of facets.formats) {
    if (!known.formats.includes(format)) rules.notice(`the format "${shown(format)}" is not expressed`)
  }
  return simpleContent(known) ?? rules.once(`string content ${JSON.stringify(known)}`, () => mixedContent(known, rules))
}

/** The content of a string with a single constraint: a length, a pattern or a format. */
function simpleContent({ patterns, formats, not, min, max }: StringFacets): Gbnf | undefined {
  const hasLength = min > 0 || max < Number.POSITIVE_INFINITY
  if (not.length > 0 || patterns.length + formats.length > 1) return undefined
  const [pattern] = patterns
  const [format] = formats
  if (pattern === undefined && format === undefined)
    return hasLength && max >= min ? ofLength(anyChar, min, max) : undefined
  const found = pattern === undefined ? formatContent(format ?? '') : regexOf(pattern)
  if (!hasLength || !found) return found
  // Characters of one kind are counted as any are.
  if (found.type !== 'repeat' || found.of.type !== 'chars') return undefined
  const [least, most] = [Math.max(min, found.min), Math.min(max, found.max ?? max)]
  return most < least ? undefined : ofLength(found.of, least, most)
}

const anyChar = charsOf(CharSet.all)

function ofLength(char: Gbnf, min: number, max: number): Gbnf {
  return repeat(char, min, max === Number.POSITIVE_INFINITY ? undefined : max)
}

function mixedContent(facets: StringFacets, rules: GbnfRules): Gbnf | undefined {
  const { language, missing } = stringLanguage(facets)
  for (const what of missing) rules.notice(`${what} is not expressed`)
  if (language.isEmpty) rules.notice('no string fits all keywords: any string is allowed')
  return language.isAll ? undefined : languageGbnf(language, 'text', rules)
}
