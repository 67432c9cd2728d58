import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { lawRuns } from '../../../../test/support/draws.ts'
import { universal } from '../../formats/universal.ts'
import { parseToolCalls } from '../../parse-tool-calls.ts'
import { readableBlockOf } from '../format/readable-block.ts'

const parameters = { type: 'object', properties: { city: { type: 'string' } } }
const tools = [{ name: 'get_weather', parameters }, 'run']
const forms = [
  '<tool_call>{"name": "get_weather", "arguments": {"city": "Oslo"}}</tool_call>',
  '<invoke name="get_weather"><parameter name="city">Oslo</parameter></invoke>',
  '<get_weather><city>Oslo</city></get_weather>',
  '{"name": "get_weather", "arguments": {"city": "Oslo"}}',
]

describe('a closing tag after a call', () => {
  it.each(forms)('is text if no format and no call has an element of its name: %s', (written) => {
    const word = fc.stringMatching(/^[a-z][a-z_]{0,11}$/).filter((name) => !known(name))
    fc.assert(
      fc.property(word, (name) => {
        const { calls, text } = parseToolCalls(`${written}</${name}>`, { tools })
        expect([calls.map(({ json }) => json), text]).toEqual([['{"city":"Oslo"}'], `</${name}>`])
      }),
      { numRuns: lawRuns },
    )
  })

  it('goes if it repeats the one that closed the call', () => {
    const { calls, text } = parseToolCalls(`${forms[2]}</get_weather>\nDone.`, { tools })
    expect([calls.length, text]).toEqual([1, 'Done.'])
  })

  it('closes a call of an element only if it has its name', () => {
    const { calls, text } = parseToolCalls('<get_weather><city>Oslo</city></x> Done.', { tools })
    expect([calls.length, text]).toEqual([1, '</x> Done.'])
  })
})

const closers = universal.blocks.flatMap((block) => readableBlockOf(block).program.closers)

/** True if a format closes something by a tag of that name, a turn for example, or thinks in one. */
function known(name: string): boolean {
  const tag = `</${name}>`
  const thinks = ['think', 'thinking', 'thought', 'reasoning', 'analysis']
  const isMarker = universal.markers?.includes(tag) ?? false
  return thinks.includes(name) || isMarker || closers.some(({ whole }) => whole.execAt(tag, 0)?.[0] === tag)
}
