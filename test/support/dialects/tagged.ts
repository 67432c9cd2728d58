import { expect, test } from 'vitest'
import type { JsonObject, Tool } from '../../../src/conversation/index.ts'
import type { Block, FormatData } from '../../../src/dialects/format/format.ts'
import { type BlockReading, readInPieces } from './format-reading.ts'

function tool(name: string, properties: Record<string, JsonObject>, required: string[] = []): Tool {
  return { name, description: '', schema: { type: 'object', properties, required } }
}

export const tools: readonly Tool[] = [
  tool('get_weather', { city: { type: 'string' }, days: { type: 'integer' } }, ['city']),
  tool('write', { path: { type: 'string' }, content: { type: 'string' } }),
  tool('plan', {
    note: { type: 'string' },
    filter: { type: 'object' },
    tags: { type: 'array' },
    loud: { type: 'boolean' },
  }),
]

export const paris = 'get_weather {"city":"Paris","days":3}'

export function read(blocks: readonly Block[], text: string, cut = false): BlockReading {
  return readInPieces(blocks, text, { tools, cut })
}

/**
 * A text and the calls that are read from it. `expected` has the deviations from the usual result: complete, without
 * notices, and with all text read.
 */
export type Case = readonly [
  name: string,
  format: FormatData,
  text: string,
  calls: readonly string[],
  expected?: Partial<BlockReading>,
]

export function readsAll(cases: readonly Case[]): void {
  for (const [name, format, text, calls, expected = {}] of cases) {
    test(`${format.name}: ${name}`, () => {
      const rest = expected.status === 'no-call' ? text : ''
      expect(read(format.blocks, text)).toEqual({ status: 'complete', notices: [], rest, ...expected, calls })
    })
  }
}
