import { describe, expect, test } from 'vitest'
import { coveringTests } from '../../../test/support/covering-tests.ts'
import { shapeOf } from '../../../test/support/grammar/reply-shapes.ts'
import { freezeList, type JsonObject, type JsonValue, type Tool } from '../../conversation/index.ts'
import { printReplyGrammar } from '../reply/grammar.ts'
import { printReplyStructuralTag } from '../reply/reply-tag.ts'
import { boundedTools, boundsOfAll, boundsOfOne, sizeOf } from './bounded-tools.ts'

const text: JsonObject = { type: 'string' }
const toolOf = (schema: JsonObject, name = 'f'): Tool => ({ name, description: '', schema })
const object = (properties: JsonObject, more: JsonObject = {}): JsonObject => ({ type: 'object', properties, ...more })
const named = (count: number, make: (at: number) => [string, JsonValue]): JsonObject =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => make(at)))

describe('sizeOf', () => {
  test('counts schemas, names and constants, and no descriptions', () => {
    const schema = object({ a: { type: 'string', description: 'x'.repeat(1000) }, bc: { enum: ['x', 'yz'] } })
    // The object, its type and properties; a and its type; bc, its list and two values.
    expect(sizeOf(schema, boundsOfOne)).toEqual({
      parts: 9,
      text: 'type object properties a type string bc enum x yz'.replaceAll(' ', '').length,
    })
  })

  test.each<[what: string, schema: JsonObject]>([
    ['a long name', object({ ['k'.repeat(201)]: text })],
    ['a long name further in', object({ a: object({ ['k'.repeat(201)]: text }) })],
    ['many properties', object(named(2001, (at) => [`p${at}`, text]))],
    ['a long constant', object({ a: { const: 'x'.repeat(50_000) } })],
    ['many constants', object({ a: { enum: Array.from({ length: 5000 }, (_, at) => at) } })],
    ['many levels', JSON.parse(`${'{"items":'.repeat(5000)}{}${'}'.repeat(5000)}`) as JsonObject],
  ])('is past the bounds for %s', (_, schema) => {
    expect(sizeOf(schema, boundsOfOne)).toBeUndefined()
    const small = toolOf(object({ a: text }), 'small')
    const { tools, widened } = boundedTools([small, toolOf(schema)])
    expect(widened).toEqual(['f'])
    expect(tools).toEqual([small, toolOf({ type: 'object' })])
  })

  test('tools within the bounds are the list that was given', () => {
    const tools = [toolOf(object({ a: text }))]
    expect(boundedTools(tools).tools).toBe(tools)
  })

  test('of too many tools together the largest are widened, once for a list', () => {
    const sizes = [...Array.from({ length: 40 }, () => 300), 5]
    const tools = freezeList(sizes.map((count, at) => toolOf(object(named(count, (n) => [`p${n}`, text])), `f${at}`)))
    const found = boundedTools(tools)
    expect(found.widened.length).toBeGreaterThan(0)
    expect(found.widened.length).toBeLessThan(40)
    expect(found.widened).not.toContain('f40')
    const parts = found.tools.map(({ schema }) => sizeOf(schema, boundsOfOne)?.parts ?? Infinity)
    expect(parts.reduce((sum, one) => sum + one, 0)).toBeLessThan(boundsOfAll.parts + 3 * tools.length)
    expect(boundedTools(tools)).toBe(found)
  })
})

/** The same value; each look at a member or at the names of its members is a step. */
function watched<Value extends object>(value: Value): { value: Value; steps: () => number } {
  let steps = 0
  const made = new WeakMap<object, object>()
  const watch = (one: object): object => {
    const known = made.get(one)
    if (known) return known
    const proxy = new Proxy(one, {
      get(target, key) {
        steps++
        const member: unknown = Reflect.get(target, key)
        return typeof member === 'object' && member !== null ? watch(member) : member
      },
      ownKeys(target) {
        const keys = Reflect.ownKeys(target)
        steps += keys.length
        return keys
      },
    })
    made.set(one, proxy)
    return proxy
  }
  return { value: watch(value) as Value, steps: () => steps }
}

