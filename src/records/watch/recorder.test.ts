import { expect, test } from 'vitest'
import { reasonsOf } from '../api/reasons.ts'
import { Masker } from '../redact/masker.ts'
import { MemoryStore } from '../store/memory.ts'
import { joined } from '../store/pack.ts'
import type { FinishedRecord } from '../write/finished.ts'
import type { WriterEvents } from '../write/writer.ts'
import type { ExchangeListener } from './hooks.ts'
import { Recorder, type RecorderOptions } from './recorder.ts'

const size = 100

/** Returns a recorder for which `waiting` records of the test's size may wait, and what its writer has. */
function recorderOf(waiting: number, pace?: RecorderOptions['pace']) {
  const taken: FinishedRecord[] = []
  const said: number[] = []
  const clock = { now: 0 }
  const writer: { events?: WriterEvents } = {}
  const recorder = new Recorder({
    store: new MemoryStore({ bytes: 1e6, ageMs: 1e6 }),
    createWriter: (events) => {
      writer.events = events
      return { add: (record) => void taken.push(record), flush: async () => {}, close: async () => {} }
    },
    redaction: { masker: new Masker({ secrets: [] }), paths: [] },
    keep: 'all',
    share: 1,
    characters: 1e6,
    waitingCharacters: waiting * size,
    ...(pace && { pace }),
    dropped: (count) => void said.push(count),
    failed: () => {},
    degraded: () => {},
    now: () => clock.now,
  })
  let number = 0
  const begin = (isReplay = false): ExchangeListener | undefined => {
    const id = `req_${number++}`
    const listener = recorder.observeExchange({
      id,
      at: 0,
      method: 'POST',
      path: '/',
      isReplay,
      header: () => undefined,
    })?.onEvent
    listener?.({ type: 'received', text: 'x'.repeat(size) })
    return listener
  }
  const ids = () => taken.map(({ short }) => short.id)
  const written = (): void => {
    const characters = taken.reduce((sum, one) => sum + one.characters, 0)
    writer.events?.written({ count: taken.length, characters })
  }
  return { recorder, begin, ids, taken, written, said, clock }
}

test('if too many records wait, plain successes are dropped before failures, notices and requests that are sent again', () => {
  const { recorder, begin, ids } = recorderOf(4)
  for (let count = 0; count < 5; count++) begin()?.({ type: 'end', status: 200 })
  expect(ids()).toEqual(['req_0', 'req_1', 'req_2'])
  begin()?.({ type: 'end', status: 500 })
  begin()?.({ type: 'end', status: 500 })
  expect(ids()).toEqual(['req_0', 'req_1', 'req_2', 'req_5'])
  expect(recorder.facts.dropped).toBe(3)

  const other = recorderOf(4)
  for (let count = 0; count < 4; count++) other.begin()?.({ type: 'end', status: 200 })
  const noted = other.begin()
  noted?.({ type: 'notice', notice: { code: 'field-ignored', message: '' } })
  noted?.({ type: 'end', status: 200 })
  expect(other.ids()).toEqual(['req_0', 'req_1', 'req_2', 'req_4'])

  const third = recorderOf(4)
  for (let count = 0; count < 4; count++) third.begin()?.({ type: 'end', status: 200 })
  third.begin(true)?.({ type: 'end', status: 200 })
  expect(third.ids()).toEqual(['req_0', 'req_1', 'req_2', 'req_4'])
})

/** A pace that has time for some records, which a test sets. */
function paceOfTest() {
  const pace = {
    left: 0,
    get isSpent() {
      return pace.left <= 0
    },
    kept: () => void pace.left--,
  }
  return pace
}

test('if there is no time for further records, plain successes are dropped, and others kept', () => {
  const pace = paceOfTest()
  const { begin, ids, recorder } = recorderOf(16, pace)
  pace.left = 1
  begin()?.({ type: 'end', status: 200 })
  begin()?.({ type: 'end', status: 200 })
  begin()?.({ type: 'end', status: 500 })
  begin(true)?.({ type: 'end', status: 200 })
  expect(ids()).toEqual(['req_0', 'req_2', 'req_3'])
  // The replay's time is noted when it begins, as it is kept whatever becomes of it.
  expect(pace.left).toBe(-2)
  expect(recorder.dropped).toBe(1)
})

