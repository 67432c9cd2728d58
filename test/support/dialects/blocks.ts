import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Tool } from '../../../src/conversation/index.ts'
import type { Block } from '../../../src/dialects/format/format.ts'
import { lawRuns } from '../draws.ts'
import { tool } from './acceptance-case.ts'
import { readBlock, readInPieces } from './format-reading.ts'

const weather = tool('get_weather', { 'city!': 'string', days: 'integer' })
const f = tool('f', { a: {}, b: 'string', list: 'array', opts: 'object' })
const clock = tool('get_time', {})
const dotted = tool('Calendar.create_event', { title: 'string', participants: 'array', metadata: 'object' })
export const tools: readonly Tool[] = [weather, f, clock, dotted]

/** The text of a block, its calls and, if they are not the usual ones, its notices and the rest of the text. */
export type Case = readonly [text: string, calls: readonly string[], notices?: readonly string[], rest?: string]

/** Blocks that are read to their end. */
export function readsAll(name: string, blocks: readonly Block[], cases: readonly Case[]): void {
  describe(name, () => {
    it.each(cases.map((given) => [given[0], given] as const))(
      'reads %j',
      (text, [, calls, notices = [], rest = '']) => {
        const reading = readInPieces(blocks, text, { tools })
        expect(reading).toEqual({ status: 'complete', calls, notices, rest })
      },
    )
  })
}

/** Texts that look like a block but are not one: nothing of them is taken, so that another format may be tried. */
export function findsNone(name: string, blocks: readonly Block[], texts: readonly string[]): void {
  describe(name, () => {
    it.each(texts)('finds no call in %j', (text) => {
      expect(readInPieces(blocks, text, { tools })).toEqual({ status: 'no-call', calls: [], notices: [], rest: text })
    })
  })
}

/** Calls that cannot be read on, or whose text is cut. */
export function breaksOff(
  name: string,
  blocks: readonly Block[],
  cases: readonly (readonly [string, readonly string[]])[],
): void {
  describe(name, () => {
    it.each(cases)('breaks off %j', (text, calls) => {
      const reading = readInPieces(blocks, text, { tools, cut: true })
      expect([reading.status, reading.calls]).toEqual(['broken', calls])
    })
  })
}

const garbage: readonly string[] = [
  ...[
    'f',
    'f(',
    'get_weather',
    'city',
    'city="P"',
    'a=',
    '1',
    'None',
    '"Paris"',
    '{"city": "Paris"}',
    'x y',
    '\u{1f600}',
  ],
  ...[
    '(',
    ')',
    ')]',
    '[',
    ']',
    '{',
    '}',
    ',',
    ':',
    '=',
    '"',
    "'",
    '"""',
    '**',
    '\\',
    '<',
    '|',
    '>',
    '-',
    '.',
    ' ',
    '\n',
  ],
]

/** Any text after one of the format's own `words`. */
export function readsGarbageAlike(name: string, blocks: readonly Block[], words: readonly string[]): void {
  it(`${name}: reads garbage alike in any pieces, and gives no call that is whole but no JSON`, () => {
    const part = fc.constantFrom(...words, ...garbage)
    fc.assert(
      fc.property(fc.constantFrom(...words), fc.array(part, { maxLength: 18 }), fc.boolean(), (head, parts, cut) => {
        const text = head + parts.join('')
        const whole = readBlock(blocks, text, { tools, cut })
        for (const size of [1, 3]) expect(readBlock(blocks, text, { tools, cut, size })).toEqual(whole)
        const calls = whole.status === 'broken' ? whole.calls.slice(0, -1) : whole.calls
        for (const call of calls) expect(() => JSON.parse(call.slice(call.indexOf(' ')))).not.toThrow()
      }),
      { numRuns: 20 * lawRuns },
    )
  })
}
