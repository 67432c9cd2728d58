import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { promptContext, readPieces } from '../../test/support/dialects/replies.ts'
import { lawRuns } from '../../test/support/draws.ts'
import type { Tool } from '../conversation/index.ts'
import { callsOf } from './check/reading.ts'
import type { Dialect } from './format/dialect.ts'
import { dialects } from './registry.ts'

const tools: Tool[] = [
  { name: 'find', description: '', schema: { type: 'object', properties: { q: { type: 'string' } } } },
  { name: 'seek', description: '', schema: { type: 'object', properties: { q: { type: ['string', 'null'] } } } },
]

function written(dialect: Dialect, name: string, q: string): string {
  const call = { type: 'call' as const, id: 'call_1', name, arguments: JSON.stringify({ q }) }
  return dialect.renderAssistant([call], { ...promptContext, tools }, tools)
}

function read(dialect: Dialect, text: string, pieces: readonly string[] = [text]): unknown {
  const [call] = callsOf(readPieces(dialect, pieces, { tools }).events)
  return call && JSON.parse(call.json).q
}

/** The dialects that write strings between tags as they are. */
const raw = dialects.filter((dialect) => written(dialect, 'find', 'a "b" & c').includes('a "b" & c'))
/** Those whose models may be any, and write JSON there as well. */
const quoting: ReadonlySet<string> = new Set(['toolify'])

it('most dialects with tags write strings as they are', () => {
  expect(raw.map(({ name }) => name)).toEqual(
    expect.arrayContaining([
      'qwen3-coder',
      'seed-oss',
      'glm',
      'minimax-m2',
      'minimax-m3',
      'dsml',
      'kimi-k3',
      'toolify',
    ]),
  )
})

describe.each(raw.map((dialect) => [dialect.name, dialect] as const))('%s', (name, dialect) => {
  it('takes the quotes around a string for a part of it, if the family writes strings as they are', () => {
    const find = written(dialect, 'find', 'HERE').replace('HERE', '"exact phrase"')
    const seek = written(dialect, 'seek', 'HERE').replace('HERE', '"exact phrase"')
    const expected = quoting.has(name) ? 'exact phrase' : '"exact phrase"'
    expect([read(dialect, find), read(dialect, seek)]).toEqual([expected, expected])
    expect([read(dialect, find, [...find]), read(dialect, seek, [...seek])]).toEqual([expected, expected])
  })

  it('reads the strings that it writes, with quotes in them, null and sections', () => {
    const word = fc.constantFrom('"', '"', '\\', '\\"', 'null', 'None', '<![CDATA[', ']]>', 'a', ' ', '\n', '{', '1')
    const text = fc.array(word, { maxLength: 6 }).map((words) => words.join(''))
    const property = fc.property(text, fc.constantFrom('find', 'seek'), (q, to) => {
      const reply = written(dialect, to, q)
      expect([reply, read(dialect, reply), read(dialect, reply, [...reply])]).toEqual([reply, q, q])
    })
    fc.assert(property, { numRuns: 10 * lawRuns })
  })
})

it('reads a quoted string of any model as JSON', () => {
  const text = '<function_call><name>find</name><arguments><q>"exact phrase"</q></arguments></function_call>'
  const universal = dialects.find(({ name }) => name === 'universal')
  expect(universal && read(universal, text)).toBe('exact phrase')
})