test('the time of a record is noted once: when its exchange begins, or else when it ends', () => {
  const pace = paceOfTest()
  const { begin, ids } = recorderOf(16, pace)
  pace.left = 1
  const first = begin()
  expect(pace.left).toBe(0)
  const second = begin()
  first?.({ type: 'end', status: 200 })
  expect(pace.left).toBe(0)
  pace.left = 1
  second?.({ type: 'end', status: 200 })
  expect(pace.left).toBe(0)
  expect(ids()).toEqual(['req_0', 'req_1'])
})

test('an exchange that begins while too many records wait is brief: nothing of each piece is collected but the text', () => {
  const { recorder, begin, ids, taken } = recorderOf(2.5)
  const start = { at: 0, method: 'POST', path: '/', isReplay: false, header: () => undefined }
  begin()?.({ type: 'end', status: 200 })
  const observer = recorder.observeExchange({ ...start, id: 'brief' })
  expect(observer).toMatchObject({ needsBody: true, needsTexts: false })
  const { onEvent } = observer ?? { onEvent: () => {} }
  onEvent({ type: 'received', text: 'body' })
  onEvent({ type: 'attempt', attempt: 0, upstream: 'u', model: 'm', plan: 'prompted', reading: { delivery: 'live' } })
  for (let piece = 0; piece < 40; piece++) {
    onEvent({ type: 'pieces', attempt: 0, events: [{ type: 'text', text: `${piece} ` }] })
    onEvent({ type: 'reply', events: [{ type: 'text', text: `${piece} ` }] })
    onEvent({ type: 'sent', text: `data: ${piece}` })
  }
  onEvent({ type: 'reply', events: [{ type: 'notice', notice: { code: 'repaired', message: 'm', span: [0, 1] } }] })
  onEvent({ type: 'end', status: 200 })
  expect(ids()).toEqual(['req_0', 'brief'])
  const [, written] = taken
  if (!written) throw new Error('no record was written')
  const record = joined(written)
  expect(record).toMatchObject({
    isBrief: true,
    client: { body: 'body' },
    reply: [],
    answer: { status: 200, body: { text: '' } },
    notices: [{ code: 'repaired', span: [0, 1], attempt: 0 }],
    timings: { firstPiece: 0, firstEvent: 0, firstByte: 0 },
  })
  const text = Array.from({ length: 40 }, (_, piece) => `${piece} `).join('')
  expect(record.attempts[0]).toMatchObject({ text: { text }, spans: [] })
  expect(reasonsOf(record).map(({ code }) => code)).toEqual(['repaired', 'brief-record'])

  // Somebody who watches, or sends a request again, sees all of it.
  expect(recorder.observeExchange({ ...start, id: 'again', isReplay: true })).toMatchObject({ needsTexts: true })
  const unwatch = recorder.live.watch(() => {})
  expect(recorder.observeExchange({ ...start, id: 'watched' })).toMatchObject({ needsTexts: true })
  unwatch()
  expect(recorder.observeExchange({ ...start, id: 'unwatched' })).toMatchObject({ needsTexts: false })
})

test('a record that is larger than what may wait is kept if no other waits', () => {
  const { begin, ids } = recorderOf(0.5)
  begin()?.({ type: 'end', status: 200 })
  begin()?.({ type: 'end', status: 500 })
  expect(ids()).toEqual(['req_0'])
})

test('dropped records are reported at once, then from time to time, and once no record waits', () => {
  const { recorder, begin, written, said, clock } = recorderOf(1.5)
  const end = (): void => begin()?.({ type: 'end', status: 200 })
  for (let count = 0; count < 4; count++) end()
  expect(said).toEqual([1])
  clock.now = 10_000
  end()
  expect(said).toEqual([1, 4])
  end()
  written()
  expect(said).toEqual([1, 4, 5])
  expect(recorder.dropped).toBe(5)
})

test('the last dropped records are reported at the end', async () => {
  const { recorder, begin, said } = recorderOf(1.5)
  for (let count = 0; count < 3; count++) begin()?.({ type: 'end', status: 200 })
  expect(said).toEqual([1])
  await recorder.close()
  expect(said).toEqual([1, 2])
})

test('exchanges run until their end, the oldest first', () => {
  const { recorder, begin } = recorderOf(9)
  const [first, second] = [begin(), begin()]
  begin()
  second?.({ type: 'end', status: 200 })
  begin()
  expect(recorder.recent.map(({ id }) => id).sort()).toEqual(['req_0', 'req_2', 'req_3'])
  expect(recorder.get('req_0')?.client.body).toBe('x'.repeat(size))
  first?.({ type: 'end', status: 200 })
  expect(recorder.get('req_0')).toBeUndefined()
})
