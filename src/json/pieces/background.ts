import { pause, workedMs } from './pause.ts'

/** The share of the time that background work takes while the thread is busy. */
const share = 0.02
/** The milliseconds of background work after which it is looked how busy the thread is; as long as half of them, and at least one. */
const longMs = 5
/** The thread is busy if it works for this share of the time. */
const busyShare = 0.3
/** A long piece of work, or a mistake about how busy the thread is, delays the rest of the work by no more. */
const longestSleepMs = 500

/**
 * Returns a pause for work that nobody waits for. While the thread does other work as well, this work takes a fiftieth of the time:
 * preparing the universal reader is a second of work, and cost a new process under load a third of its replies in its first four seconds.
 * After `signal` has aborted, a pause takes no longer than others.
 *
 * @example
 * const rest = backgroundPause(signal)
 * for (const step of steps) {
 *   step()
 *   await rest()
 * }
 */
export function backgroundPause(signal: AbortSignal): () => Promise<void> {
  let wentOnAt = performance.now()
  let workMs = 0
  return async () => {
    workMs += performance.now() - wentOnAt
    await pause()
    if (workMs >= longMs) {
      if (await isBusyFor(workMs / 2, signal)) await sleep(Math.min(workMs / share, longestSleepMs), signal)
      workMs = 0
    }
    wentOnAt = performance.now()
  }
}

/** Returns true if the thread does other work for most of so many milliseconds. */
async function isBusyFor(ms: number, signal: AbortSignal): Promise<boolean> {
  const [worked, now] = [workedMs(), performance.now()]
  await sleep(ms, signal)
  return workedMs() - worked > busyShare * (performance.now() - now)
}

/** Resolves after so many milliseconds, or when the signal aborts. */
function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve()
    const wake = (): void => {
      clearTimeout(timer)
      signal.removeEventListener('abort', wake)
      resolve()
    }
    const timer = setTimeout(wake, ms)
    signal.addEventListener('abort', wake)
  })
}
