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

test('a snapshot stays as it is while the reply grows, and shares what does not change', () => {
  const collector = new ReplyCollector()
  const snapshots = events.map((event) => {
    collector.push([event])
    const snapshot = collector.snapshot()
    return { snapshot, copy: structuredClone(snapshot) }
  })
  for (const { snapshot, copy } of snapshots) expect(snapshot).toEqual(copy)
  expect(snapshots.at(-1)?.snapshot.parts[0]).toBe(snapshots[1]?.snapshot.parts[0])
})
