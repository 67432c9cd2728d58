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

const parse = (known: KnownTools, body: JsonObject | string): JsonObject =>
  known.parse(typeof body === 'string' ? body : JSON.stringify(body)) as JsonObject

test.each<[string, (body: JsonObject) => string]>([
  ['as JavaScript writes it', (body) => JSON.stringify(body)],
  ['indented', (body) => JSON.stringify(body, null, 2)],
  ['as Python writes it', (body) => JSON.stringify(body, null, 1).replaceAll(/\n */g, ' ')],
  ['with escapes', (body) => JSON.stringify(body).replaceAll('R', '\\u0052')],
])('tools that came before are the same list, in a body %s', (_, write) => {
  const known = new KnownTools()
  const tools = [tool('a'), tool('b')]
  const first = parse(known, write({ model: 'm', messages: ['one'], tools, stream: true }))
  const next = parse(known, write({ tools, model: 'm', messages: ['one', { tools: [1] }, 'two'] }))
  expect(next).toEqual({ tools, model: 'm', messages: ['one', { tools: [1] }, 'two'] })
  expect(next.tools).toBe(first.tools)
  expect(Object.isFrozen(first.tools)).toBe(true)
})

test('the fields of a body keep their order', () => {
  const known = new KnownTools()
  const body = { model: 'm', tools: [tool('a')], stream: true }
  parse(known, body)
  expect(Object.keys(parse(known, body))).toEqual(['model', 'tools', 'stream'])
})

test.each<[string, JsonValue[]]>([
  ['another order', [tool('b'), tool('a')]],
  ['one less', [tool('a')]],
  ['one more', [tool('a'), tool('b'), tool('c')]],
  ['another description', [tool('a'), tool('b', 'Walks.')]],
])('%s is another list', (_, tools) => {
  const known = new KnownTools()
  parse(known, { tools: [tool('a'), tool('b')] })
  expect(parse(known, { tools })).toEqual({ tools })
})

const known = '[{"name":"a"}]'
test.each([
  ['further inside', `{"metadata":{"tools":${known}},"tools":[]}`],
  ['only further inside', `{"metadata":{"tools":${known}}}`],
  ['in the arguments of a call before the tools', `{"messages":[{"tools":${known}}],"tools":${known}}`],
  ['overridden', `{"tools":${known},"tools":[{"name":"b"}]}`],
  ['twice', `{"tools":${known},"tools":${known}}`],
  ['in a text', JSON.stringify({ text: `"tools":${known}`, tools: [] })],
  ['under a key that only ends alike', `{"\\"tools":${known},"tools":[{"name":"b"}]}`],
  ['in a body that is a list', `[{"tools":${known}}]`],
  ['behind a byte order that JSON does not know', `\uFEFF{"tools":${known}}`],
  ['in a body that breaks off behind it', `{"tools":${known}`],
  ['in a body that goes on wrongly', `{"tools":${known}]}`],
  ['in no body at all', known],
])('a list that is known, %s, changes nothing of what a body says', (_, body) => {
  const tools = new KnownTools()
  parse(tools, `{"tools":${known}}`)
  expect(outcome(() => tools.parse(body))).toEqual(outcome(() => JSON.parse(body)))
})

test('whatever came before, a body says what it says', () => {
  const { value } = fc.letrec<{ value: JsonValue; list: JsonValue[]; object: JsonObject }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      fc.constantFrom<JsonValue>('"tools":[', '\\', 1, null),
      tie('list'),
      tie('object'),
    ),
    list: fc.array(tie('value'), { maxLength: 3 }),
    object: fc.dictionary(fc.constantFrom('tools', '"tools', 'a', '__proto__'), tie('value'), { maxKeys: 3 }),
  }))
  const bodies = fc.array(fc.tuple(value, fc.constantFrom(0, 1), fc.nat({ max: 400 })), { maxLength: 8 })
  fc.assert(
    fc.property(bodies, (sent) => {
      const tools = new KnownTools()
      for (const [body, indent, cut] of sent) {
        const text = JSON.stringify(body, null, indent)
        for (const part of [text, text.slice(0, cut)]) {
          expect(outcome(() => tools.parse(part))).toEqual(outcome(() => JSON.parse(part)))
        }
      }
    }),
  )
})

function outcome(parse: () => unknown): unknown {
  try {
    return { value: parse() }
  } catch (error) {
    return String(error)
  }
}

test('what was not used for long is forgotten, what is used is kept', () => {
  const known = new KnownTools()
  const listOf = (name: string): unknown => parse(known, { tools: [tool(name, 'x'.repeat(1_000_000))] }).tools
  const [a, b] = [listOf('a'), listOf('b')]
  // Each takes a million characters: six fit beside `a`.
  for (const name of ['c', 'd', 'e', 'f', 'g', 'h', 'i']) {
    listOf(name)
    expect(listOf('a')).toBe(a)
  }
  expect(listOf('b')).not.toBe(b)
})

test('of small lists a hundred are remembered', () => {
  const known = new KnownTools()
  const lists = Array.from({ length: 101 }, (_, n) => parse(known, { tools: [tool(`t${n}`)] }).tools)
  expect(parse(known, { tools: [tool('t100')] }).tools).toBe(lists[100])
  expect(parse(known, { tools: [tool('t1')] }).tools).toBe(lists[1])
  expect(parse(known, { tools: [tool('t0')] }).tools).not.toBe(lists[0])
})

test('tools that nest deep are taken as any', () => {
  const body = `{"tools":${'['.repeat(100_000)}${']'.repeat(100_000)}}`
  expect(() => new KnownTools().parse(body)).not.toThrow()
})

test('a list that is remembered holds on to no body', () => {
  setFlagsFromString('--expose-gc')
  const collect: () => void = runInNewContext('gc')
  const megabytes = (): number => {
    collect()
    const { heapUsed, external } = process.memoryUsage()
    return (heapUsed + external) / 1e6
  }
  const known = new KnownTools()
  const before = megabytes()
  for (let n = 0; n < 30; n++) parse(known, { messages: [`${'x'.repeat(1_000_000)}${n}`], tools: [tool(`t${n}`)] })
  expect(megabytes() - before).toBeLessThan(10)
  expect(Object.isFrozen(parse(known, { tools: [tool('t29')] }).tools)).toBe(true)
})
