import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { lawRuns } from '../../../test/support/draws.ts'
import { partialArguments } from './partial-arguments.ts'

describe('partialArguments', () => {
  test.each<[string, unknown]>([
    ['', {}],
    ['{', {}],
    ['{"ci', {}],
    ['{"city"', {}],
    ['{"city":', {}],
    // One quote may be the first of three, as Python writes long strings.
    ['{"city": "', {}],
    ['{"city": "",', { city: '' }],
    ['{"city": "Par', { city: 'Par' }],
    ['{"city": "Par\\', { city: 'Par' }],
    ['{"city": "Par\\u00', { city: 'Par' }],
    ['{"city": "\\ud83d', { city: '' }],
    ['{"city": "\\ud83d\\ude00', { city: '😀' }],
    ['{"city": "\\ud83d"}', { city: '\ud83d' }],
    ['{"days": 1', {}],
    ['{"days": 12,', { days: 12 }],
    ['{"ok": tru', {}],
    ['{"ok": true}', { ok: true }],
    ['{"a": [', { a: [] }],
    ['{"a": [{"b": "c', { a: [{ b: 'c' }] }],
    ['{"a": [1, 2], "b": {"c": [[', { a: [1, 2], b: { c: [[]] } }],
  ])('%s', (json, value) => expect(partialArguments(json).value).toEqual(value))

  const values = fc.dictionary(fc.string({ maxLength: 8 }), fc.jsonValue({ maxDepth: 4 }), { maxKeys: 5 })
  const splits = fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 1, maxLength: 20 })

  test('ends with what JSON.parse gives, in any splitting, and snapshots stay as they are', () => {
    fc.assert(
      fc.property(values, splits, (value, sizes) => {
        const json = JSON.stringify(value)
        const partial = partialArguments()
        const snapshots: { snapshot: unknown; text: string }[] = []
        for (let at = 0, piece = 0; at < json.length; piece++) {
          const size = sizes[piece % sizes.length] ?? 1
          partial.push(json.slice(at, at + size))
          at += size
          const snapshot = partial.snapshot()
          expect(snapshot).toEqual(partial.value)
          snapshots.push({ snapshot, text: JSON.stringify(snapshot) })
        }
        expect(JSON.stringify(partial.value)).toBe(JSON.stringify(JSON.parse(json)))
        expect(partial.isComplete).toBe(true)
        for (const { snapshot, text } of snapshots) expect(JSON.stringify(snapshot)).toBe(text)
      }),
      { numRuns: lawRuns },
    )
  })

  test('a snapshot shares what has ended', () => {
    const partial = partialArguments('{"a": [1], "b": [2')
    const before = partial.snapshot()
    partial.push(', 3]}')
    expect(before).toEqual({ a: [1], b: [] })
    expect(partial.snapshot()).toEqual({ a: [1], b: [2, 3] })
    expect(partial.snapshot().a).toBe(before.a)
  })

  test('__proto__ is a name like others', () => {
    const { value } = partialArguments('{"__proto__": {"polluted": true}}')
    expect(Object.keys(value)).toEqual(['__proto__'])
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype)
  })
})