/** Each definition refers twice to the one before it. */
function chain(keyword: string, depth: number): JsonObject {
  const link = (at: number): JsonValue => ({
    [keyword]: [{ $ref: `#/$defs/d${at - 1}` }, { $ref: `#/$defs/d${at - 1}` }],
  })
  return object(
    { a: { $ref: `#/$defs/d${depth}` } },
    { $defs: named(depth + 1, (at) => [`d${at}`, at === 0 ? text : link(at)]) },
  )
}

function union(depth: number): JsonObject {
  return depth === 0 ? text : { anyOf: [union(depth - 1), union(depth - 1)] }
}

const big = { big: object(named(500, (at) => [`q${at}`, text])) }
const hostile: [what: string, schema: JsonObject][] = [
  ['a name of 64 kB among others', object({ ['k'.repeat(64_000)]: text }, { additionalProperties: true })],
  [
    '4000 names of up to 300',
    object(
      named(4000, (at) => ['p'.repeat((at % 300) + 1) + at, text]),
      { additionalProperties: true },
    ),
  ],
  [
    '150 names of 190',
    object(
      named(150, (at) => ['p'.repeat(190) + at, text]),
      { additionalProperties: true },
    ),
  ],
  [
    '10 000 properties, half required',
    object(
      named(10_000, (at) => [`p${at}`, text]),
      { required: Array.from({ length: 5000 }, (_, at) => `p${2 * at}`) },
    ),
  ],
  [
    '1300 properties, half required',
    object(
      named(1300, (at) => [`p${at}`, text]),
      { required: Array.from({ length: 650 }, (_, at) => `p${2 * at}`) },
    ),
  ],
  ['an enum of 100 000', object({ a: { enum: Array.from({ length: 100_000 }, (_, at) => `value-${at}`) } })],
  [
    'anyOf of 2000 objects',
    object({ a: { anyOf: Array.from({ length: 2000 }, (_, at) => object({ k: { const: at } })) } }),
  ],
  [
    'a tuple of 1000',
    object({ a: { type: 'array', prefixItems: Array.from({ length: 1000 }, () => ({ type: 'integer' })) } }),
  ],
  ['anyOf that doubles 60 times', chain('anyOf', 60)],
  ['allOf that doubles 60 times', chain('allOf', 60)],
  ['anyOf nested 10 deep', object({ a: union(10) })],
  [
    'allOf of 60 anyOfs',
    {
      type: 'object',
      allOf: Array.from({ length: 60 }, (_, at) => ({
        anyOf: [object({ [`p${at}`]: text }), object({ [`q${at}`]: text })],
      })),
    },
  ],
  [
    '300 properties that are 500 each',
    object(
      named(300, (at) => [`p${at}`, { $ref: '#/$defs/big', minProperties: at }]),
      { $defs: big },
    ),
  ],
  [
    '300 properties that are merged of 500 each',
    object(
      named(300, (at) => [`p${at}`, { allOf: [{ $ref: '#/$defs/big' }, { $ref: '#/$defs/big', minProperties: at }] }]),
      { $defs: big },
    ),
  ],
  [
    'a constant of 35 kB in 300 places',
    object(
      named(300, (at) => [`p${at}`, { $ref: '#/$defs/c' }]),
      { $defs: { c: { const: 'x'.repeat(35_000) } } },
    ),
  ],
]

const shapes = ['hermes', 'minimax-m3']
const testsOf = coveringTests(shapes)

describe.each(shapes)('the work for a grammar of %s is bounded, however large and nested its schema', (format) => {
  const test = testsOf(format)
  test.each(hostile)('%s', (_, schema) => {
    const { value, steps } = watched(schema)
    const request = { tools: [toolOf(value)], toolChoice: { type: 'required' as const }, parallelCalls: true }
    const grammar = printReplyGrammar(shapeOf(format), request)
    expect(steps()).toBeGreaterThan(0)
    expect(steps()).toBeLessThan(600_000)
    expect(grammar?.grammar.length).toBeLessThan(2_000_000)
    const tag = printReplyStructuralTag(shapeOf(format), request)
    expect(JSON.stringify(tag).length).toBeLessThan(2_000_000)
    expect(steps()).toBeLessThan(1_200_000)
  })
})
