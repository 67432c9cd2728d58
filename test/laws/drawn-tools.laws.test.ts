import { Validator } from '@cfworker/json-schema'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { isJsonObject, type JsonObject, type JsonValue, type Tool } from '../../src/conversation/index.ts'
import { formats } from '../../src/dialects/formats/index.ts'
import { makeCallsGrammar } from '../../src/grammar/gbnf/calls/grammar.ts'
import { readBlock } from '../support/dialects/format-reading.ts'
import { lawRuns } from '../support/draws.ts'
import { derive, parseGbnf } from '../support/grammar/gbnf.ts'
import { jsonSchema } from '../support/grammar/json-schemas.ts'
import { randomOf } from '../support/grammar/random.ts'

const numRuns = Math.ceil(lawRuns / 3)

/** A tool with arguments of all kinds; their definitions are in the schema of the first. */
const tool: fc.Arbitrary<Tool> = fc
  .tuple(
    fc.uniqueArray(fc.constantFrom('path', 'n', 'list_of', 'Mode'), { minLength: 1, maxLength: 3 }),
    fc.array(jsonSchema, { minLength: 3, maxLength: 3 }),
    fc.subarray([0, 1, 2]),
    fc.constantFrom<JsonValue>(false, true, { type: 'integer' }),
  )
  .map(([keys, [first = {}, ...others], required, additionalProperties]) => {
    const { $defs = {}, ...schema } = first
    const properties: JsonObject = Object.fromEntries(
      keys.map((key, at) => {
        const { $defs: _, ...other } = others[at - 1] ?? {}
        return [key, at === 0 ? schema : other]
      }),
    )
    const needed = keys.filter((_, at) => required.includes(at))
    return {
      name: 'do_it',
      description: '',
      schema: { type: 'object', properties, required: needed, additionalProperties, $defs },
    }
  })

/** True if the grammar reports that members without declared names may come twice. */
function isExcused(widened: readonly string[]): boolean {
  return widened.some((what) => what.includes('may come twice'))
}

test.each(formats.map((format) => [format.name, format] as const))(
  'calls drawn for tools drawn at random are read, and fit their schemas: %s',
  (_, { blocks: [block], separator }) => {
    if (!block) return
    fc.assert(
      fc.property(tool, fc.nat(), (one, seed) => {
        const request = { tools: [one], toolChoice: { type: 'required' } as const, parallelCalls: false }
        const found = makeCallsGrammar(block.tree, separator === undefined ? request : { ...request, separator })
        if (!found) return
        const grammar = parseGbnf(found.grammar)
        for (let draw = 0; draw < 3; draw++) {
          const text = derive(grammar, randomOf(seed + draw), 10 + 10 * draw)
          const { status, calls, rest, notices } = readBlock([block], text, { tools: [one] })
          // Text that a wider grammar admits need not fit the schema, and the reader reports that.
          const isSaid = (notice: string) => notice === 'retyped' && found.widened.length > 0
          const odd = isExcused(found.widened) ? [] : notices.filter((notice) => !isSaid(notice))
          expect([text, status, odd, rest, calls.length]).toEqual([text, 'complete', [], '', 1])
          const value: unknown = JSON.parse(calls[0]?.slice(`${one.name} `.length) ?? '')
          expect([text, isJsonObject(value)]).toEqual([text, true])
          if (found.widened.length > 0) continue
          expect([text, new Validator(one.schema, '2020-12').validate(value).valid]).toEqual([text, true])
        }
      }),
      { numRuns },
    )
  },
)
