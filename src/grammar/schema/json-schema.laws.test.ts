import { Validator } from '@cfworker/json-schema'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { lawRuns } from '../../../test/support/draws.ts'
import { admits, derive, parseGbnf, type TestGrammar } from '../../../test/support/grammar/gbnf.ts'
import { anyValue, jsonSchema, valueFor } from '../../../test/support/grammar/json-schemas.ts'
import { randomOf } from '../../../test/support/grammar/random.ts'
import type { JsonObject } from '../../conversation/index.ts'
import { validate } from '../../json/index.ts'
import { GbnfRules } from '../gbnf/rules.ts'
import { notationOf } from '../gbnf/values/notation.ts'
import { ValueGrammar } from '../gbnf/values/values.ts'
import { SchemaVariants } from './variants.ts'

const numRuns = 10 * lawRuns

/** Ways to read a schema: objects of responses are open unless they say otherwise, and large ones have their members in order. */
const readings = {
  tool: { isOpen: false, inOrder: false },
  response: { isOpen: true, inOrder: true },
}
const reading = fc.constantFrom('tool' as const, 'response' as const)

/** Throws if llama.cpp would refuse the grammar; there is no grammar if the schema admits nothing. */
function grammarOf(
  schema: JsonObject,
  how: keyof typeof readings,
): { grammar: TestGrammar | undefined; notices: string[] } {
  const rules = new GbnfRules()
  const variants = new SchemaVariants(schema, (what) => rules.notice(what), readings[how])
  const root = new ValueGrammar(notationOf({}, [], rules), variants, rules, readings[how]).of(schema, 'value')
  return { grammar: root && parseGbnf(rules.print(root)), notices: rules.notices }
}

/** The same schema as responses have it: it leaves out what makes no difference there. */
function asRead(schema: JsonObject, how: keyof typeof readings): JsonObject {
  if (how === 'tool') return schema
  const isOpen = (key: string, value: unknown): boolean => key === 'additionalProperties' && value === true
  return JSON.parse(JSON.stringify(schema, (key, value) => (isOpen(key, value) ? undefined : value)))
}

function isValid(schema: JsonObject, value: unknown): boolean {
  return new Validator(schema, '2020-12').validate(value).valid
}

describe('grammars of JSON schemas drawn at random', () => {
  test('what is drawn from them fits the schema, unless they say that they admit more', () => {
    fc.assert(
      fc.property(jsonSchema, reading, fc.nat(), (drawn, how, seed) => {
        const schema = asRead(drawn, how)
        const { grammar, notices } = grammarOf(schema, how)
        if (!grammar) return
        for (let draw = 0; draw < 5; draw++) {
          const value: unknown = JSON.parse(derive(grammar, randomOf(seed + draw), 40))
          if (notices.length === 0) expect([value, isValid(schema, value)]).toEqual([value, true])
        }
      }),
      { numRuns },
    )
  })

  test('what fits the schema they admit, whatever they say', () => {
    fc.assert(
      fc.property(jsonSchema, reading, fc.nat(), (drawn, how, seed) => {
        const schema = asRead(drawn, how)
        const { grammar } = grammarOf(schema, how)
        const random = randomOf(seed)
        for (let draw = 0; draw < 10; draw++) {
          const value = valueFor(schema, schema, random)
          if (!isValid(schema, value)) continue
          const json = JSON.stringify(value)
          expect([json, grammar !== undefined && admits(grammar, json)]).toEqual([json, true])
        }
      }),
      { numRuns },
    )
  })

  test('values are judged as another validator judges them', () => {
    fc.assert(
      fc.property(jsonSchema, anyValue, fc.nat(), (schema, any, seed) => {
        const random = randomOf(seed)
        // Patterns are not run, and not all formats are known: there more may be valid.
        const isPartly = /"(?:pattern|patternProperties|format)":/.test(JSON.stringify(schema))
        for (const value of [any, ...Array.from({ length: 8 }, () => valueFor(schema, schema, random))]) {
          const own = validate(schema, value).type
          const other = isValid(schema, value) ? 'valid' : 'invalid'
          if (own !== 'valid' || !isPartly) expect([value, own]).toEqual([value, other])
        }
      }),
      { numRuns },
    )
  })
})
