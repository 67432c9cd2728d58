import { describe, expect } from 'vitest'
import { type FinishReason, isJsonObject, ReplyCollector, type ReplyEvent } from '../../../src/conversation/index.ts'
import { createReader, getDialect, type ReadReport, reasoningForms } from '../../../src/dialects/index.ts'
import { coveringTests } from '../covering-tests.ts'
import { lawRuns } from '../draws.ts'
import type { AcceptanceCase, DialectName, Part } from './acceptance-case.ts'

/**
 * Tests each case with its dialect's reader and with the universal one, live and whole: in the chunks given, at once, a
 * character at a time and at random splits, which must all read alike, and as expected. Unless the run is thorough, each case is read
 * by one of the readers, live or whole, as the seed chooses.
 */
export function testCases(group: string, cases: readonly AcceptanceCase[]): void {
  const testsOf = coveringTests(cases, 4)
  describe(group, () => {
    for (const given of cases) {
      const it = testsOf(given)
      const readers = new Set<DialectName>(
        given.onlyNamed === undefined ? [given.dialect, 'universal'] : [given.dialect],
      )
      for (const dialect of readers) {
        for (const delivery of ['live', 'whole'] as const) {
          const name = `${given.id} ${given.title} [${given.source}] ${dialect}, ${delivery}`
          it(name, () => testCase(given, dialect, delivery))
        }
      }
    }
  })
}

function testCase(given: AcceptanceCase, dialect: DialectName, delivery: 'live' | 'whole'): void {
  const pieces = typeof given.text === 'string' ? [given.text] : given.text
  const text = pieces.join('')
  const read = (split: readonly string[]) => readSplit(given, dialect, delivery, split)

  const reading = read([text])
  const accepted = [...(delivery === 'whole' && given.whole ? [given.whole] : []), given.reply, ...(given.accept ?? [])]
  if (dialect === 'universal') accepted.push(...(given.acceptUniversal ?? []))
  expectReply(given, accepted, reading)
  const others = [pieces, Array.from({ length: text.length }, (_, at) => text.charAt(at))]
  const random = randomOf(given.id)
  for (let i = 0; i < lawRuns / 3; i++) others.push(splitAtRandom(text, random))
  expectQuotable(given, dialect, text)
  for (const split of others) expect(read(split), `read in the pieces ${JSON.stringify(split)}`).toEqual(reading)
}

/** Expects a model that repeats the neutralised text of a prompt to make no call and to lose nothing. */
function expectQuotable(given: AcceptanceCase, dialect: DialectName, text: string): void {
  const context = { ...given.options, trigger: given.options?.trigger ?? '', tools: given.tools }
  const quoted = getDialect(dialect)?.neutralise(text, context) ?? ''
  const { events } = readSplit({ ...given, end: 'stop' }, dialect, 'live', [quoted])
  const calls = events.flatMap((event) => (event.type === 'call-start' ? [event.name] : []))
  expect({ quoted, calls }).toEqual({ quoted, calls: [] })
  // Words that open reasoning are no marks: any text may begin with them.
  const words = Object.values(reasoningForms).filter(({ kind }) => kind === 'words' || kind === 'header')
  if (words.some(({ open, close }) => [open, ...close].some((one) => text.startsWith(one)))) return
  const said = events.flatMap((event) => (event.type === 'text' || event.type === 'reasoning' ? [event.text] : []))
  expect(said.join('')).toBe(text)
}

interface Reading {
  /** The events with touching pieces merged. */
  events: ReplyEvent[]
  report: ReadReport
}

function readSplit(
  given: AcceptanceCase,
  dialect: DialectName,
  delivery: 'live' | 'whole',
  pieces: readonly string[],
): Reading {
  let calls = 0
  const newCallId = () => `call_${calls++}`
  const reader = createReader({ newCallId, ...given.options, tools: given.tools, dialect, delivery })
  const events = pieces.flatMap((piece) => reader.push(piece))
  events.push(...reader.end(given.end))
  return { events: merge(events), report: reader.report }
}

