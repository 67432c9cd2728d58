import { describe, expect, test } from 'vitest'
import { admits, parseGbnf } from '../../../test/support/grammar/gbnf.ts'
import type { JsonObject } from '../../conversation/index.ts'
import { GbnfRules } from '../gbnf/rules.ts'
import { notationOf } from '../gbnf/values/notation.ts'
import { ValueGrammar } from '../gbnf/values/values.ts'
import { withLanguageSteps } from '../language/automaton.ts'
import { SchemaVariants } from './variants.ts'

/** The grammar of a schema as a response has it: open, with the members of large objects in order. */
function responseOf(schema: JsonObject) {
  const rules = new GbnfRules()
  const variants = new SchemaVariants(schema, (what) => rules.notice(what), { isOpen: true })
  const values = new ValueGrammar(notationOf({}, [], rules), variants, rules, { inOrder: true, isOpen: true })
  const root = withLanguageSteps(600_000, () => values.of(schema, 'v'))
  const grammar = root && parseGbnf(rules.print(root))
  return { admits: (json: string) => grammar !== undefined && admits(grammar, json) === true, notices: rules.notices }
}

const integers = (length: number) =>
  Array.from({ length }, (_, at): [string, JsonObject] => [`k${at}`, { type: 'integer' }])
const [many, more] = [integers(12), integers(13)]

/**
 * A schema, texts that it admits, texts that it does not, and the notices about texts that the grammar admits beyond
 * it.
 */
