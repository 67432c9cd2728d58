import * as fc from 'fast-check'
import { describe, expect } from 'vitest'
import { coveringTests } from '../../test/support/covering-tests.ts'
import { openedReasoningLaw, weatherCall } from '../../test/support/dialects/opened-reasoning.ts'
import {
  callsOf,
  cut,
  mergeEvents,
  type Reading,
  readPieces,
  textOf,
  tools,
} from '../../test/support/dialects/replies.ts'
import { lawRuns } from '../../test/support/draws.ts'
import { testDialect } from '../../test/support/templates/dialect.ts'
import { comparable, type Message, messages, type Shown, shownOf } from '../../test/support/templates/messages.ts'
import { testTemplates } from '../../test/support/templates/templates.ts'
import type { ReplyEvent } from '../conversation/index.ts'

function check<Values extends [unknown, ...unknown[]]>(property: fc.IPropertyWithHooks<Values>): void {
  fc.assert(property, { numRuns: lawRuns })
}

/** Templates do write values that are no JSON, and line breaks in strings: these notices are correct. */
function isOdd(code: string): boolean {
  return code !== 'repaired' && code !== 'retyped'
}

/** The parts that were read, without the white space around texts, which is the template's. */
function messageOf({ events }: Reading): Shown & { notices: string[] } {
  return {
    reasoning: textOf(events, 'reasoning').trim(),
    text: textOf(events).trim(),
    calls: callsOf(events).map(({ name, json }) => ({ name, arguments: comparable(json) })),
    notices: events.flatMap((event) => (event.type === 'notice' ? [event.notice.code] : [])).filter(isOdd),
  }
}

/** The beginning of events that another list begins with: the last of them may continue there. */
function beginningOf(events: readonly ReplyEvent[], length: number, last: ReplyEvent | undefined): ReplyEvent[] {
  return events.slice(0, length).map((event, index) => {
    if (index < length - 1 || last?.type !== event.type) return event
    if (event.type === 'call-arguments' && last.type === event.type)
      return { ...event, json: event.json.slice(0, last.json.length) }
    if ((event.type === 'text' || event.type === 'reasoning') && last.type === event.type)
      return { ...event, text: event.text.slice(0, last.text.length) }
    return event
  })
}

const testsOf = coveringTests(testTemplates)

describe.each(testTemplates)('the dialect of the template $name', (one) => {
  const test = testsOf(one)
  const dialect = testDialect(one)
  const drawn = messages(dialect)
  const places = fc.array(fc.nat(), { maxLength: 8 })

  /** The template's text for a message; every template accepts every drawn message. */
  function write({ parts, tools }: Message): string {
    const written = dialect.renderReply(parts, tools)
    if (written === undefined) throw new Error('The template refuses the message.')
    return written
  }

  test('reads back what the template writes', () => {
    check(
      fc.property(drawn, (message) => {
        const written = write(message)
        const { reasoning, text, calls } = shownOf(message.parts, written, dialect)
        expect({ written, ...messageOf(readPieces(dialect, [written], message)) }).toEqual({
          written,
          reasoning: reasoning.trim(),
          text: text.trim(),
          calls,
          notices: [],
        })
      }),
    )
  })

  test.each(["It's 'so'", 'He said "Hi', 'Press `', 'So:\n```\nx = 1', '> quoted', 'Take \u300c', '<pre>x'])(
    'reads back a text that leaves something open: %j',
    (said) => {
      const written = dialect.renderReply([{ type: 'text', text: said }], [])
      for (const pieces of [[written ?? ''], [...(written ?? '')]]) {
        const { events } = readPieces(dialect, pieces, { tools: [] })
        expect({ written, text: textOf(events).trim() }).toEqual({ written, text: said })
      }
    },
  )

  test('reads reasoning that begins like a call up to its closing marker', () => {
    const written = dialect.renderReply([{ type: 'call', ...weatherCall }], tools) ?? ''
    const close = dialect.analysis.reasoning.close || '</think>'
    // Some templates write empty reasoning before the call.
    const [head = ''] = written.split(weatherCall.name)
    const call = written.slice(head.includes(close) ? head.lastIndexOf(close) + close.length : 0)
    check(openedReasoningLaw(dialect, call, close))
  })

  test('reads the same however the text is cut', () => {
    check(
      fc.property(drawn, places, (message, at) => {
        const written = write(message)
        const { events, spans } = readPieces(dialect, [written], message)
        for (const pieces of [cut(written, at), written.split('')]) {
          const cutReading = readPieces(dialect, pieces, message)
          expect([written, cutReading.events, cutReading.spans]).toEqual([written, events, spans])
        }
      }),
    )
  })

  test('gives out nothing that what comes later does not bear out', () => {
    check(
      fc.property(drawn, places, (message, at) => {
        const written = write(message)
        const whole = readPieces(dialect, [written], message).events
        const { batches } = readPieces(dialect, cut(written, at), message)
        for (let count = 1; count < batches.length; count++) {
          const given = mergeEvents(batches.slice(0, count).flat())
          expect([written, given]).toEqual([written, beginningOf(whole, given.length, given.at(-1))])
        }
      }),
    )
  })

  test('says no more of a reply that is cut off than the whole says', () => {
    check(
      fc.property(drawn, fc.nat(), (message, at) => {
        const written = write(message)
        const whole = callsOf(readPieces(dialect, [written], message).events)
        // Engines cut between tokens, and so between characters.
        const characters = [...written]
        const said = characters.slice(0, at % (characters.length + 1)).join('')
        const calls = callsOf(readPieces(dialect, [said], { ...message, reason: 'length' }).events)
        expect(calls.length).toBeLessThanOrEqual(whole.length)
        for (const [index, { name, json, complete }] of calls.entries()) {
          const all = whole[index]
          expect([said, name, json]).toEqual([said, all?.name, complete ? all?.json : all?.json.slice(0, json.length)])
          if (!complete) expect(() => JSON.parse(json)).toThrow()
        }
      }),
    )
  })
})
