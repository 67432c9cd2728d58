/** The milliseconds of work after which a pause is also a rest: a turn of the event loop takes another request one step only. */
const longMs = 20
/** A rest takes this share of the work before it. */
const restShare = 0.1
/** A small request has several steps, between which its upstream answers: it takes a few milliseconds, and more on a slow machine. */
const longestRestMs = 25

interface MeasuredTime {
  /** Node's: `active` is the time for which the thread worked, in milliseconds. */
  eventLoopUtilization?: () => { active: number }
}

/** The pieces of work that wait for their turn, in order. */
const waiting: (() => void)[] = []
/** The time for which the thread had worked when the last rest ended. */
let restedAt = 0

/**
 * Resolves after a turn of the event loop, so that waiting work, such as another request, runs first. Work that is long
 * for a large input is done piece by piece, with a pause after each. One piece alone is done in a turn, of whatever work: forty large
 * requests keep others waiting no longer than one. If the thread has worked for long since the last rest, the pause is a rest of some
 * milliseconds, in which a small request is served from its beginning to its end.
 */
export function pause(): Promise<void> {
  return new Promise((resolve) => {
    if (waiting.push(resolve) === 1) afterTurn(goOn)
  })
}

function goOn(): void {
  const restMs = restAfter(workedMs() - restedAt)
  if (restMs > 0) setTimeout(rested, restMs)
  else resumeFirst()
}

function rested(): void {
  restedAt = workedMs()
  resumeFirst()
}

/** The piece that goes on is done before the next turn. */
function resumeFirst(): void {
  waiting.shift()?.()
  if (waiting.length > 0) afterTurn(goOn)
}

function afterTurn(then: () => void): void {
  // Node's timers wait a millisecond at least; not every runtime has immediates. Those that are requested while input is handled run
  // before other input: the second one comes after it.
  if (typeof setImmediate === 'function') setImmediate(() => setImmediate(then))
  else setTimeout(then, 0)
}

/** The milliseconds of a rest after so many of work; 0 if a turn of the event loop is enough. */
export function restAfter(ms: number): number {
  return ms < longMs ? 0 : Math.min(ms * restShare, longestRestMs)
}

/** The time for which the thread has worked; 0 if the runtime does not measure it. */
export function workedMs(): number {
  const measured: Performance & MeasuredTime = performance
  return measured.eventLoopUtilization?.().active ?? 0
}