const cases: [what: string, schema: JsonObject, fit: string[], unfit: string[], notices?: string[]][] = [
  [
    'an open object',
    { type: 'object', properties: { a: { type: 'integer' } } },
    ['{"b":[1],"a":1}', '{}'],
    ['{"a":"x"}'],
  ],
  ['no type', { properties: { a: { type: 'integer' } } }, ['1', 'null', '"x"', '[]', '{"a":1}'], ['{"a":null}']],
  ['not of a type', { not: { type: 'string' } }, ['1', '{}', 'null'], ['"a"']],
  ['not of integers', { not: { type: 'integer' } }, ['1.5', '"a"'], ['1', '1.0']],
  ['not of constants', { type: 'string', not: { enum: ['a', 'b'] } }, ['"c"', '""', '"ab"'], ['"a"', '"b"']],
  ['not of a number', { type: 'number', not: { const: 5 } }, ['4', '5.5', '-5'], ['5', '5.00']],
  ['not of a pattern', { type: 'string', not: { pattern: '^x' } }, ['"ax"'], ['"x"', '"xa"']],
  ['not required', { not: { required: ['a'] } }, ['{"b":1}', '{}'], ['{"a":1}', '{"b":1,"a":1}', '3']],
  ['not of nothing', { not: {} }, [], ['1', '{}']],
  [
    'oneOf of branches that overlap',
    {
      oneOf: [
        { type: 'integer', minimum: 3 },
        { type: 'integer', maximum: 5 },
      ],
    },
    ['2', '6'],
    ['3', '4', '5'],
  ],
  [
    'oneOf of required members',
    { type: 'object', oneOf: [{ required: ['a'] }, { required: ['b'] }] },
    ['{"a":1}', '{"b":1,"c":2}'],
    ['{}', '{"a":1,"b":1}', '{"c":1}'],
  ],
  [
    'oneOf of closed objects',
    {
      oneOf: ['a', 'b'].map((key) => ({
        type: 'object',
        properties: { [key]: { type: 'integer' }, c: {} },
        additionalProperties: false,
      })),
    },
    ['{"a":1}', '{"b":1,"c":2}'],
    ['{}', '{"c":1}', '{"a":1,"b":1}'],
  ],
  [
    'if, then and else',
    {
      type: 'object',
      if: { properties: { kind: { const: 'x' } }, required: ['kind'] },
      // biome-ignore lint/suspicious/noThenProperty: it is a keyword of JSON Schema.
      then: { required: ['a'] },
      else: { required: ['b'] },
    },
    ['{"kind":"x","a":1}', '{"kind":"y","b":1}', '{"b":1}'],
    ['{"kind":"x"}', '{"kind":"x","b":1}', '{"kind":"y","a":1}', '{}'],
  ],
  [
    'dependentRequired',
    { type: 'object', dependentRequired: { a: ['b'] } },
    ['{}', '{"b":1}', '{"b":1,"a":1}'],
    ['{"a":1}', '{"a":1,"c":1}'],
  ],
  [
    'dependencies of a schema',
    { type: 'object', dependencies: { a: { properties: { b: { type: 'integer' } } } } },
    ['{"b":"x"}', '{"a":1,"b":1}'],
    ['{"a":1,"b":"x"}'],
  ],
  [
    'patternProperties',
    {
      type: 'object',
      properties: { sa: {} },
      patternProperties: { '^s': { type: 'string' }, x$: { maxLength: 1 } },
      additionalProperties: false,
    },
    ['{"sb":"abc"}', '{"sx":"a"}', '{"ax":1}', '{"sa":"a"}'],
    ['{"sb":1}', '{"sx":"ab"}', '{"b":1}', '{"sa":1}'],
  ],
  [
    'additionalProperties beside patterns',
    { type: 'object', patternProperties: { '^s': {} }, additionalProperties: { type: 'integer' } },
    ['{"s":"a","t":1}'],
    ['{"t":"a"}'],
  ],
  ['propertyNames', { type: 'object', propertyNames: { pattern: '^[a-z]+$' } }, ['{"ab":1}', '{}'], ['{"A":1}']],
  ['minProperties', { type: 'object', minProperties: 2 }, ['{"a":1,"b":1}'], ['{}', '{"a":1}']],
  [
    'maxProperties of named members',
    { type: 'object', properties: { a: {}, b: {}, c: {} }, maxProperties: 2 },
    ['{}', '{"c":1,"a":1}', '{"x":1,"b":2}'],
    ['{"a":1,"b":1,"c":1}', '{"x":1,"y":1,"a":1}'],
  ],
  [
    'allOf of closed and other parts',
    {
      allOf: [{ properties: { a: {} }, additionalProperties: false }, { properties: { a: {}, b: {} } }],
      type: 'object',
    },
    ['{"a":1}', '{}'],
    ['{"b":1}', '{"a":1,"b":1}'],
  ],
  [
    'names in one part, and asked for in the other',
    {
      type: 'object',
      allOf: [{ additionalProperties: { type: 'integer' } }, { required: ['a'], additionalProperties: { minimum: 3 } }],
    },
    ['{"a":3}', '{"a":4,"b":5}'],
    ['{"a":1}', '{"a":"x"}', '{"a":3,"b":1}', '{}'],
  ],
  [
    'names by a reference',
    { type: 'object', propertyNames: { $ref: '#/$defs/n' }, $defs: { n: { pattern: '^a' } } },
    ['{"a":1}'],
    ['1'],
    ['"propertyNames" is not expressed'],
  ],
  [
    'two unions at once',
    { type: 'object', allOf: [{ anyOf: [{ required: ['a'] }, { required: ['b'] }] }], anyOf: [{ required: ['c'] }] },
    ['{"c":1,"a":1}', '{"b":1,"c":1}'],
    ['{"c":1}', '{"a":1}'],
  ],
  [
    'a pattern and a length',
    { type: 'string', pattern: '^[a-z]+b$', maxLength: 4 },
    ['"ab"', '"aaab"'],
    ['"b"', '"aaaab"'],
  ],
  [
    'two patterns',
    { allOf: [{ pattern: '^a' }, { pattern: 'b$' }], type: 'string' },
    ['"ab"', '"acb"'],
    ['"a"', '"b"'],
  ],
  ['a format and a length', { type: 'string', format: 'date', maxLength: 9 }, [], ['"2024-01-31"']],
  ['a uri', { type: 'string', format: 'uri' }, ['"http://a.b/c?d#e"', '"urn:x"'], ['"a b"', '"/a"', '""']],
  ['an ipv6 address', { type: 'string', format: 'ipv6' }, ['"::1"', '"1:2:3:4:5:6:7:8"'], ['":"', '"1:2"']],
  ['a duration', { type: 'string', format: 'duration' }, ['"P1D"', '"PT1H5M"'], ['"P"', '"1D"', '"P1S"']],
  ['a decimal step', { type: 'number', multipleOf: 0.01 }, ['1', '-1.25', '0.50', '1.100'], ['0.001', '1.255']],
  ['a whole step', { type: 'integer', multipleOf: 15, minimum: 0 }, ['0', '30', '150'], ['-15', '31', '5']],
  [
    'items of few constants',
    { items: { enum: ['a', 'b'] }, type: 'array', uniqueItems: true },
    ['["b","a"]', '[]'],
    ['["a","a"]'],
  ],
  [
    'items that are many',
    { type: 'array', uniqueItems: true },
    ['[1,2]', '[1,1]'],
    ['1'],
    ['"uniqueItems" is not expressed'],
  ],
  [
    'contains',
    { type: 'array', items: { type: ['string', 'integer'] }, contains: { type: 'integer' }, maxItems: 3 },
    ['[1]', '["a",1]', '["a","b",2]'],
    ['[]', '["a"]', '["a","b","c",1]', '[1,null]'],
  ],
  [
    'large objects in their order, and with few members displaced',
    { type: 'object', properties: Object.fromEntries(many), required: ['k9'], additionalProperties: false },
    ['{"k9":1,"k0":1,"k5":2}', '{"k0":1,"k9":1}', '{"k9":1}', '{"k1":1,"k2":1,"k0":1,"k9":1}'],
    ['{"k0":1}', '{"k9":1,"k0":1,"k0":1}', '{"k9":1,"k8":1,"k5":1,"k0":1}'],
  ],
  [
    'larger objects in any order',
    { type: 'object', properties: Object.fromEntries(more), required: ['k9'], additionalProperties: false },
    ['{"k12":1,"k9":1,"k3":1,"k7":2,"k0":1}', '{"k9":1}', '{"k9":1,"k0":1,"k0":1}'],
    ['{"k0":1}', '{"k9":1,"k9":1}'],
    [
      'members of a large object may come twice: "k0", "k1", "k2", "k3", "k4", "k5", "k6", "k7", "k8", "k10", "k11", "k12"',
    ],
  ],
  [
    'a reference to itself',
    { $ref: '#/$defs/a', $defs: { a: { type: 'array', items: { $ref: '#' } } } },
    ['[[],[[]]]'],
    ['[1]'],
  ],
]

