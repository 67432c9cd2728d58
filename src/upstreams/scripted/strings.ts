import type { JsonObject } from '../../conversation/index.ts'
import type { ClueScope } from './clue-scope.ts'
import type { ClueKind } from './clues.ts'
import { nameParts } from './words.ts'

/** What a string property holds, told by its name or format, and where the text may give it. */
interface StringKind {
  kind: string
  /** Parts of the property's name that tell it: `file_path` has `file` and `path`. */
  parts: ReadonlySet<string>
  /** The formats that tell it, and what a text of each looks like. */
  formats?: Readonly<Record<string, RegExp>>
  /** The kinds of clue that may be it, the likeliest first. */
  clues: readonly ClueKind[]
  /** True when a clue of the first kind surely is this property, so that it is taken for an optional one too. */
  sure: boolean
  /** What is written when the text gives nothing. */
  fallback: string
}

const none: ReadonlySet<string> = new Set()
const named = (list: string): ReadonlySet<string> => new Set(list.split(' '))

/** The first row that matches holds. */
const stringKinds: readonly StringKind[] = [
  {
    kind: 'command',
    parts: named('command cmd script'),
    clues: ['code', 'quoted'],
    sure: true,
    fallback: 'echo anycall',
  },
  {
    kind: 'label',
    parts: named('description explanation reason justification purpose label'),
    clues: [],
    sure: false,
    fallback: 'Asked for by the user',
  },
  {
    kind: 'url',
    parts: named('url uri link href website'),
    formats: { uri: /^https?:\/\/[^\s/]/i, url: /^https?:\/\/[^\s/]/i },
    clues: ['url', 'quoted'],
    sure: true,
    fallback: 'https://example.com/',
  },
  {
    kind: 'path',
    parts: named('path file filename filepath dir directory folder cwd workdir'),
    clues: ['path', 'code', 'quoted'],
    sure: true,
    fallback: '/tmp/example.txt',
  },
  {
    kind: 'email',
    parts: named('email mail'),
    formats: { email: /^[\w.+-]+@[\w-]+(?:\.[\w-]+)+$/ },
    clues: ['email'],
    sure: true,
    fallback: 'someone@example.com',
  },
  {
    kind: 'date',
    parts: named('date day'),
    formats: { date: /^\d{4}-\d\d-\d\d$/ },
    clues: ['date'],
    sure: true,
    fallback: '2026-01-01',
  },
  {
    kind: 'instant',
    parts: named('datetime'),
    formats: { 'date-time': /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/ },
    clues: ['date'],
    sure: false,
    fallback: '2026-01-01T12:00:00Z',
  },
  {
    kind: 'time',
    parts: none,
    formats: { time: /^\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/ },
    clues: [],
    sure: false,
    fallback: '12:00:00Z',
  },
  {
    kind: 'uuid',
    parts: named('uuid guid'),
    formats: { uuid: /^[\da-f]{8}-[\da-f]{4}-[1-8][\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/i },
    clues: [],
    sure: false,
    fallback: '00000000-0000-4000-8000-000000000000',
  },
  {
    kind: 'place',
    parts: named('city location place town country origin destination address region where'),
    clues: ['name', 'quoted'],
    sure: true,
    fallback: 'Paris',
  },
  {
    kind: 'name',
    parts: named(
      'name person author owner assignee recipient sender from to user username company product title subject',
    ),
    clues: ['quoted', 'email', 'name'],
    sure: false,
    fallback: 'example',
  },
]

const freeText: StringKind = { kind: 'text', parts: none, clues: ['quoted'], sure: false, fallback: 'example' }

/** A query is about something; any other free text is what is to be said. */
const queryParts = named('query q search topic keyword keywords term')
const subject = /\b(?:about|for|of)\s+([^.!?\n\u0000]+)/i
const message = /\b(?:saying|that\s+says)\s+([^.!?\n\u0000]+)/i

/** Properties that come after a small word: "from Paris to Rome". */
const prepositions: readonly { parts: ReadonlySet<string>; word: string }[] = [
  { parts: named('origin from source start departure sender'), word: 'from' },
  { parts: named('destination to target arrival recipient'), word: 'to' },
]

export function stringKindOf(key: string, schema: JsonObject): StringKind {
  const parts = nameParts(key).flatMap((part) => [part, part.replace(/ies$/, 'y'), part.replace(/s$/, '')])
  return (
    stringKinds.find((row) => formatOf(row, schema) !== undefined) ??
    stringKinds.find((row) => parts.some((part) => row.parts.has(part))) ??
    freeText
  )
}

/** Whether a text may stand where the schema asks for a format. */
export function fitsFormat(text: string, schema: JsonObject): boolean {
  return stringKinds.every((row) => formatOf(row, schema)?.test(text) ?? true)
}

function formatOf({ formats }: StringKind, schema: JsonObject): RegExp | undefined {
  const { format } = schema
  return typeof format === 'string' && formats !== undefined && Object.hasOwn(formats, format)
    ? formats[format]
    : undefined
}

/** The value that the text gives for a property; for one that is not wanted, only where it surely is meant. */
export function clearlyGiven(key: string, schema: JsonObject, scope: ClueScope, wanted: boolean): string | undefined {
  const row = stringKindOf(key, schema)
  const parts = nameParts(key)
  for (const { parts: names, word } of prepositions) {
    const name = parts.some((part) => names.has(part)) ? scope.takeNameAfter(word) : undefined
    if (name !== undefined) return name
  }
  for (const clue of wanted ? row.clues : row.sure ? row.clues.slice(0, 1) : []) {
    const text = scope.take(clue)
    if (text !== undefined && fitsFormat(text, schema)) return text
  }
  if (!wanted) return undefined
  if (row.kind === 'command') return afterVerb(scope.masked)
  if (row.kind === 'place') return afterPreposition(scope.masked)
  return undefined
}

/** A value for a required property about which the text says nothing by itself. */
export function plausibleString(key: string, schema: JsonObject, scope: ClueScope): string {
  const row = stringKindOf(key, schema)
  if (row.kind !== 'text') return row.fallback
  const masked = scope.masked
  if (
    scope.lastResult !== undefined &&
    /\b(?:it|its|their|the|that)(?:\s+(?:output|results?|contents?|text|answer))?\b/i.test(masked)
  ) {
    return scope.lastResult
  }
  const isQuery = nameParts(key).some((part) => queryParts.has(part))
  const about = (isQuery ? subject : message).exec(masked)?.[1]
  const text = (about ?? scope.text).replace(/\s+/g, ' ').trim()
  return text === '' ? row.fallback : shorten(text, 200)
}

/** What follows "run" or "execute", up to the end of the clause. */
function afterVerb(text: string): string | undefined {
  const clause =
    /\b(?:run|execute)\s+(?:the\s+)?(?:(?:shell|bash|following)\s+)?(?:(?:command|script)\s*)?:?\s*([^\n\u0000]+)/i.exec(
      text,
    )?.[1]
  const command = clause?.split(/,?\s+(?:and|then|with|using)\s|[.!?;](?:\s|$)/)[0]?.trim()
  return command === '' ? undefined : command
}

/** `weather in paris`: the word after the preposition, where no word has a capital. */
function afterPreposition(text: string): string | undefined {
  return /\b(?:in|for|at|near)\s+(?!the\b|a\b|an\b|me\b|my\b)([\p{L}][\p{L}-]{2,})/iu.exec(text)?.[1]
}

export function shorten(text: string, length: number): string {
  const characters = [...text.slice(0, length * 2)]
  if (characters.length <= length && text.length <= length * 2) return text
  return `${characters.slice(0, length).join('').trimEnd()}…`
}
