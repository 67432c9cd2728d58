import { cancelled } from '../transport/transport-error.ts'

/**
 * Wraps a generator so that a signal stops it at once: a pending `next()` rejects immediately, and the computation is
 * abandoned when it is done. `lost` receives later failures.
 */
export function stoppable<T>(
  generator: AsyncGenerator<T, void, undefined>,
  signal: AbortSignal,
  lost: (error: unknown) => void,
): AsyncIterableIterator<T, undefined> {
  let isOver = false
  const stop = (): void => {
    if (isOver) return
    isOver = true
    generator.return().catch(lost)
  }
  return {
    next() {
      if (isOver) return Promise.resolve({ done: true, value: undefined })
      return new Promise((resolve, reject) => {
        const abort = (): void => {
          stop()
          reject(cancelled(signal))
        }
        if (signal.aborted) {
          abort()
          return
        }
        signal.addEventListener('abort', abort, { once: true })
        generator
          .next()
          .then(
            (result) => resolve(result.done ? { done: true, value: undefined } : result),
            (error: unknown) => {
              if (signal.aborted) lost(error)
              reject(error)
            },
          )
          .finally(() => signal.removeEventListener('abort', abort))
      })
    },
    return() {
      stop()
      return Promise.resolve({ done: true, value: undefined })
    },
    [Symbol.asyncIterator]() {
      return this
    },
  }
}