const node = { type: 'object', properties: { v: { type: 'integer' }, next: {} }, required: ['v'] }

/** References within a schema: to anchors, to the addresses of parts, and to where they are. */
const references: typeof cases = [
  ['an anchor', { $ref: '#n', $defs: { a: { $anchor: 'n', type: 'integer' } } }, ['1'], ['"a"', '{}']],
  ['an anchor of early drafts', { $ref: '#n', definitions: { a: { $id: '#n', type: 'integer' } } }, ['1'], ['"a"']],
  [
    'the address of a part',
    {
      $id: 'https://a.example/root.json',
      $ref: 'part.json',
      $defs: { a: { $id: 'https://a.example/part.json', type: 'integer' } },
    },
    ['1'],
    ['"a"'],
  ],
  [
    'a pointer and an anchor within a part of an address of its own',
    {
      type: 'array',
      prefixItems: [{ $ref: 'part#/$defs/b' }, { $ref: 'part#c' }],
      $defs: { a: { $id: 'part', $defs: { b: { type: 'integer' }, c: { $anchor: 'c', type: 'null' } } } },
    },
    ['[1,null]', '[]'],
    ['["a"]', '[1,1]'],
  ],
  [
    'recursion by an anchor that is dynamic',
    { ...node, $dynamicAnchor: 'node', properties: { ...node.properties, next: { $dynamicRef: '#node' } } },
    ['{"v":1}', '{"v":1,"next":{"v":2,"next":{"v":3}}}'],
    ['{"v":1,"next":{}}', '{"v":1,"next":3}'],
  ],
  [
    'recursion of draft 2019-09',
    { ...node, $recursiveAnchor: true, properties: { ...node.properties, next: { $recursiveRef: '#' } } },
    ['{"v":1,"next":{"v":2}}'],
    ['{"v":1,"next":{}}'],
  ],
  [
    'recursion within a combination',
    { ...node, properties: { ...node.properties, next: { allOf: [{ $ref: '#' }] } } },
    ['{"v":1,"next":{"v":2,"next":{"v":3}}}'],
    ['{"v":1,"next":{"v":2,"next":{}}}'],
  ],
  [
    'an anchor that is a constant',
    { $ref: '#n', const: 1, default: { $anchor: 'n' } },
    ['1'],
    ['2'],
    ['the reference "#n" cannot be resolved: any value is allowed'],
  ],
]

