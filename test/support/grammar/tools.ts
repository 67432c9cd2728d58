import type { JsonObject, Tool } from '../../../src/conversation/index.ts'
import type { WrittenCall } from '../../../src/grammar/write/write.ts'

function tool(name: string, schema: JsonObject): Tool {
  return { name, description: '', schema }
}

const object = (properties: JsonObject, required: string[] = []): JsonObject => ({
  type: 'object',
  properties,
  required,
})

/** Tools with all kinds of schemas: for tests only. */
export const tools: readonly Tool[] = [
  tool('get_weather', object({ city: { type: 'string' }, days: { type: 'integer' } }, ['city'])),
  tool('now', object({})),
  tool(
    'schedule',
    object({
      note: { type: 'string' },
      loud: { type: 'boolean' },
      ratio: { type: 'number' },
      nothing: { type: 'null' },
    }),
  ),
  tool(
    'edit',
    object(
      {
        path: { type: 'string', minLength: 1 },
        edits: {
          type: 'array',
          items: object({ old: { type: 'string' }, new: { type: 'string' } }, ['old', 'new']),
          minItems: 1,
        },
      },
      ['path', 'edits'],
    ),
  ),
  tool(
    'choose',
    object(
      {
        mode: { enum: ['fast', 'slow', 'very slow'] },
        level: { enum: [1, 2] },
        tag: { type: 'string', pattern: '^[a-z]{1,4}$' },
        on: { type: 'string', format: 'date' },
      },
      ['mode'],
    ),
  ),
  tool(
    'mixed',
    object({
      id: { type: ['string', 'integer'] },
      note: { type: ['string', 'null'] },
      list: { anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] },
      free: {},
    }),
  ),
  tool(
    'search',
    object({
      filter: object({ a: { type: 'integer' }, b: { type: 'string' } }),
      options: { type: 'object', additionalProperties: { type: 'integer' } },
    }),
  ),
  tool(
    'six',
    object(Object.fromEntries([...'abcdef'].map((key) => [key, { type: 'integer', minimum: 0, maximum: 20 }])), ['b']),
  ),
]

/** Calls of each tool, valid against its schema. */
export const calls: readonly WrittenCall[] = [
  { name: 'get_weather', arguments: '{"city":"Paris","days":3}' },
  { name: 'get_weather', arguments: '{"days":-1,"city":"S\\u00e3o \\"P\\"\\n<b> {x} é"}' },
  { name: 'now', arguments: '{}' },
  { name: 'schedule', arguments: '{}' },
  { name: 'schedule', arguments: '{"loud":true,"ratio":0.5,"note":"a, b) ]","nothing":null}' },
  { name: 'edit', arguments: '{"path":"/a b/c.ts","edits":[{"old":"if (a < b) {","new":"x"},{"new":"\\t","old":""}]}' },
  { name: 'choose', arguments: '{"mode":"very slow","level":2,"tag":"abc","on":"2024-02-03"}' },
  { name: 'mixed', arguments: '{"id":"abc","note":"x y"}' },
  { name: 'mixed', arguments: '{"id":7,"note":null,"list":["a","b"],"free":{"x":[1,null]}}' },
  { name: 'search', arguments: '{"filter":{"b":"q","a":1},"options":{"n":1}}' },
  { name: 'search', arguments: '{"filter":{"b":"q","a":1}}' },
  { name: 'six', arguments: '{"a":1,"b":20,"f":9}' },
]

/** True if a format that writes objects as elements has none for names that the schema does not declare. */
export function needsFreeElements(call: WrittenCall): boolean {
  return call.name === 'search' && call.arguments.includes('options')
}

/** Tools with schemas that formats have trouble with. */
export const oddTools: readonly Tool[] = [
  tool('extra', { ...object({ a: { type: 'string' } }), additionalProperties: { type: 'integer' } }),
  tool('nothing_said', {}),
  tool('odd_keys', object({ 'a b': { type: 'string' }, 'x>y': { type: 'integer' }, 'q"': { type: 'boolean' } })),
  tool(
    'unions',
    object({
      u: { anyOf: [{ type: 'string' }, object({ k: { type: 'integer' } }, ['k'])] },
      v: { oneOf: [{ type: 'integer' }, { type: 'boolean' }] },
      w: { type: ['string', 'number', 'null'] },
    }),
  ),
  tool('recursive', {
    ...object({ n: { $ref: '#/$defs/n' } }, ['n']),
    $defs: { n: object({ v: { type: 'string' }, next: { $ref: '#/$defs/n' } }, ['v']) },
  }),
  tool(
    'nested',
    object({
      list: { type: 'array', items: { type: 'array', items: { type: 'string' } } },
      options: object({ item: { type: 'string' }, deep: object({ flag: { type: 'boolean' } }, ['flag']) }),
    }),
  ),
  tool(
    'short',
    object({
      title: { type: 'string', maxLength: 12 },
      code: { type: 'string', minLength: 1, maxLength: 2 },
      none: { type: 'string', maxLength: 0 },
      maybe: { type: ['string', 'null'], maxLength: 6 },
    }),
  ),
  // No finite value fits `never`.
  tool('endless', {
    ...object({ never: { $ref: '#/$defs/never' }, when: { type: 'string', format: 'date-time' } }),
    $defs: { never: { type: 'array', items: { $ref: '#/$defs/never' }, minItems: 1 } },
  }),
]

/** A tool with so many arguments of all types that those which may be left out are not counted. */
export const largeTool: Tool = tool(
  'large',
  object(
    {
      path: { type: 'string' },
      line: { type: 'integer' },
      all: { type: 'boolean' },
      tags: { type: 'array', items: { type: 'string' }, maxItems: 2 },
      one_or_more: { anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'integer' } }] },
      where: object({ row: { type: 'integer' }, column: { type: 'integer' } }, ['row']),
      mode: { enum: ['a', 'b', 3] },
      limit: { type: ['number', 'null'] },
      nothing: { type: 'null' },
    },
    ['line', 'path'],
  ),
)

/** The number of tools that a coding agent has. */
export const manyTools: readonly Tool[] = Array.from({ length: 24 }, (_, index) => {
  const { name, description, schema } = tools[index % tools.length] ?? tool('', {})
  return { name: `${name}_${index}`, description, schema: structuredClone(schema) }
})
