import * as fc from 'fast-check'
import type { AssistantPart, JsonObject, Tool } from '../../../src/conversation/index.ts'
import { type Reading, type ReadingOptions, readPieces as readIn } from '../../../src/dialects/check/reading.ts'
import type { Dialect, PromptContext } from '../../../src/dialects/format/dialect.ts'

/** Generators of the texts and replies of the law tests: for tests only. */

export const promptContext: PromptContext = { trigger: '<<CALL_9f3a27c1>>' }
export const wrongTrigger = '<<CALL_00000000>>'

export {
  callsOf,
  mergeEvents,
  type ReadCall,
  type Reading,
  type ReadingOptions,
  type Span,
  textOf,
} from '../../../src/dialects/check/reading.ts'

/** Reads a text that comes in the pieces given, with the trigger of these tests. */
export function readPieces(dialect: Dialect, pieces: readonly string[], options: ReadingOptions = {}): Reading {
  return readIn(dialect, pieces, { ...(dialect.usesTrigger && promptContext), ...options })
}

/** Pieces of a text: cut anywhere, also between the halves of a surrogate pair. */
export function cut(text: string, places: readonly number[]): string[] {
  const ends = [...new Set([...places.map((place) => place % (text.length + 1)), text.length])].sort((a, b) => a - b)
  return ends.map((end, index) => text.slice(ends[index - 1] ?? 0, end))
}

/** Strings that have gone wrong somewhere, and pieces of the dialect's own marks. */
export function nastyString(dialect: Dialect): fc.Arbitrary<string> {
  const marks = dialect.example.match(/<\/?[^<>]*>?|>/g) ?? []
  const own = [...new Set([...marks, promptContext.trigger, wrongTrigger, dialect.example])]
  const fragments = [
    ...own,
    ...own.map((mark) => dialect.neutralise(mark, promptContext)),
    ...own.map((mark) => dialect.neutralise(dialect.neutralise(mark, promptContext), promptContext)),
    ...own.map((mark) => mark.toUpperCase()),
    ...own.map((mark) => mark.slice(0, Math.ceil(mark.length / 2))),
    ...[
      '<think>',
      '</think>',
      '</parameter>',
      '</invoke>',
      '<tools>',
      '<',
      '>',
      '}',
      '{',
      '[',
      ']',
      '"',
      "'",
      '\\',
      '&lt;',
    ],
    ...['\n', '\r\n', '\r', ' ', '\t', '  spaces ', '\u2060', '<\u2060', '```', '`', '~~~\n', '\n> ', ',', ':', '/'],
    ...[
      'null',
      'None',
      'true',
      '42',
      '01234',
      '"quoted"',
      '"a": 1',
      '[INFO]',
      '{x}',
      'é',
      '日本',
      '👍🏽',
      '\ud83d',
      '\udc4d',
    ],
    ...['\u2028', '\u00a0', '\u0000', '\\n', '\\u00e9', '$&', 'C:\\new\\users', 'a < b', '1e5', ''],
  ]
  const mixed = fc.array(fc.oneof(fc.constantFrom(...fragments), fc.string({ maxLength: 6 })), { maxLength: 6 })
  return fc.oneof(
    { weight: 1, arbitrary: fc.constantFrom(...fragments) },
    { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 20 }) },
    { weight: 3, arbitrary: mixed.map((parts) => parts.join('')) },
  )
}

/** A value as JSON text, with a schema that it fits. */
interface TypedJson {
  json: string
  schema: JsonObject | undefined
}

const keys = [
  'path',
  'user.name',
  'a b',
  '__proto__',
  'constructor',
  'toString',
  '$filter',
  'ключ',
  'a"b',
  '<k>',
  '',
  ' x ',
]
const numbers = ['0', '-0', '5', '-17', '3.25', '1e21', '12345678901234567890', '0.1', '1E-7']

function typedJson(strings: fc.Arbitrary<string>, depth: number): fc.Arbitrary<TypedJson> {
  const leaves: fc.Arbitrary<TypedJson>[] = [
    fc
      .tuple(strings, fc.constantFrom('string', ['string', 'null'], ['string', 'integer', 'object'], undefined))
      .map(([text, type]) => ({ json: JSON.stringify(text), schema: type === undefined ? undefined : { type } })),
    fc.tuple(fc.constantFrom(...numbers), fc.boolean()).map(([json, typed]) => ({
      json,
      schema: typed ? { type: 'number' } : undefined,
    })),
    fc.tuple(fc.constantFrom('true', 'false'), fc.boolean()).map(([json, typed]) => ({
      json,
      schema: typed ? { type: 'boolean' } : undefined,
    })),
    fc
      .constantFrom<(JsonObject | undefined)[]>(undefined, { type: 'null' }, { type: ['string', 'null'] })
      .map((schema) => ({ json: 'null', schema })),
  ]
  const leaf = fc.oneof(...leaves)
  if (depth === 0) return leaf
  const inner = typedJson(strings, depth - 1)
  return fc.oneof(
    { weight: 3, arbitrary: leaf },
    { weight: 1, arbitrary: fc.tuple(members(inner), fc.boolean()).map(([found, typed]) => objectOf(found, typed)) },
    {
      weight: 1,
      arbitrary: fc.tuple(fc.array(inner, { maxLength: 3 }), fc.boolean()).map(([items, typed]) => ({
        json: `[${items.map(({ json }) => json).join(',')}]`,
        schema: typed ? { type: 'array' } : undefined,
      })),
    },
  )
}

