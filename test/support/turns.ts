import { vi } from 'vitest'

/**
 * Returns the number of turns that the event loop takes during work in steps. Each look at the clock finds a later time, by as much as a
 * piece of work may take: there is a pause after every step.
 */
export async function turnsDuring(work: () => Promise<unknown>): Promise<number> {
  let now = 0
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => {
    now += 10
    return now
  })
  let turns = 0
  let isOver = false
  const count = (): void => {
    turns++
    if (!isOver) setImmediate(count)
  }
  setImmediate(count)
  try {
    await work()
  } finally {
    isOver = true
    clock.mockRestore()
  }
  return turns
}
