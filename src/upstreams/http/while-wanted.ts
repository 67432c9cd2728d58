import { cancelled } from '../transport/transport-error.ts'

/**
 * What a promise gives, for whoever waits no longer than the signal lets them: the work itself goes on, since others may wait for it as
 * well. Throws an AnycallError when the signal aborts.
 */
export function whileWanted<Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    const leave = (): void => reject(cancelled(signal))
    if (signal.aborted) leave()
    else signal.addEventListener('abort', leave, { once: true })
    void work.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave))
  })
}
