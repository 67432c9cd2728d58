import type { LiveEvent } from '../../src/records/api/types.ts'
import { Store } from '../parts/store.ts'
import { ask, isLocked } from './client.ts'

export type Connection = 'connecting' | 'live' | 'broken'

export const connection = new Store<Connection>('connecting')

const firstWaitMs = 500
const longestWaitMs = 10_000
const listeners = new Set<(events: readonly LiveEvent[]) => void>()
const openers = new Set<() => void>()

/** Calls `listener` with the events of running exchanges; the returned function stops that. */
export function onLive(listener: (events: readonly LiveEvent[]) => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** Calls `listener` each time that the stream begins: what happened before is not in it. */
export function onConnected(listener: () => void): () => void {
  openers.add(listener)
  return () => void openers.delete(listener)
}

/** Follows the gateway's stream of events for as long as the page is open. */
export async function followLive(): Promise<never> {
  let waitMs = firstWaitMs
  for (;;) {
    try {
      // Not an EventSource: that sends no key.
      const { body } = await ask('live')
      connection.set('live')
      waitMs = firstWaitMs
      for (const listener of openers) listener()
      if (body) await readEvents(body)
    } catch {
      // Shown as broken, and tried again.
    }
    connection.set('broken')
    await untilNext(waitMs)
    waitMs = Math.min(2 * waitMs, longestWaitMs)
  }
}

/** Waits for the next attempt: a while, or until there is a key. */
async function untilNext(ms: number): Promise<void> {
  if (!isLocked.value) return new Promise((resolve) => setTimeout(resolve, ms))
  await new Promise<void>((resolve) => {
    const stop = isLocked.follow(() => {
      stop()
      resolve()
    })
  })
}

async function readEvents(body: ReadableStream<Uint8Array>): Promise<void> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let rest = ''
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    const blocks = (rest + decoder.decode(value, { stream: true })).split('\n\n')
    rest = blocks.pop() ?? ''
    const events = blocks
      .filter((block) => block.startsWith('data: '))
      .map((block) => JSON.parse(block.slice(6)) as LiveEvent)
    if (events.length > 0) for (const listener of [...listeners]) listener(events)
  }
}