type Member = [key: string, value: TypedJson]

function members(value: fc.Arbitrary<TypedJson>): fc.Arbitrary<Member[]> {
  const key = fc.oneof({ weight: 3, arbitrary: fc.constantFrom('a', 'b', 'c', 'd') }, fc.constantFrom(...keys))
  return fc.uniqueArray(fc.tuple(key, value), { maxLength: 4, selector: ([name]) => name })
}

function objectOf(found: readonly Member[], typed: boolean): TypedJson {
  const properties = Object.fromEntries(found.flatMap(([key, { schema }]) => (schema ? [[key, schema] as const] : [])))
  return {
    json: `{${found.map(([key, { json }]) => `${JSON.stringify(key)}:${json}`).join(',')}}`,
    schema: typed ? { type: 'object', properties } : undefined,
  }
}

export interface Message {
  parts: AssistantPart[]
  tools: Tool[]
}

/**
 * An assistant's message with the tools that it calls: texts and calls in any order, with or without fitting schemas.
 */
export function message(dialect: Dialect): fc.Arbitrary<Message> {
  const strings = nastyString(dialect)
  const call = fc.tuple(members(typedJson(strings, 2)), fc.boolean()).map(([found, typed]) => objectOf(found, typed))
  const part = fc.oneof(strings, call)
  return fc.array(part, { maxLength: 5 }).map((items) => {
    const tools: Tool[] = []
    const parts = items.map((item, index): AssistantPart => {
      if (typeof item === 'string') return { type: 'text', text: item }
      const name = `tool_${index}`
      tools.push({ name, description: '', schema: item.schema ?? {} })
      return { type: 'call', id: `id_${index}`, name, arguments: item.json }
    })
    return { parts, tools }
  })
}

/** The tools that the reply texts below call, and some that they do not. */
export const tools: readonly Tool[] = [
  {
    name: 'get_weather',
    description: '',
    schema: { type: 'object', properties: { city: { type: 'string' }, days: { type: 'integer' } }, required: ['city'] },
  },
  { name: 'run', description: '', schema: {} },
  {
    name: 'write',
    description: '',
    schema: { properties: { path: { type: 'string' }, meta: { type: 'object' }, zip: { type: ['string', 'null'] } } },
  },
]

const sampleArguments = [
  '{"city":"Paris","days":3}',
  '{"city":"a\\nb <b> \\"x\\" \\\\","days":12345678901234567890}',
  '{}',
  '{"path":"/tmp/x","meta":{"a":[1,{"b":"</x>"}]},"zip":null}',
  '{"zip":"\\"01\\"","other":"  null "}',
]

/** Texts that look like a model's, more or less: calls, whole and mutilated, in and between all that may surround them. */
export function replyText(dialect: Dialect): fc.Arbitrary<string> {
  const call = fc
    .tuple(
      fc.constantFrom(...tools.map(({ name }) => name), 'unknown', 'GetWeather'),
      fc.constantFrom(...sampleArguments),
    )
    .map(([name, json]) =>
      dialect.renderAssistant([{ type: 'call', id: 'x', name, arguments: json }], promptContext, tools),
    )
  const mutilated = fc
    .tuple(call, fc.nat(), fc.nat({ max: 12 }), fc.constantFrom('', '', '"', '}', '<', '\n', ',', ' x ', '\\', '>'))
    .map(([text, at, length, patch]) => {
      const place = at % text.length
      return text.slice(0, place) + patch + text.slice(place + length)
    })
  const around = fc.constantFrom(
    '\n',
    '\n\n',
    ' ',
    '\n```\n',
    '\n```xml\n',
    '`',
    '\n> ',
    '"',
    'Then: ',
    '<think>',
    '</think>\n\n',
  )
  const blanks = fc.tuple(fc.constantFrom(' ', '\n', '<', '<\u2060', '\u2060'), fc.nat({ max: 90 }))
  return fc
    .array(
      fc.oneof(
        { weight: 4, arbitrary: call },
        { weight: 4, arbitrary: mutilated },
        { weight: 3, arbitrary: nastyString(dialect) },
        { weight: 3, arbitrary: around },
        { weight: 1, arbitrary: blanks.map(([char, count]) => char.repeat(count)) },
        { weight: 1, arbitrary: nastyString(dialect).map((text) => dialect.neutralise(text, promptContext)) },
      ),
      { maxLength: 6 },
    )
    .map((parts) => parts.join(''))
}

/** JSON text in a form that is the same for the same value: numbers by their digits, keys in order, the last of equals. */
export function canonical(json: string): unknown {
  // Each number becomes a string of a special form, so that no digit is lost.
  const marked = json.replace(/"((?:[^"\\]|\\.)*)"|-?\d[\d.eE+-]*/g, (token, text) =>
    token.startsWith('"') ? `"s${text}"` : `"n${token}"`,
  )
  return JSON.parse(marked)
}
