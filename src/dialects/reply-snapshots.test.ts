import { expect, test } from 'vitest'
import type { ReplyEvent } from '../conversation/index.ts'
import { SnapshotCollector } from './reply-snapshots.ts'

const events: ReplyEvent[] = [
  { type: 'text', text: 'Let me ' },
  { type: 'text', text: 'look.' },
  { type: 'call-start', index: 0, id: 'a', name: 'f' },
  { type: 'call-arguments', index: 0, json: '{"city": "Par' },
  { type: 'call-start', index: 1, id: 'b', name: 'g' },
  { type: 'call-arguments', index: 1, json: '{"n": 1' },
  { type: 'call-arguments', index: 0, json: 'is", "days": 3.10}' },
  { type: 'call-end', index: 0, complete: true },
  { type: 'call-end', index: 1, complete: false },
  { type: 'finish', reason: 'length' },
]

test('snapshots stay as they are while the reply grows, and share what does not change', () => {
  const collector = new SnapshotCollector()
  const snapshots = events.map((event) => {
    collector.push([event])
    const snapshot = collector.snapshot()
    return { snapshot, copy: structuredClone(snapshot) }
  })
  for (const { snapshot, copy } of snapshots) expect(snapshot).toEqual(copy)
  const shown = snapshots.map(({ snapshot }) => snapshot)
  expect(shown[9]?.parts[0]).toBe(shown[1]?.parts[0])
  expect(shown[9]?.parts[1]).toBe(shown[7]?.parts[1])
})

test('calls have their arguments as value and text, as far as they have come', () => {
  const collector = new SnapshotCollector()
  const argumentsAfter = events.map((event) => {
    collector.push([event])
    return collector.snapshot().parts.flatMap((part) => (part.type === 'call' ? [part.arguments] : []))
  })
  expect(argumentsAfter.slice(2)).toEqual([
    [{}],
    [{ city: 'Par' }],
    [{ city: 'Par' }, {}],
    [{ city: 'Par' }, {}],
    [{ city: 'Paris', days: 3.1 }, {}],
    [{ city: 'Paris', days: 3.1 }, {}],
    [{ city: 'Paris', days: 3.1 }, {}],
    [{ city: 'Paris', days: 3.1 }, {}],
  ])
  const { parts, finish } = collector.snapshot()
  expect(parts.slice(1)).toMatchObject([
    { json: '{"city": "Paris", "days": 3.10}', complete: true },
    { json: '{"n": 1', complete: false },
  ])
  expect(finish).toEqual({ type: 'finish', reason: 'length' })
})
