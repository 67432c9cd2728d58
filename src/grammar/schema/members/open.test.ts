import { expect, test } from 'vitest'
import { admits, parseGbnf } from '../../../../test/support/grammar/gbnf.ts'
import type { JsonObject } from '../../../conversation/index.ts'
import { GbnfRules } from '../../gbnf/rules.ts'
import { notationOf } from '../../gbnf/values/notation.ts'
import { ValueGrammar } from '../../gbnf/values/values.ts'
import { SchemaVariants } from '../variants.ts'

const integer: JsonObject = { type: 'integer' }

/** A schema of a tool, whose objects are closed if they declare members; texts that it admits, and that it does not. */
const cases: [what: string, schema: JsonObject, fit: string[], unfit: string[]][] = [
  [
    'a negated member beside anything',
    { oneOf: [true, { type: 'object', properties: { a: { maximum: 0 } }, additionalProperties: true }] },
    ['{"zz":"a","a":101}', '{"a":1}', '"x"', '[1]'],
    ['{"zz":"a","a":-1}', '{}'],
  ],
  [
    'a negated member in an object that declares none',
    { type: 'object', not: { properties: { a: { type: 'string' } }, required: ['a'] } },
    ['{"a":1,"b":2}', '{"b":2}', '{}'],
    ['{"a":"x"}', '{"a":"x","b":1}'],
  ],
  [
    'a negation of a negation',
    { type: 'object', not: { not: { required: ['a'] } } },
    ['{"a":1,"b":2}', '{"a":1}'],
    ['{}', '{"b":2}'],
  ],
  [
    'members that others need in an object that declares none',
    { type: 'object', dependentRequired: { a: ['b'] } },
    ['{"a":1,"b":2,"c":3}', '{"c":1}', '{}'],
    ['{"a":1}', '{"a":1,"c":1}'],
  ],
  [
    'a negation in an object that declares members',
    { type: 'object', properties: { a: integer, b: integer }, not: { required: ['a', 'b'] } },
    ['{"a":1}', '{"b":1}', '{}'],
    ['{"a":1,"b":1}', '{"a":1,"c":1}', '{"c":1}'],
  ],
  [
    'a negated value of a declared member',
    { type: 'object', properties: { a: integer }, not: { properties: { a: { const: 1 } } } },
    ['{"a":2}'],
    ['{"a":1}', '{"a":2,"b":1}', '{}'],
  ],
  [
    'a member that depends on a declared one',
    { type: 'object', properties: { a: integer }, dependentRequired: { a: ['b'] } },
    ['{"a":1,"b":"x"}', '{}'],
    ['{"a":1}', '{"a":1,"b":1,"c":1}', '{"c":1}'],
  ],
]

test.each(cases)('%s', (_, schema, fit, unfit) => {
  const rules = new GbnfRules()
  const variants = new SchemaVariants(schema, (what) => rules.notice(what))
  const root = new ValueGrammar(notationOf({}, [], rules), variants, rules).of(schema, 'v')
  const grammar = root && parseGbnf(rules.print(root))
  const isAdmitted = (json: string) => grammar !== undefined && admits(grammar, json) === true
  expect([fit.filter((json) => !isAdmitted(json)), unfit.filter(isAdmitted)]).toEqual([[], []])
})