function expectReply(given: AcceptanceCase, accepted: readonly (readonly Part[])[], { events, report }: Reading): void {
  expectWellFormed(events, given.end ?? 'stop')
  const got = partsOf(events)
  const expected = accepted.map(normalise)
  // The comparison that fails is the first one, so that its difference is shown.
  if (!expected.some((parts) => isEqual(got, parts))) expect(got).toEqual(expected[0])
  if (given.notices) {
    const codes = events.flatMap((event) => (event.type === 'notice' ? [event.notice.code] : []))
    expect([...new Set(codes)].sort()).toEqual(given.notices)
  }
  if (given.rejected) expect(report.rejectedToolNames).toEqual(given.rejected)
}

/**
 * Tests the properties of every reply: calls in order with unique ids, JSON that is complete or open, one truthful
 * finish.
 */
function expectWellFormed(events: readonly ReplyEvent[], reason: FinishReason): void {
  const starts = events.flatMap((event) => (event.type === 'call-start' ? [event] : []))
  expect(starts.map(({ index }) => index)).toEqual(starts.map((_, position) => position))
  expect(new Set(starts.map(({ id }) => id)).size).toBe(starts.length)
  const complete = partsOf(events).filter((part) => typeof part === 'object' && 'arguments' in part).length
  const finishes = events.filter(({ type }) => type === 'finish')
  expect(finishes).toEqual([{ type: 'finish', reason: reason === 'stop' && complete > 0 ? 'calls' : reason }])
  expect(events.at(-1)?.type).toBe('finish')
}

/** The parts of a reply without the white space that a format has between them. */
function partsOf(events: readonly ReplyEvent[]): Part[] {
  const collector = new ReplyCollector()
  collector.push(events)
  return normalise(
    collector.parts.map((part): Part => {
      if (part.type === 'text') return part.text
      if (part.type === 'reasoning') return { think: part.text }
      if (!part.complete) return { call: part.name, begun: openJson(part.arguments) }
      const value: unknown = JSON.parse(part.arguments)
      if (!isJsonObject(value)) throw new Error(`The arguments of "${part.name}" are no object: ${part.arguments}`)
      return { call: part.name, arguments: value }
    }),
  )
}

/** The JSON of a call that broke off, which must not be such that a client could run it. */
function openJson(json: string): string {
  expect(() => JSON.parse(json), 'the JSON of a call that broke off').toThrow()
  return json
}

function normalise(parts: readonly Part[]): Part[] {
  const bare: Part[] = []
  for (const part of parts) {
    if (typeof part === 'string') {
      if (part.trim() !== '') bare.push(part.trim())
    } else if ('think' in part) {
      if (part.think.trim() !== '') bare.push({ think: part.think.trim() })
    } else {
      bare.push('begun' in part ? { ...part, begun: withoutBlanks(part.begun) } : part)
    }
  }
  return bare
}

/** JSON text without the white space outside its strings. */
function withoutBlanks(json: string): string {
  return json.replace(/("(?:[^"\\]|\\.)*(?:"|$))|\s+/g, '$1')
}

function isEqual(got: readonly Part[], expected: readonly Part[]): boolean {
  try {
    expect(got).toEqual(expected)
    return true
  } catch {
    return false
  }
}

function merge(events: readonly ReplyEvent[]): ReplyEvent[] {
  const merged: ReplyEvent[] = []
  for (const event of events) {
    const last = merged.at(-1)
    if (event.type === 'text' && last?.type === 'text') last.text += event.text
    else if (event.type === 'reasoning' && last?.type === 'reasoning') last.text += event.text
    else if (event.type === 'call-arguments' && last?.type === event.type && last.index === event.index) {
      last.json += event.json
    } else merged.push({ ...event })
  }
  return merged
}

/** Pieces of 1 to 12 characters: shorter and longer than most markers. */
function splitAtRandom(text: string, random: () => number): string[] {
  const pieces: string[] = []
  for (let at = 0; at < text.length; ) {
    const length = 1 + Math.floor(random() * 12)
    pieces.push(text.slice(at, at + length))
    at += length
  }
  return pieces
}

/** Numbers in [0, 1), the same for the same seed: the 32-bit generator "mulberry32". */
function randomOf(seed: string): () => number {
  let state = 0
  for (const char of seed) state = (Math.imul(state, 31) + (char.codePointAt(0) ?? 0)) >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}
