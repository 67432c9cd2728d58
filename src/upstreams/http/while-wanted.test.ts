import { expect, test } from 'vitest'
import { whileWanted } from './while-wanted.ts'

const never = new Promise<never>(() => {})
const open = new AbortController().signal

test('what comes in time is given on', async () => {
  expect(await whileWanted(Promise.resolve('x'), open)).toBe('x')
  await expect(whileWanted(Promise.reject(new Error('broken')), open)).rejects.toThrow('broken')
})

test('whoever leaves waits no longer, before and while', async () => {
  const client = new AbortController()
  const waiting = whileWanted(never, client.signal)
  client.abort()
  await expect(waiting).rejects.toMatchObject({ code: 'cancelled' })
  await expect(whileWanted(never, client.signal)).rejects.toMatchObject({ code: 'cancelled' })
})
