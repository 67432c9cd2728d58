import { cancelled } from '../transport/transport-error.ts'

/**
 * Resolves with the value of `work`. Throws an AnycallError when the signal aborts; the work itself continues, since
 * others may wait for it.
 */
export function whileWanted<Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    const leave = (): void => reject(cancelled(signal))
    if (signal.aborted) leave()
    else signal.addEventListener('abort', leave, { once: true })
    void work.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave))
  })
}
