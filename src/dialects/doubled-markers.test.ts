import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { callsOf, cut, promptContext, readPieces, textOf } from '../../test/support/dialects/replies.ts'
import { tool } from '../../test/support/dialects/tables.ts'
import { lawRuns } from '../../test/support/draws.ts'
import type { Dialect } from './format/dialect.ts'
import { dialects } from './registry.ts'

const tools = [tool('get_weather', { city: 'string' })]
const call = { type: 'call' as const, id: 'call_0', name: 'get_weather', arguments: '{"city":"Paris"}' }
const opener = /<(?!\/)[^<>\s"'=]+>|\[[A-Z_]{3,}\]/g

/** Their markers are parts of longer ones: if such a part is written twice, it may stay text. */
const withLongMarkers: ReadonlySet<string> = new Set(['kimi-k3', 'minimax-m3', 'internlm', 'gigachat3'])

function read(dialect: Dialect, pieces: readonly string[]) {
  const { events } = readPieces(dialect, pieces, { tools })
  return { text: textOf(events).trim(), calls: callsOf(events).map(({ name, json }) => [name, json]) }
}

/** The texts before and from each marker with which a written call begins: the call is read from there on as well. */
function openersOf(dialect: Dialect): { before: string; marker: string; rest: string }[] {
  const text = dialect.renderAssistant([call], promptContext, tools)
  return [...text.slice(0, text.indexOf(call.name)).matchAll(opener)]
    .map(({ index, 0: marker }) => ({ before: text.slice(0, index), marker, rest: text.slice(index) }))
    .filter(({ marker, rest }) => !promptContext.trigger.includes(marker) && read(dialect, [rest]).calls.length === 1)
}

const withOpeners = dialects
  .map((dialect) => ({ dialect, openers: openersOf(dialect) }))
  .filter(({ openers }) => openers.length > 0)

describe('an opening marker that is written twice', () => {
  it.each(withOpeners.map((one) => [one.dialect.name, one] as const))(
    '%s: reads the call',
    (_name, { dialect, openers }) => {
      const places = fc.array(fc.nat(), { maxLength: 6 })
      const drawn = fc.tuple(
        fc.constantFrom(...openers),
        fc.constantFrom('', '\n', ' '),
        places,
        fc.constantFrom('', 'I look.\n'),
      )
      fc.assert(
        fc.property(drawn, ([{ before, marker, rest }, between, places, said]) => {
          const whole = said + before + marker + between + rest
          const { text, calls } = read(dialect, cut(whole, places))
          expect(calls).toEqual(read(dialect, [said + before + rest]).calls)
          if (!withLongMarkers.has(dialect.name)) expect(text).toBe(said.trim())
        }),
        { numRuns: 4 * lawRuns },
      )
    },
  )
})
