import { randomBytes } from 'node:crypto'
import { chmodSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { summaryOf } from '../record/summary.ts'
import { Draft } from '../watch/draft.ts'
import { MemoryStore } from './memory.ts'
import { pack } from './pack.ts'
import { openSqliteStore } from './sqlite.ts'
import type { PackedExchange, RecordStore, StoreLimits } from './store.ts'

const hour = 3_600_000
const megabyte = 1024 ** 2

function packed(id: string, text = 'x'.repeat(10), at: number = Date.now()): PackedExchange {
  const draft = new Draft({ id, at, method: 'POST', path: '/', isReplay: false, header: () => undefined }, 1e9, () => 0)
  draft.add({ type: 'received', text: `\u0000é\ud83d${text}` })
  draft.add({ type: 'end', status: 200 })
  const record = draft.record()
  return { summary: summaryOf(record), data: pack(record), head: `head of ${id}` }
}

/** A text that cannot be compressed to much less than half. */
function noise(length: number): string {
  return randomBytes(length / 2).toString('hex')
}

function newFile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'anycall-records-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return join(folder, 'records.db')
}

const stores: [string, (limits: StoreLimits) => RecordStore][] = [
  ['memory', (limits) => new MemoryStore(limits)],
  ['SQLite', (limits) => openSqliteStore(newFile(), limits)],
]

describe.each(stores)('a store in %s', (_, open) => {
  test('gives what it was given, newest first', () => {
    const store = open({ bytes: 10 * megabyte, ageMs: hour })
    store.add(['a', 'b', 'c'].map((id) => packed(id)))
    expect(store.list({ limit: 2 }).map(({ id }) => id)).toEqual(['c', 'b'])
    expect(store.list({ limit: 2, before: 'b' }).map(({ id }) => id)).toEqual(['a'])
    expect(store.get('b')?.client.body).toBe(`\u0000é\ud83d${'x'.repeat(10)}`)
    expect(store.get('d')).toBeUndefined()
    expect(store.session('a').map(({ id }) => id)).toEqual(['a'])
    expect(store.findHead(['head of c', 'head of b', 'head of d'])).toMatchObject({ head: 'head of b', id: 'b' })
    expect(store.findHead(['head of d'])).toBeUndefined()
    store.add([packed('b', 'x'.repeat(20))])
    expect(store.get('b')?.client.body).toHaveLength(23)
    expect([store.remove({ ids: ['a'] }), store.remove({ before: Date.now() + 1 }), store.size().exchanges]).toEqual([
      1, 2, 0,
    ])
    store.close()
  })

  test('keeps the latest within its size, and none beyond its age', () => {
    const store = open({ bytes: 2 * megabyte, ageMs: hour })
    store.add([packed('old', '', Date.now() - 2 * hour)])
    for (let batch = 0; batch < 40; batch++) {
      store.add(Array.from({ length: 10 }, (_, index) => packed(`${batch}-${index}`, noise(20_000))))
      expect(store.size().bytes).toBeLessThanOrEqual(2 * megabyte)
    }
    expect(store.get('old')).toBeUndefined()
    expect(store.get('39-9')).toBeDefined()
    expect(store.size().exchanges).toBeGreaterThan(20)
    if (store.file !== undefined) expect(statSync(`${store.file}-wal`).size).toBeLessThan(megabyte)
    store.close()
  })
})

test('a file is found again with its sessions', () => {
  const file = newFile()
  const limits = { bytes: 10 * megabyte, ageMs: hour }
  const first = openSqliteStore(file, limits)
  first.add([packed('a')])
  const second = openSqliteStore(file, limits)
  expect(second.get('a')?.id).toBe('a')
  first.close()
  second.close()
})

test('a file that several processes write shows each the sessions of the others', () => {
  const file = newFile()
  const limits = { bytes: 10 * megabyte, ageMs: hour }
  const [one, other] = [openSqliteStore(file, limits), openSqliteStore(file, limits)]
  one.add([packed('a')])
  expect(other.findHead(['head of a', 'head of b'])?.id).toBe('a')
  one.add([packed('b'), packed('c')])
  expect(other.findHead(['head of a', 'head of b'])?.id).toBe('b')
  one.close()
  other.close()
})

test('another file is refused by name', () => {
  expect(() => openSqliteStore(import.meta.filename, { bytes: megabyte, ageMs: hour })).toThrow(
    /store\.test\.ts.*cannot/s,
  )
})

// Windows has no modes: a file has the access rights of its folder.
test.skipIf(process.platform === 'win32')(
  'a new file is for its owner only, and an existing one stays as it is',
  () => {
    const file = newFile()
    const modeOf = (name: string): string => (statSync(name).mode & 0o777).toString(8)
    const limits = { bytes: 10 * megabyte, ageMs: hour }
    const store = openSqliteStore(file, limits)
    store.add([packed('a')])
    expect([file, `${file}-wal`, `${file}-shm`].map(modeOf)).toEqual(['600', '600', '600'])
    store.close()
    chmodSync(file, 0o640)
    openSqliteStore(file, limits).close()
    expect(modeOf(file)).toBe('640')
  },
)
