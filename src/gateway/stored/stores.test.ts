import { expect, test } from 'vitest'
import { KeptResponses } from './kept-responses.ts'

const response = (id: string, text = 'a') => ({
  id,
  output: [{ id: `msg_${id}`, type: 'message', content: [{ type: 'output_text', text }] }],
})
const question = [{ role: 'user', content: 'q' }]
const large = { bytes: 1_000_000, ms: 1000 }

test('a response, its items and its history are found again', () => {
  const own = new KeptResponses(large).of('a')
  own?.keep(response('1'), question)
  expect(own?.response('1')).toEqual(response('1'))
  expect(own?.itemsOf('1')).toEqual([...question, ...response('1').output])
  expect(own?.item('msg_1')).toEqual(response('1').output[0])
  expect(own?.item('msg_2')).toBeUndefined()
})

test('another client finds and deletes nothing', () => {
  const kept = new KeptResponses(large)
  kept.of('a')?.keep(response('1'), question)
  const other = kept.of('b')
  expect(other?.response('1')).toBeUndefined()
  expect(other?.itemsOf('1')).toBeUndefined()
  expect(other?.item('msg_1')).toBeUndefined()
  expect(other?.delete('1')).toBe(false)
  expect(kept.of('a')?.delete('1')).toBe(true)
  expect(kept.of('a')?.response('1')).toBeUndefined()
  expect(kept.bytes).toBe(0)
})

test('the oldest are forgotten when there are too many bytes, and one that is too large at once', () => {
  const kept = new KeptResponses({ bytes: 10_000, ms: 1000 })
  const own = kept.of('a')
  for (let n = 0; n < 50; n++) own?.keep(response(String(n), 'x'.repeat(1000)), question)
  expect(kept.bytes).toBeLessThanOrEqual(10_000)
  expect(own?.response('0')).toBeUndefined()
  expect(own?.response('49')).toBeDefined()
  own?.keep(response('big', 'x'.repeat(20_000)), question)
  expect(kept.bytes).toBe(0)
})

test('all are forgotten after their time', () => {
  let now = 0
  const kept = new KeptResponses({ bytes: 1_000_000, ms: 1000 }, () => now)
  const own = kept.of('a')
  own?.keep(response('1'), question)
  now = 1000
  expect(own?.response('1')).toBeUndefined()
  own?.keep(response('2'), question)
  now = 2500
  own?.keep(response('3'), question)
  expect(own?.item('msg_2')).toBeUndefined()
  expect(own?.item('msg_3')).toBeDefined()
})

test('nothing is kept without room', () => {
  expect(new KeptResponses({ bytes: 0, ms: 1000 }).of('a')).toBeUndefined()
})
