/** Longer texts are not checked: no format has texts of this length. */
const longest = 1000

const date = String.raw`\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])`
const time = String.raw`(?:[01]\d|2[0-3]):[0-5]\d:(?:[0-5]\d|60)(?:\.\d{1,20})?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)`
const byte = String.raw`(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)`
const hexadecimal = '[0-9a-f]'

/** Formats of JSON Schema that a regular expression without neighbouring repetitions recognises. */
const formats: Readonly<Record<string, { noun: string; pattern: RegExp }>> = {
  date: { noun: 'date, as 2024-01-31', pattern: whole(date) },
  time: { noun: 'time, as 12:30:00Z', pattern: whole(time) },
  'date-time': { noun: 'time with its date, as 2024-01-31T12:30:00Z', pattern: whole(`${date}[T ]${time}`) },
  email: { noun: 'email address', pattern: /^[^\s@]+@[^\s@]+$/ },
  ipv4: { noun: 'IPv4 address', pattern: whole(`${byte}(?:\\.${byte}){3}`) },
  uuid: {
    noun: 'UUID',
    pattern: whole(`${hexadecimal}{8}-${hexadecimal}{4}-${hexadecimal}{4}-${hexadecimal}{4}-${hexadecimal}{12}`),
  },
}

function whole(source: string): RegExp {
  return new RegExp(`^${source}$`, 'i')
}

/** Returns the violation of a `format`. Undefined if there is none, `unknown` if it cannot be decided. */
export function formatFault(format: string, value: string): { message: string } | 'unknown' | undefined {
  const known = Object.hasOwn(formats, format) ? formats[format] : undefined
  if (!known || value.length > longest) return 'unknown'
  return known.pattern.test(value) ? undefined : { message: `is no ${known.noun}` }
}
