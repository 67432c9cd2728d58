import { expect, test } from 'vitest'
import { schemaFault } from '../../../test/support/grammar/schema.ts'
import type { JsonObject, Tool } from '../../conversation/index.ts'
import { callsSchema } from './json-schema-format.ts'

const tree: Tool = {
  name: 'grow',
  description: '',
  schema: {
    properties: { root: { $ref: '#/$defs/node' }, literal: { const: { $ref: '#/x' } } },
    required: ['root'],
    $defs: { node: { type: 'object', properties: { left: { $ref: '#/$defs/node' } }, additionalProperties: false } },
  },
}
const now: Tool = { name: 'now', description: '', schema: {} }
const tools = [tree, now]
const auto = { toolChoice: { type: 'auto' } } as const
const person: JsonObject = {
  type: 'object',
  properties: { age: { $ref: '#/$defs/age' } },
  required: ['age'],
  $defs: { age: { type: 'object', properties: { of: { type: 'integer' } } } },
}

test.each<[what: string, request: Partial<Parameters<typeof callsSchema>[0]>, value: unknown, fits: boolean]>([
  ['a call', {}, { name: 'now', arguments: {} }, true],
  ['another tool', {}, { name: 'later', arguments: {} }, false],
  ['references of the tool', {}, { name: 'grow', arguments: { root: { left: { left: {} } } } }, true],
  ['what they do not allow', {}, { name: 'grow', arguments: { root: { left: { right: {} } } } }, false],
  ['arguments that are missing', {}, { name: 'grow', arguments: {} }, false],
  ['arguments of another tool', {}, { name: 'grow', arguments: { root: 1 } }, false],
  [
    'a list',
    { parallelCalls: true },
    [
      { name: 'now', arguments: {} },
      { name: 'now', arguments: {} },
    ],
    true,
  ],
  ['an empty list', { parallelCalls: true }, [], false],
  ['one where a list is wanted', { parallelCalls: true }, { name: 'now', arguments: {} }, false],
  ['the named tool', { toolChoice: { type: 'named', name: 'now' } }, { name: 'now', arguments: {} }, true],
  [
    'another than the named',
    { toolChoice: { type: 'named', name: 'now' } },
    { name: 'grow', arguments: { root: {} } },
    false,
  ],
  ['text instead', { toolChoice: { type: 'auto' } }, { text: 'Hi.' }, true],
  ['text where a call is demanded', {}, { text: 'Hi.' }, false],
  ['a response instead', { ...auto, responseSchema: person }, { age: { of: 3 } }, true],
  ['a call beside a response', { ...auto, responseSchema: person }, { name: 'now', arguments: {} }, true],
  ['text where a response is wanted', { ...auto, responseSchema: person }, { text: 'Hi.' }, false],
  ['a response where a call is demanded', { responseSchema: person }, { age: { of: 3 } }, false],
  ['a response without tools', { tools: [], responseSchema: person }, { age: { of: 3 } }, true],
  ['a response that does not fit', { toolChoice: { type: 'none' }, responseSchema: person }, { age: 3 }, false],
  ['any object', { toolChoice: { type: 'none' }, responseSchema: true }, { a: 1 }, true],
  ['no object', { toolChoice: { type: 'none' }, responseSchema: true }, [1], false],
  ['other keys', { keys: { name: 'tool', arguments: 'input' } }, { tool: 'now', input: {} }, true],
])('%s', (_what, request, value, fits) => {
  const schema = callsSchema({ tools, toolChoice: { type: 'required' }, parallelCalls: false, ...request })
  expect(schemaFault(schema, value) === undefined).toBe(fits)
})

test('a value that looks like a reference stays', () => {
  const schema = callsSchema({ tools, toolChoice: { type: 'required' }, parallelCalls: false })
  expect(schema).toHaveProperty(['$defs', 'tool_0', 'properties', 'literal', 'const'], { $ref: '#/x' })
})

test('nothing to call', () => {
  expect(callsSchema({ tools, toolChoice: { type: 'none' }, parallelCalls: false })).toBeUndefined()
  expect(callsSchema({ tools: [], toolChoice: { type: 'required' }, parallelCalls: false })).toBeUndefined()
})
