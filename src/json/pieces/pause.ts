/**
 * Resolves with the next turn of the event loop, so that waiting work, such as another request, runs first. Work that
 * is long for a large input is done piece by piece, with a pause after each.
 */
export function pause(): Promise<void> {
  return new Promise((resolve) => {
    // Node's timers wait a millisecond at least; not every runtime has immediates.
    if (typeof setImmediate === 'function') setImmediate(resolve)
    else setTimeout(resolve, 0)
  })
}
