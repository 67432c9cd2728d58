import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { callsOf, cut, promptContext, type Reading, readPieces, textOf } from '../../test/support/dialects/replies.ts'
import { tool } from '../../test/support/dialects/tables.ts'
import { lawRuns } from '../../test/support/draws.ts'
import { chunkFault, lossFault, retractionFault } from './check/laws.ts'
import type { Dialect } from './format/dialect.ts'
import { dialects } from './registry.ts'

const tools = [tool('get_weather', { city: 'string' })]
const offered = [...tools, tool('no_such_tool', { city: 'string' })]

type Kind = 'valid' | 'refused' | 'broken'

/** The argument of each call: it occurs nowhere else. */
const cityOf = (index: number) => `Town${String.fromCharCode(65 + index)}`

const times = (text: string, part: string) => text.split(part).length - 1

function written(dialect: Dialect, of: readonly Kind[]): string {
  const calls = of.map((kind, index) => ({
    type: 'call' as const,
    id: `call_${index}`,
    name: kind === 'refused' ? 'no_such_tool' : 'get_weather',
    arguments: JSON.stringify({ city: cityOf(index) }),
  }))
  return dialect.renderAssistant(calls, { ...promptContext, tools: offered }, offered)
}

/** Takes a part out of a call, between its name and the end of its argument, and no quotation mark without its partner. */
function broken(text: string, index: number, from: number, length: number): string {
  const end = text.indexOf(cityOf(index)) + cityOf(index).length
  const start = text.lastIndexOf('get_weather', end) + 'get_weather'.length
  const at = start + (from % (end - start))
  const part = text.slice(at, Math.min(end, at + length))
  const isPaired = ['"', "'"].every((mark) => times(part, mark) % 2 === 0)
  return isPaired && !part.includes('`') ? text.slice(0, at) + text.slice(at + part.length) : text
}

const marker = /<\/?[^<>\s=]+[^<>]*>|\[\/?[A-Z_]{2,}\]|\[unused\d+\]|[[\]]/g
/** Parts that distinguish opening markers, and those of the closing markers in their place. */
const closings: readonly [open: RegExp, close: string][] = [
  [/^\[$/, ']'],
  [/^<\|?(?!\/)/, '$&/'],
  [/^\[(?=[A-Z])/, '[/'],
  [/begin/, 'end'],
  [/start/, 'end'],
  [/START/, 'END'],
  [/prefix/, 'suffix'],
  [/unused11/, 'unused12'],
]

/** The openers of a dialect's section with their closers: markers that it writes once, however many calls it writes. */
function sectionMarks(dialect: Dialect): [open: string, close: string][] {
  const texts = [1, 2, 3].map((count) => written(dialect, Array<Kind>(count).fill('valid')))
  const once = new Set(texts[0]?.match(marker)?.filter((one) => texts.every((text) => text.split(one).length === 2)))
  const pairs = [...once].flatMap((open) =>
    closings.map(([from, to]): [string, string] => [open, open.replace(from, to)]),
  )
  return pairs.filter(([open, close]) => open !== close && once.has(close))
}

const sections = dialects.filter((dialect) => sectionMarks(dialect).length > 0)
const universal = dialects.filter(({ name }) => name === 'universal')

const drawn = (...kinds: Kind[]) =>
  fc.record({
    of: fc.array(fc.constantFrom(...kinds), { minLength: 1, maxLength: 4 }),
    delivery: fc.constantFrom('live' as const, 'whole' as const),
    places: fc.array(fc.nat(), { maxLength: 8 }),
    isUniversal: fc.boolean(),
  })

/** True if the text at a place is part of a call, or of something that began like one. */
const isInCall = ({ events, spans }: Reading, at: number) =>
  spans.some(({ role, start, end }) => start <= at && at < end && /argument|name|repaired/.test(role)) ||
  events.some(({ type, ...event }) => {
    const { code = '', span = undefined } = 'notice' in event ? event.notice : {}
    return code === 'broken-call' && span !== undefined && span[0] < at && at < span[1]
  })

describe.each(sections.map((dialect) => [dialect.name, dialect, sectionMarks(dialect)] as const))(
  '%s: a section in which not all calls count',
  (_name, dialect, marks) => {
    it('leaves its opener and its closer in the text, or neither', () => {
      fc.assert(
        fc.property(drawn('valid', 'refused'), ({ of, delivery, places, isUniversal }) => {
          const [reader = dialect] = isUniversal ? universal : []
          const text = `One.\n${written(dialect, of)}\nTwo.`
          const options = { tools, delivery }
          const reading = readPieces(reader, cut(text, places), options)
          const given = textOf(reading.events)
          expect([chunkFault(reader, text, cut(text, places), options), lossFault(reading, text)]).toEqual([
            undefined,
            undefined,
          ])
          for (const [open, close] of marks) {
            const isText = of[0] === 'refused' ? 1 : 0
            expect([given, times(given, open), times(given, close)]).toEqual([given, isText, isText])
          }
          const cities = of.map((kind, index) => [kind, cityOf(index)] as const)
          expect(callsOf(reading.events).map(({ json, complete }) => [JSON.parse(json), complete])).toEqual(
            cities.flatMap(([kind, city]) => (kind === 'valid' ? [[{ city }, true]] : [])),
          )
          expect(cities.map(([, city]) => times(given, city))).toEqual(of.map((kind) => (kind === 'valid' ? 0 : 1)))
          expect(given).toMatch(/^One\.[\s\S]*\nTwo\.$/)
          expect(given).not.toMatch(/One\.\s*[,;]|[,;]\s*Two/)
        }),
        { numRuns: lawRuns },
      )
    })

    it('does so if a call in it is broken', () => {
      const way = fc.tuple(drawn('valid', 'refused', 'broken'), fc.nat(), fc.integer({ min: 1, max: 12 }))
      fc.assert(
        fc.property(way, ([{ of, delivery, places, isUniversal }, from, length]) => {
          const [reader = dialect] = isUniversal ? universal : []
          // A refused call after a broken one may be a section of its own, in another.
          fc.pre(!of.some((kind, index) => kind === 'refused' && of.slice(0, index).includes('broken')))
          const breakOne = (text: string, kind: Kind, index: number) =>
            kind === 'broken' ? broken(text, index, from, length) : text
          const text = `One.\n${of.reduce(breakOne, written(dialect, of))}\nTwo.`
          const options = { tools, delivery }
          const pieces = cut(text, places)
          const reading = readPieces(reader, pieces, options)
          expect([
            chunkFault(reader, text, pieces, options),
            lossFault(reading, text),
            retractionFault(reader, pieces, options),
          ]).toEqual([undefined, undefined, undefined])
          const given = textOf(reading.events)
          // A bracket may be any part of what is broken, a broken call may contain all that follows, and a fence too.
          if (text.includes('```')) return
          const live = readPieces(reader, [text], { tools })
          for (const [open, close] of marks.filter(([open]) => /\w/.test(open))) {
            if (isInCall(live, text.indexOf(close))) continue
            expect([text, given, times(given, open)]).toEqual([text, given, times(given, close)])
          }
        }),
        { numRuns: lawRuns },
      )
    })
  },
)
