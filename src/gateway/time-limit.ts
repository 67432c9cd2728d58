import { AnycallError } from '../conversation/index.ts'

/** The time that a request may take, and the client that waits for it. */
export interface TimeLimit {
  /** Aborts when the client is gone or the time is over. */
  signal: AbortSignal
  /** The client is gone, or has no use for the reply any more. */
  leave(): void
  /** The request is over. */
  stop(): void
}

/** The client's signal, which also aborts when the request takes too long. The clock keeps no process alive. */
export function limitTime(client: AbortSignal, seconds: number): TimeLimit {
  const controller = new AbortController()
  const leave = (): void => controller.abort(new AnycallError('cancelled', 'The client closed the connection.'))
  const timer = setTimeout(
    () =>
      controller.abort(
        new AnycallError('timeout', `The request took longer than ${seconds} seconds (limits.requestSeconds).`),
      ),
    seconds * 1000,
  )
  unref(timer)
  if (client.aborted) leave()
  else client.addEventListener('abort', leave, { once: true })
  return {
    signal: controller.signal,
    leave,
    stop: () => {
      clearTimeout(timer)
      client.removeEventListener('abort', leave)
    },
  }
}

/** Lets a process end although a timer runs, where timers hold processes: Node, Bun and Deno have objects for them. */
export function unref(timer: unknown): void {
  if (typeof timer === 'object' && timer !== null && 'unref' in timer && typeof timer.unref === 'function')
    timer.unref()
}
