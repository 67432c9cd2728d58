import { printTable } from '../print.mjs'
import { medianOf } from './times.mjs'

const sizes = [10, 100, 1000]

/** Schemas of one member, by kind. */
const members = {
  'plain, all required': () => ({ type: 'string' }),
  'plain, none required': () => ({ type: 'integer' }),
  enums: (at) => ({ enum: Array.from({ length: 12 }, (_, index) => `value_${at}_${index}`) }),
  'patterns and formats': (at) =>
    at % 2 === 0 ? { type: 'string', pattern: `^k${at}-[a-z]{2,8}$` } : { type: 'string', format: 'date-time' },
  'bounds and multiples': (at) => ({ type: 'number', minimum: -at, maximum: 1000 + at, multipleOf: 0.01 }),
  'lists of objects': () => ({
    type: 'array',
    maxItems: 5,
    items: { type: 'object', properties: { id: { type: 'string' }, on: { type: 'boolean' } }, required: ['id'] },
  }),
  'objects in objects': (at) => ({
    type: 'object',
    properties: { [`inner_${at}`]: { type: 'object', properties: { value: { type: ['string', 'null'] } } } },
    additionalProperties: false,
  }),
  alternatives: (at) => ({
    anyOf: [{ const: `none_${at}` }, { type: 'integer', minimum: at }, { $ref: '#/$defs/tree' }],
  }),
}
const kinds = Object.keys(members)
const mixed = 'all kinds'
const defs = {
  tree: { type: 'object', properties: { left: { $ref: '#/$defs/tree' }, right: { $ref: '#/$defs/tree' } } },
}

/** A schema of so many members. `run` makes it one that was not seen before. */
function schemaOf(kind, size, run) {
  const names = Array.from({ length: size }, (_, at) => `member_${run}_${at}`)
  const memberOf = (at) => members[kind === mixed ? kinds[at % kinds.length] : kind](at)
  return {
    type: 'object',
    properties: Object.fromEntries(names.map((name, at) => [name, memberOf(at)])),
    required: kind === 'plain, none required' ? [] : names.filter((_, at) => kind !== mixed || at % 3 > 0),
    additionalProperties: false,
    $defs: defs,
  }
}

/** Prints time and size of grammars of response schemas; returns the ms of the slowest kind with 100 members. */
export function printSchemas(dialect, runs) {
  const rows = [['', ...sizes.flatMap((size) => [`${size}`, 'KiB'])]]
  let slowest = 0
  for (const kind of [...kinds, mixed]) {
    const cells = []
    for (const size of sizes) {
      const grammarOf = (run) => {
        const request = { tools: [], toolChoice: { type: 'auto' }, parallelCalls: true }
        return dialect.grammar({ ...request, responseSchema: schemaOf(kind, size, run) })
      }
      // The first of a process is what its engine compiles.
      const kib = grammarOf('first').grammar.length / 1024
      const ms = medianOf(runs, (run) => void grammarOf(run))
      if (size === 100) slowest = Math.max(slowest, ms)
      cells.push(`${ms.toFixed(ms < 10 ? 2 : 0)} ms`, kib.toFixed(0))
    }
    rows.push([kind, ...cells])
  }
  console.log('\nthe grammar of a reply in JSON of a schema, by its members')
  printTable(rows, 36, 12)
  return slowest
}
