/**
 * Resolves after a turn of the event loop, so that waiting work, such as another request, runs first. Work that is long
 * for a large input is done piece by piece, with a pause after each.
 */
export function pause(): Promise<void> {
  return new Promise((resolve) => {
    // Node's timers wait a millisecond at least; not every runtime has immediates. Those that are requested while input is handled run
    // before other input: the second one comes after it.
    if (typeof setImmediate === 'function') setImmediate(() => setImmediate(resolve))
    else setTimeout(resolve, 0)
  })
}
