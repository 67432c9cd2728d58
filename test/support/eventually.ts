import { setTimeout as sleep } from 'node:timers/promises'

// The real clock, also for tests that fake theirs: `vi.waitFor` would move that on.
const now = performance.now.bind(performance)

/**
 * Waits until `check` no longer throws. Only a condition that never holds runs out of time, however loaded the machine
 * is.
 */
export async function eventually<T>(check: () => T | Promise<T>): Promise<T> {
  const end = now() + 30_000
  for (;;) {
    try {
      return await check()
    } catch (error) {
      if (now() > end) throw error
    }
    await sleep(2)
  }
}
