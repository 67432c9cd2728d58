import type { Language } from '../../language/language.ts'
import { patternLanguage } from '../../language/pattern.ts'

const year = '[0-9]{4}'
const leapYear = '(?:[0-9]{2}(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)'
const date = `(?:${year}-(?:(?:01|03|05|07|08|10|12)-(?:0[1-9]|[12][0-9]|3[01])|(?:04|06|09|11)-(?:0[1-9]|[12][0-9]|30)|02-(?:0[1-9]|1[0-9]|2[0-8]))|${leapYear}-02-29)`
const clock = '(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](?:\\.[0-9]{1,9})?'
const leapSecond = '23:59:60(?:\\.[0-9]{1,9})?Z'
const offset = '(?:Z|[+-](?:[01][0-9]|2[0-3]):[0-5][0-9])'
const label = '[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?'
const byte = '(?:25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])'
const ipv4 = `${byte}\\.${byte}\\.${byte}\\.${byte}`

const group = '[0-9A-Fa-f]{1,4}'
/** The last 32 bits: two groups, or an IPv4 address. */
const last = `(?:${group}:${group}|${ipv4})`
/** RFC 4291: `::` replaces one or more groups of zeros, once. */
const ipv6 = [
  `(?:${group}:){6}${last}`,
  ...[5, 4, 3, 2, 1, 0].map(
    (after) => `(?:(?:${group}:){0,${5 - after - 1}}${group})?::(?:${group}:){${after}}${last}`,
  ),
  `(?:(?:${group}:){0,5}${group})?::${group}`,
  `(?:(?:${group}:){0,6}${group})?::`,
]
  .map((one) =>
    one.replace('{0,-1}', '{0}').replace(`(?:(?:${group}:){0}${group})?::(?:${group}:){5}`, `::(?:${group}:){5}`),
  )
  .join('|')

/** RFC 3986, except a scheme with nothing after it, which many validators refuse. */
const escaped = '%[0-9A-Fa-f]{2}'
const pathChar = `(?:[A-Za-z0-9._~!$&'()*+,;=:@-]|${escaped})`
const query = `(?:\\?(?:${pathChar}|[/?])*)?`
const fragment = `(?:#(?:${pathChar}|[/?])*)?`
const authority = `(?:(?:[A-Za-z0-9._~!$&'()*+,;=:-]|${escaped})*@)?(?:(?:[A-Za-z0-9._~!$&'()*+,;=-]|${escaped})*|\\[(?:${ipv6})\\])(?::[0-9]*)?`
const scheme = '[A-Za-z][A-Za-z0-9+.-]*'
const rooted = `//${authority}(?:/${pathChar}*)*`
const uri = `${scheme}:(?:${rooted}|/(?:${pathChar}+(?:/${pathChar}*)*)?|${pathChar}+(?:/${pathChar}*)*)${query}${fragment}`
const firstSegment = `(?:[A-Za-z0-9._~!$&'()*+,;=@-]|${escaped})+`
const relative = `(?:${rooted}|/(?:${pathChar}+(?:/${pathChar}*)*)?|${firstSegment}(?:/${pathChar}*)*|)${query}${fragment}`

/** ISO 8601, as in appendix A of RFC 3339. */
const inDay = '(?:[0-9]+H(?:[0-9]+M(?:[0-9]+S)?)?|[0-9]+M(?:[0-9]+S)?|[0-9]+S)'
const inYear = '(?:[0-9]+Y(?:[0-9]+M(?:[0-9]+D)?)?|[0-9]+M(?:[0-9]+D)?|[0-9]+D)'
const duration = `P(?:[0-9]+W|${inYear}(?:T${inDay})?|T${inDay})`

const pointer = '(?:/(?:[^~/]|~[01])*)*'

/**
 * Formats of strings as regular expressions of the whole string. Dates and times are those of RFC 3339, leap seconds in UTC alone; addresses of
 * people are the common ones.
 */
const formats: ReadonlyMap<string, string> = new Map([
  ['date', date],
  ['time', `(?:${clock}${offset}|${leapSecond})`],
  ['date-time', `${date}T(?:${clock}${offset}|${leapSecond})`],
  ['duration', duration],
  ['uuid', '[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}'],
  ['email', `[A-Za-z0-9_+'-]{1,40}(?:\\.[A-Za-z0-9_+'-]{1,20}){0,3}@${label}(?:\\.${label}){0,4}`],
  ['ipv4', ipv4],
  ['ipv6', `(?:${ipv6})`],
  ['hostname', `${label}(?:\\.${label}){0,5}`],
  ['uri', uri],
  ['uri-reference', `(?:${uri}|${relative})`],
  ['json-pointer', pointer],
  ['relative-json-pointer', `(?:0|[1-9][0-9]*)(?:#|${pointer})`],
])

/** The regular expression of a format; undefined if it has none. */
export function formatSource(format: string): string | undefined {
  const source = formats.get(format)
  return source === undefined ? undefined : `^(?:${source})$`
}

/** The strings of a format; undefined if the format is unknown. */
export function formatLanguage(format: string): Language | undefined {
  const source = formatSource(format)
  if (source === undefined) return undefined
  return patternLanguage(source, Number.POSITIVE_INFINITY)
}
