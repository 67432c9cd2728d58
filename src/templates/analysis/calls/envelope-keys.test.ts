import { expect, test } from 'vitest'
import type { JsonValue } from '../../../conversation/index.ts'
import { nonces } from '../probes/nonces.ts'
import { slots } from '../probes/slots.ts'
import { envelopeKeys } from './envelope-keys.ts'

const args: JsonValue = { [nonces.keys[0]]: nonces.values[0] }
const encoded = JSON.stringify(args)
const { name, id } = slots
const inFunction = (arguments_: JsonValue): JsonValue => ({ name, arguments: arguments_ })

test.each<[what: string, first: JsonValue, second: JsonValue | undefined, found: object | undefined]>([
  [
    'name and arguments',
    { name, parameters: args },
    { name, parameters: args },
    { name: 'name', arguments: 'parameters', order: ['name', 'parameters'] },
  ],
  [
    "OpenAI's object",
    { id, type: 'function', function: inFunction(encoded) },
    { id, type: 'function', function: inFunction(encoded) },
    {
      name: 'name',
      arguments: 'arguments',
      id: 'id',
      isEncoded: true,
      inside: 'function',
      insideOrder: ['name', 'arguments'],
      constants: { type: 'function' },
      order: ['id', 'type', 'function'],
    },
  ],
  [
    'a number from 1, after',
    { fn: name, kwargs: args, ref: 1 },
    { fn: name, kwargs: args, ref: 2 },
    { name: 'fn', arguments: 'kwargs', index: { key: 'ref', from: 1 }, order: ['fn', 'kwargs', 'ref'] },
  ],
  [
    'a number from 0, as text',
    { tool_call_id: '0', tool: name, input: args },
    { tool_call_id: '1', tool: name, input: args },
    {
      name: 'tool',
      arguments: 'input',
      index: { key: 'tool_call_id', from: 0, isText: true },
      order: ['tool_call_id', 'tool', 'input'],
    },
  ],
  [
    'a number that does not count',
    { name, input: args, version: 1, index: 0 },
    { name, input: args, version: 1, index: 0 },
    {
      name: 'name',
      arguments: 'input',
      constants: { version: 1, index: 0 },
      order: ['name', 'input', 'version', 'index'],
    },
  ],
  [
    'numbers, where there is one call alone',
    { name, input: args, version: 1, call_id: 0 },
    undefined,
    {
      name: 'name',
      arguments: 'input',
      index: { key: 'call_id', from: 0 },
      constants: { version: 1 },
      order: ['name', 'input', 'version', 'call_id'],
    },
  ],
  [
    'what is neither constant nor counted',
    { name, input: args, at: 17, note: nonces.text, more: { a: 1 } },
    { name, input: args, at: 23, note: nonces.text, more: { a: 1 } },
    { name: 'name', arguments: 'input', order: ['name', 'input'] },
  ],
  [
    'the name as key',
    { id, [name]: args },
    { id, [name]: args },
    { name: undefined, arguments: 'arguments', id: 'id', order: ['id', 'arguments'] },
  ],
  ['a name without arguments', { name, input: 'x' }, undefined, undefined],
  ['a call two objects deep', { a: { b: { name, input: args } } }, undefined, undefined],
  ['no object', [name, args], undefined, undefined],
])('finds %s', (_what, first, second, found) => {
  expect(envelopeKeys(first, second)).toEqual(found)
})
