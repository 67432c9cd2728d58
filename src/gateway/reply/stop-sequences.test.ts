import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { ReplyEvent } from '../../conversation/index.ts'
import { StopSequences } from './stop-sequences.ts'

const text = (text: string): ReplyEvent => ({ type: 'text', text })
const finish: ReplyEvent = { type: 'finish', reason: 'stop' }
const callStart: ReplyEvent = { type: 'call-start', index: 0, id: 'c', name: 'run' }
const argument = (json: string): ReplyEvent => ({ type: 'call-arguments', index: 0, json })
const callEnd: ReplyEvent = { type: 'call-end', index: 0, complete: true }

/** Filters batch by batch until a sequence ends the reply; neighbouring texts are joined. */
function run(sequences: string[], batches: ReplyEvent[][]): { events: ReplyEvent[]; stoppedBy: string | undefined } {
  const stops = new StopSequences(sequences)
  const events: ReplyEvent[] = []
  let stoppedBy: string | undefined
  for (const batch of batches) {
    const filtered = stops.filter(batch)
    for (const event of filtered.events) {
      const last = events.at(-1)
      if (event.type === 'text' && last?.type === 'text') events[events.length - 1] = text(last.text + event.text)
      else events.push(event)
    }
    stoppedBy = filtered.stoppedBy
    if (stoppedBy !== undefined) break
  }
  return { events, stoppedBy }
}

describe('a stop sequence', () => {
  test.each<[string, string[], ReplyEvent[][], ReplyEvent[], string | undefined]>([
    ['in one piece', ['END'], [[text('a END b')]], [text('a ')], 'END'],
    ['at the very beginning', ['END'], [[text('END b')]], [], 'END'],
    ['at the very end', ['END'], [[text('a END'), finish]], [text('a ')], 'END'],
    ['across pieces', ['END'], [[text('a E')], [text('N')], [text('D b')]], [text('a ')], 'END'],
    ['begun and not ended', ['END'], [[text('a EN')], [finish]], [text('a EN'), finish], undefined],
    ['begun twice', ['aab'], [[text('xa')], [text('aa')], [text('b')]], [text('xa')], 'aab'],
    ['the first of two', ['two', 'one'], [[text('a one two')]], [text('a ')], 'one'],
    ['the one that is within another', ['long', 'ong'], [[text('a long')]], [text('a ')], 'long'],
    [
      'not across a call',
      ['END'],
      [[text('E'), callStart, callEnd, text('ND'), finish]],
      [text('E'), callStart, callEnd, text('ND'), finish],
      undefined,
    ],
    [
      'not in reasoning',
      ['END'],
      [[{ type: 'reasoning', text: 'END' }, text('a')]],
      [{ type: 'reasoning', text: 'END' }, text('a')],
      undefined,
    ],
    [
      'not in arguments',
      ['END'],
      [[callStart, argument('"END"'), callEnd]],
      [callStart, argument('"END"'), callEnd],
      undefined,
    ],
    [
      'across a notice',
      ['END'],
      [[text('a E'), { type: 'notice', notice: { code: 'x', message: '' } }, text('ND')]],
      [text('a '), { type: 'notice', notice: { code: 'x', message: '' } }],
      'END',
    ],
    ['that is empty is none', ['', 'END'], [[text('abc')], [finish]], [text('abc'), finish], undefined],
  ])('%s', (_, sequences, batches, events, stoppedBy) => {
    expect(run(sequences, batches)).toEqual({ events, stoppedBy })
  })

  test('lets nothing after it through', () => {
    const stops = new StopSequences(['END'])
    expect(stops.filter([text('a END'), callStart, argument('{}'), callEnd, finish])).toEqual({
      events: [text('a ')],
      stoppedBy: 'END',
    })
  })
})

test('a text that may yet become a sequence is held, any other goes at once', () => {
  const stops = new StopSequences(['END'])
  expect(stops.filter([text('abc')]).events).toEqual([text('abc')])
  expect(stops.filter([text('abE')]).events).toEqual([text('ab')])
  expect(stops.filter([text('NDLESS')])).toEqual({ events: [], stoppedBy: 'END' })
})

test('however the text is cut, the sequence that is whole first ends it', () => {
  const letters = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 30 })
  const sequences = fc.array(fc.string({ unit: fc.constantFrom('a', 'b', 'c'), minLength: 1, maxLength: 4 }), {
    minLength: 1,
    maxLength: 3,
  })
  fc.assert(
    fc.property(fc.array(letters, { maxLength: 6 }), sequences, (pieces, stops) => {
      const whole = pieces.join('')
      const { events, stoppedBy } = run(stops, [...pieces.map((piece) => [text(piece)]), [finish]])
      const shown = events.map((event) => (event.type === 'text' ? event.text : '')).join('')
      // Read letter by letter, the first that is whole ends the reply.
      let read = ''
      let ending: string | undefined
      for (const letter of whole) {
        read += letter
        ending = stops.filter((stop) => read.endsWith(stop)).sort((a, b) => b.length - a.length)[0]
        if (ending !== undefined) break
      }
      const expected = ending === undefined ? whole : read.slice(0, -ending.length)
      expect({ shown, stoppedBy }).toEqual({ shown: expected, stoppedBy: ending })
    }),
  )
})