/** Structures that a schema names, with white space of any kind between their parts. */
const structures: typeof cases = [
  [
    'an object',
    { const: { a: [1, 'x'] } },
    ['{"a":[1,"x"]}', '{ "a": [ 1, "x" ] }', '{\n  "a": [\n    1,\n    "x"\n  ]\n}'],
    ['{"a":[1]}', '{"a":[1,"x"],"b":1}', '[1,"x"]'],
  ],
  ['lists', { enum: [[], [true], [[null]]] }, ['[]', '[ true ]', '[\n  [\n    null\n  ]\n]'], ['[false]', '[[]]']],
]

test.each([...references, ...structures])('%s', (_what, schema, fit, unfit, notices = []) => {
  const response = responseOf(schema)
  expect(fit.filter((json) => !response.admits(json))).toEqual([])
  expect(unfit.filter((json) => response.admits(json))).toEqual([])
  expect(response.notices).toEqual(notices)
})

describe('keywords of response schemas', () => {
  test.each(cases)('%s', (_what, schema, fit, unfit, notices = []) => {
    const response = responseOf(schema)
    expect(fit.filter((json) => !response.admits(json))).toEqual([])
    expect(unfit.filter((json) => response.admits(json))).toEqual([])
    expect(response.notices).toEqual(notices)
  })
})

/** Schemas whose combinations multiply. */
const hostile: [what: string, schema: JsonObject, isAnnounced?: boolean][] = [
  [
    'unions that multiply',
    {
      type: 'object',
      allOf: Array.from({ length: 30 }, (_, at) => ({ anyOf: [{ required: [`a${at}`] }, { required: [`b${at}`] }] })),
    },
  ],
  [
    'negations in negations',
    {
      not: { $ref: '#/$defs/d30' },
      $defs: Object.fromEntries(
        Array.from({ length: 31 }, (_, at) => [
          `d${at}`,
          at === 0
            ? { type: 'string' }
            : { not: { allOf: [{ $ref: `#/$defs/d${at - 1}` }, { not: { $ref: `#/$defs/d${at - 1}` } }] } },
        ]),
      ),
    },
    // The negation of a contradiction admits anything, at any depth.
    false,
  ],
  [
    'references that double',
    {
      $ref: '#/$defs/d30',
      $defs: Object.fromEntries(
        Array.from({ length: 31 }, (_, at) => [
          `d${at}`,
          at === 0 ? {} : { oneOf: [{ $ref: `#/$defs/d${at - 1}` }, { not: { $ref: `#/$defs/d${at - 1}` } }] },
        ]),
      ),
    },
  ],
  [
    'patterns that multiply',
    {
      type: 'string',
      allOf: Array.from({ length: 20 }, (_, at) => ({ pattern: `${String.fromCharCode(97 + at)}.{20}${at}` })),
    },
  ],
  [
    'names by many patterns',
    {
      type: 'object',
      patternProperties: Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`${at}.{9}a`, { const: at }])),
    },
  ],
]

test.each(hostile)('%s: bounded', (_what, schema, isAnnounced = true) => {
  const started = performance.now()
  const { notices } = responseOf(schema)
  expect(notices.length > 0).toBe(isAnnounced)
  // The work is bounded by steps, not by time: this limit is only far below the time of an exponential product.
  expect(performance.now() - started).toBeLessThan(20_000)
})
