import type { JsonObject } from '../../../conversation/index.ts'
import { CharSet } from '../../regex/chars.ts'
import { charsOf, type Gbnf, repeat } from '../gbnf.ts'
import { type GbnfRules, repetitionLimit } from '../rules.ts'
import { regexOf } from '../schema-regex.ts'

const year = '[0-9]{4}'
const leapYear = '(?:[0-9]{2}(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)'
const date = `(?:${year}-(?:(?:01|03|05|07|08|10|12)-(?:0[1-9]|[12][0-9]|3[01])|(?:04|06|09|11)-(?:0[1-9]|[12][0-9]|30)|02-(?:0[1-9]|1[0-9]|2[0-8]))|${leapYear}-02-29)`
const clock = '(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](?:\\.[0-9]{1,9})?'
const leapSecond = '23:59:60(?:\\.[0-9]{1,9})?Z'
const offset = '(?:Z|[+-](?:[01][0-9]|2[0-3]):[0-5][0-9])'
const label = '[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?'
const byte = '(?:25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])'

/**
 * Formats of strings as regular expressions. Dates and times are those of RFC 3339, leap seconds in UTC alone; addresses are
 * the common ones.
 */
const formats: ReadonlyMap<string, string> = new Map([
  ['date', date],
  ['time', `(?:${clock}${offset}|${leapSecond})`],
  ['date-time', `${date}T(?:${clock}${offset}|${leapSecond})`],
  ['uuid', '[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}'],
  ['email', `[A-Za-z0-9_+'-]{1,40}(?:\\.[A-Za-z0-9_+'-]{1,20}){0,3}@${label}(?:\\.${label}){0,4}`],
  ['ipv4', `${byte}\\.${byte}\\.${byte}\\.${byte}`],
  ['hostname', `${label}(?:\\.${label}){0,5}`],
])

const formatContents = new Map<string, Gbnf | undefined>()

/** A string of a format; undefined where it has no expression. */
function formatContent(format: string): Gbnf | undefined {
  const source = formats.get(format)
  if (source === undefined) return undefined
  const found = formatContents.get(format) ?? regexOf(`^${source}$`)
  formatContents.set(format, found)
  return found
}

/** What a string may be, as text without quotes; undefined where it may be any. What is not expressed is told. */
export function stringContent(schema: JsonObject, rules: GbnfRules): Gbnf | undefined {
  const { pattern, format, minLength, maxLength } = schema
  const hasLength = (typeof minLength === 'number' && minLength > 0) || typeof maxLength === 'number'
  if (typeof pattern === 'string') {
    const found = regexOf(pattern)
    if (found) {
      if (hasLength) rules.notice('the length of a string that has a pattern is not expressed')
      if (typeof format === 'string')
        rules.notice(`the format "${format}" of a string that has a pattern is not expressed`)
      return found
    }
    rules.notice(`the pattern ${shown(pattern)} is not expressed`)
  }
  if (typeof format === 'string') {
    const found = formatContent(format)
    if (found) {
      if (hasLength) rules.notice(`the length of a string of the format "${format}" is not expressed`)
      return found
    }
    rules.notice(`the format "${shown(format)}" is not expressed`)
  }
  return hasLength ? ofLength(lengthOf(minLength, 0), lengthOf(maxLength, Number.POSITIVE_INFINITY), rules) : undefined
}

/** Any text of a length in code points. */
function ofLength(min: number, max: number, rules: GbnfRules): Gbnf {
  const any = charsOf(CharSet.all)
  // Characters that must be escaped make a group of each.
  const limit = repetitionLimit({ type: 'choice', of: [any, any, any, any] })
  if (min > limit)
    rules.notice(`strings of at least ${min} characters may be shorter: no engine counts beyond ${limit}`)
  if (max > limit && max !== Number.POSITIVE_INFINITY) {
    rules.notice(`strings of at most ${max} characters may be longer: no engine counts beyond ${limit}`)
  }
  if (max < min) rules.notice(`no string has at least ${min} and at most ${max} characters: it may have more`)
  return repeat(any, Math.min(min, limit), max > limit || max < min ? undefined : max)
}

function lengthOf(value: unknown, otherwise: number): number {
  return typeof value === 'number' && value >= 0 ? Math.floor(value) : otherwise
}

function shown(text: string): string {
  return text.length > 60 ? `${text.slice(0, 60)}…` : text
}
