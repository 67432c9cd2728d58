import { expect, test, vi } from 'vitest'
import { eventually } from './eventually.ts'
import { testFilesWith } from './test-files.ts'

test('waits for what comes later, and leaves a faked clock alone', async () => {
  vi.useFakeTimers()
  try {
    const begun = Date.now()
    let tries = 0
    const found = await eventually(() => {
      if (++tries < 3) throw new Error('not yet')
      return tries
    })
    expect([found, Date.now()]).toEqual([3, begun])
  } finally {
    vi.useRealTimers()
  }
})

test('no test waits for at most a second, as vi.waitFor does', () => {
  expect(testFilesWith(/\bvi\.wait(?:For|Until)\(/)).toEqual([])
})
