import { expect, test } from 'vitest'
import { type CompleteCall, ReplyCollector, type ReplyEvent } from './reply.ts'

const events: readonly ReplyEvent[] = [
  { type: 'text', text: 'Let me ' },
  { type: 'text', text: 'look.' },
  { type: 'call-start', index: 0, id: 'a', name: 'f' },
  { type: 'call-arguments', index: 0, json: '{"n"' },
  { type: 'call-arguments', index: 0, json: ':1}' },
  { type: 'call-end', index: 0, complete: true },
  { type: 'call-start', index: 1, id: 'b', name: 'f' },
  { type: 'call-arguments', index: 1, json: '{' },
  { type: 'call-end', index: 1, complete: false },
]

test('the calls that are complete are told apart by their type', () => {
  const collector = new ReplyCollector()
  collector.push(events)
  const calls: CompleteCall[] = collector.reply.parts.filter((part) => part.type === 'call' && part.complete)
  expect(calls).toEqual([{ type: 'call', id: 'a', name: 'f', arguments: '{"n":1}', complete: true }])
})
