import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { JsonObject, JsonValue } from '../../conversation/index.ts'
import { KnownTools } from './known-tools.ts'

const tool = (name: string, description = 'Runs.'): JsonObject => ({
  name,
  description,
  input_schema: { type: 'object', properties: { tools: { enum: ['a "quoted" [word', '\\'] } } },
})

const adopt = (known: KnownTools, body: JsonObject | string): JsonObject =>
  known.adopt(known.parse(typeof body === 'string' ? body : JSON.stringify(body))) as JsonObject

test.each<[string, (body: JsonObject) => string]>([
  ['as JavaScript writes it', (body) => JSON.stringify(body)],
  ['indented', (body) => JSON.stringify(body, null, 2)],
  ['as Python writes it', (body) => JSON.stringify(body, null, 1).replaceAll(/\n */g, ' ')],
  ['with escapes', (body) => JSON.stringify(body).replaceAll('R', '\\u0052')],
])('tools that came before are the same list, in a body %s', (_, write) => {
  const known = new KnownTools()
  const tools = [tool('a'), tool('b')]
  const first = adopt(known, JSON.stringify({ model: 'm', messages: ['one'], tools, stream: true }))
  const next = adopt(known, write({ tools, model: 'm', messages: ['one', { tools: [1] }, 'two'] }))
  expect(next).toEqual({ tools, model: 'm', messages: ['one', { tools: [1] }, 'two'] })
  expect(next.tools).toBe(first.tools)
  expect(Object.isFrozen(first.tools)).toBe(true)
})

test('the fields of a body keep their order', () => {
  const known = new KnownTools()
  const body = { model: 'm', tools: [tool('a')], stream: true }
  adopt(known, body)
  expect(Object.keys(adopt(known, body))).toEqual(['model', 'tools', 'stream'])
})

test.each<[string, JsonValue[]]>([
  ['another order', [tool('b'), tool('a')]],
  ['one less', [tool('a')]],
  ['one more', [tool('a'), tool('b'), tool('c')]],
  ['another description', [tool('a'), tool('b', 'Walks.')]],
])('%s is another list', (_, tools) => {
  const known = new KnownTools()
  adopt(known, { tools: [tool('a'), tool('b')] })
  expect(adopt(known, { tools })).toEqual({ tools })
})

test.each([
  ['further inside', '{"metadata":{"tools":[{"name":"a"}]},"tools":[]}'],
  ['only further inside', '{"metadata":{"tools":[{"name":"a"}]}}'],
  ['in the arguments of a call', '{"messages":[{"tools":[{"name":"a"}]}]}'],
  ['in a body that is a list', '[{"tools":[{"name":"a"}]}]'],
  ['as an object', '{"tools":{"0":{"name":"a"}}}'],
])('known tools %s are not replaced', (_, text) => {
  const known = new KnownTools()
  adopt(known, '{"tools":[{"name":"a"}]}')
  const body: unknown = JSON.parse(text)
  expect(known.adopt(body)).toBe(body)
  expect(adopt(known, text)).toEqual(JSON.parse(text))
})

test('whatever came before, a body says what it says', () => {
  const { value } = fc.letrec<{ value: JsonValue; list: JsonValue[]; object: JsonObject }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      fc.constantFrom<JsonValue>('"tools":[', '\\', 1, '1', null),
      tie('list'),
      tie('object'),
    ),
    list: fc.array(tie('value'), { maxLength: 3 }),
    object: fc.dictionary(fc.constantFrom('tools', '"tools', 'a', '__proto__'), tie('value'), { maxKeys: 3 }),
  }))
  fc.assert(
    fc.property(fc.array(value, { maxLength: 8 }), (bodies) => {
      const known = new KnownTools()
      for (const body of bodies) {
        const text = JSON.stringify(body)
        expect(JSON.stringify(known.adopt(known.parse(text)))).toBe(text)
      }
    }),
  )
})

test.each([
  '{"tools":[{"name":"a"}]',
  '{"tools":[{"name":"a"}]]}',
  '{"tools":[{"name":"a"}],}',
  '{"tools":[{"name":"a"}] "b"}',
])('a body that is not JSON has the error of JSON.parse: %s', (text) => {
  const known = new KnownTools()
  adopt(known, '{"tools":[{"name":"a"}]}')
  let expected: unknown
  try {
    JSON.parse(text)
  } catch (error) {
    expected = error
  }
  expect(() => known.parse(text)).toThrow(expected as SyntaxError)
})

test('of tools that are given twice the last ones count', () => {
  const known = new KnownTools()
  adopt(known, '{"tools":[{"name":"a"}]}')
  expect(adopt(known, '{"tools":[{"name":"a"}],"tools":[{"name":"b"}]}')).toEqual({ tools: [{ name: 'b' }] })
  expect(adopt(known, '{"tools":[{"name":"b"}],"tools":[{"name":"a"}]}')).toEqual({ tools: [{ name: 'a' }] })
})

test('the list that was not used for longest is forgotten, one that is used is kept', () => {
  const known = new KnownTools()
  const listOf = (name: string): unknown => adopt(known, { tools: [tool(name, 'x'.repeat(1_000_000))] }).tools
  const [a, b] = [listOf('a'), listOf('b')]
  // Each takes a million characters: six fit beside `a`.
  for (const name of ['c', 'd', 'e', 'f', 'g', 'h', 'i']) {
    listOf(name)
    expect(listOf('a')).toBe(a)
  }
  expect(listOf('b')).not.toBe(b)
})

test('a hundred small lists are remembered', () => {
  const known = new KnownTools()
  const lists = Array.from({ length: 101 }, (_, n) => adopt(known, { tools: [tool(`t${n}`)] }).tools)
  expect(adopt(known, { tools: [tool('t100')] }).tools).toBe(lists[100])
  expect(adopt(known, { tools: [tool('t1')] }).tools).toBe(lists[1])
  expect(adopt(known, { tools: [tool('t0')] }).tools).not.toBe(lists[0])
})

test('a list longer than a quarter of all that is remembered is used as it came', () => {
  const known = new KnownTools()
  const list = (): unknown => adopt(known, { tools: [tool('long', 'x'.repeat(2_000_000))] }).tools
  expect(list()).not.toBe(list())
})

test('a remembered list keeps no body in memory', () => {
  setFlagsFromString('--expose-gc')
  const collect: () => void = runInNewContext('gc')
  const megabytes = (): number => {
    collect()
    const { heapUsed, external } = process.memoryUsage()
    return (heapUsed + external) / 1e6
  }
  const known = new KnownTools()
  const before = megabytes()
  for (let n = 0; n < 30; n++) adopt(known, { messages: [`${'x'.repeat(1_000_000)}${n}`], tools: [tool(`t${n}`)] })
  expect(megabytes() - before).toBeLessThan(10)
  expect(Object.isFrozen(adopt(known, { tools: [tool('t29')] }).tools)).toBe(true)
})
