import { describe, expect, test } from 'vitest'
import { readBlock } from '../../../../test/support/dialects/format-reading.ts'
import { lawRuns } from '../../../../test/support/draws.ts'
import { admits, derive, parseGbnf } from '../../../../test/support/grammar/gbnf.ts'
import { randomOf } from '../../../../test/support/grammar/random.ts'
import type { Tool } from '../../../conversation/index.ts'
import { makeCallsGrammar } from '../../gbnf/calls/grammar.ts'
import { close, type EnvelopeKeys, type Expression, jsonCalls, sequence } from '../../tree/expression.ts'
import { writeCalls } from '../../write/write.ts'

function tool(name: string, ...keys: string[]): Tool {
  const properties = Object.fromEntries(keys.map((key) => [key, { type: 'string' as const }]))
  return { name, description: '', schema: { type: 'object', properties } }
}

/** Tools that are named like members of calls, and take arguments that are. */
const tools = [tool('look', 'city', 'type', 'kwargs'), tool('plan'), tool('type', 'input'), tool('role')]
const calls = [
  { name: 'look', id: 'c1', arguments: '{"city":"a","type":"b"}' },
  { name: 'plan', id: 'c2', arguments: '{}' },
  { name: 'type', id: 'c3', arguments: '{"input":"c"}' },
]
const read = ['look {"city":"a","type":"b"}', 'plan {}', 'type {"input":"c"}']

function treeOf(keys: EnvelopeKeys): Expression {
  return sequence('<c>', jsonCalls(keys), close('</c>'))
}

const forms: Readonly<Record<string, { keys: EnvelopeKeys; first: string }>> = {
  "OpenAI's": {
    keys: {
      name: 'name',
      arguments: 'arguments',
      isEncoded: true,
      id: 'id',
      inside: 'function',
      constants: { type: 'function' },
      order: ['id', 'type', 'function'],
    },
    first:
      '{"id": "c1", "type": "function", "function": {"name": "look", "arguments": "{\\"city\\": \\"a\\", \\"type\\": \\"b\\"}"}}',
  },
  'keys that no family has': {
    keys: { name: 'fn', arguments: 'kwargs', id: 'nonce', order: ['nonce', 'kwargs', 'fn'] },
    first: '{"nonce": "c1", "kwargs": {"city": "a", "type": "b"}, "fn": "look"}',
  },
  'keys that mean something else elsewhere': {
    keys: { name: 'type', arguments: 'content', constants: { name: 'tool', parameters: null, role: true } },
    first: '{"type": "look", "content": {"city": "a", "type": "b"}, "name": "tool", "parameters": null, "role": true}',
  },
  'a number of the call': {
    keys: { name: 'tool', arguments: 'input', index: { key: 'ref', from: 1 } },
    first: '{"tool": "look", "input": {"city": "a", "type": "b"}, "ref": 1}',
  },
  'a number as text, before all': {
    keys: { name: 'tool', arguments: 'input', index: { key: 'nth', from: 0, isText: true }, order: ['nth'] },
    first: '{"nth": "0", "tool": "look", "input": {"city": "a", "type": "b"}}',
  },
  'all inside': {
    keys: {
      name: 'name',
      arguments: 'args',
      inside: 'invoke',
      id: 'id',
      constants: { v: 2 },
      insideOrder: ['id', 'name', 'args', 'v'],
    },
    first: '{"invoke": {"id": "c1", "name": "look", "args": {"city": "a", "type": "b"}, "v": 2}}',
  },
  'the name as key': {
    keys: { name: undefined, arguments: '' },
    first: '{"look": {"city": "a", "type": "b"}}',
  },
  'the name as key, inside, after a constant': {
    keys: {
      name: undefined,
      arguments: '*',
      inside: 'call',
      constants: { action: 'call' },
      id: 'nr',
      order: ['action', 'call', 'nr'],
    },
    first: '{"action": "call", "call": {"look": {"city": "a", "type": "b"}}, "nr": "c1"}',
  },
  'the name as key, after an id': {
    keys: { name: undefined, arguments: '*', id: 'id', order: ['id', '*'] },
    first: '{"id": "c1", "look": {"city": "a", "type": "b"}}',
  },
}

describe.each(Object.entries(forms))('%s', (_name, { keys, first }) => {
  const tree = treeOf(keys)
  const grammar = parseGbnf(
    makeCallsGrammar(tree, { tools, toolChoice: { type: 'required' }, parallelCalls: true })?.grammar ?? '',
  )

  test('is written in its order', () => {
    expect(writeCalls(tree, calls.slice(0, 1), tools)).toBe(`<c>[${first}]</c>`)
  })

  test('is read back without a notice, and admitted', () => {
    const text = writeCalls(tree, calls, tools)
    const { status, notices, calls: found } = readBlock([{ tree, place: 'anywhere' }], text, { tools })
    expect({ status, notices, calls: found }).toEqual({ status: 'complete', notices: [], calls: read })
    expect(admits(grammar, text)).toBe(true)
  })

  test('what its grammar draws is read without a notice', () => {
    for (let draw = 1; draw <= 2 * lawRuns; draw++) {
      const text = derive(grammar, randomOf(draw), 80)
      const { status, notices, calls: found } = readBlock([{ tree, place: 'anywhere' }], text, { tools })
      expect([text, status, notices, found.length > 0]).toEqual([text, 'complete', [], true])
    }
  })
})

const openai = forms["OpenAI's"]?.keys ?? { name: 'name', arguments: 'arguments' }
const strange = forms['keys that no family has']?.keys ?? openai
const nameKey = forms['the name as key']?.keys ?? openai

test.each<[what: string, keys: EnvelopeKeys, json: string, calls: string[], notices: string[]]>([
  [
    'the name in place of the object',
    openai,
    '{"function": "look", "arguments": {"city": "a"}}',
    ['look {"city":"a"}'],
    [],
  ],
  ['no object inside', openai, '{"name": "look", "arguments": {"city": "a"}}', ['look {"city":"a"}'], []],
  ['keys of other families', strange, '{"name": "look", "input": {"city": "a"}}', ['look {"city":"a"}'], []],
  [
    'what is no member of the format',
    strange,
    '{"fn": "look", "colour": "red", "kwargs": {"city": "a"}}',
    ['look {"city":"a"}'],
    ['ignored-member'],
  ],
  ['another constant', openai, '{"type": "tool", "function": {"name": "role", "arguments": "{}"}}', ['role {}'], []],
  ['a call with keys, where the name is one', nameKey, '{"name": "look", "arguments": {}}', ['look {}'], []],
])('tolerates %s', (_what, keys, json, expected, codes) => {
  const reading = readBlock([{ tree: treeOf(keys), place: 'anywhere' }], `<c>[${json}]</c>`, { tools })
  expect([reading.calls, reading.notices]).toEqual([expected, codes])
})

test.each<[what: string, json: string, status: string, calls: string[]]>([
  ['a tool that is named like a member', '{"plan": {}}', 'complete', ['plan {}']],
  ['the same with arguments', '{"type": {"input": "a"}}', 'complete', ['type {"input":"a"}']],
  ['what is none of the tools', '{"thought": {"a": 1}}', 'no-call', []],
])('names as keys, without a marker: %s', (_what, json, status, expected) => {
  const tree = jsonCalls(nameKey, { isBare: true })
  const reading = readBlock([{ tree, place: 'line' }], json, { tools })
  expect([reading.status, reading.calls]).toEqual([status, expected])
})
