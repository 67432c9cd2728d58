import { AnycallError } from '../../conversation/index.ts'
import type { GatewayRequest } from './http.ts'
import { unref } from './timers.ts'

/** The time that a request may take, and the client that waits for it. */
export interface TimeLimit {
  /** Aborts when the client is gone or the time is over. */
  signal: AbortSignal
  /** The client is gone, or has no use for the reply any more. */
  leave(): void
  /** Aborts, for this reason. */
  end(reason: AnycallError): void
  /** The request is over. */
  stop(): void
}

/** Ends a request whose client is gone, and one that takes too long. The clock keeps no process alive. */
export function limitTime({ onGone }: Pick<GatewayRequest, 'onGone'>, seconds: number): TimeLimit {
  const controller = new AbortController()
  const end = (reason: AnycallError): void => controller.abort(reason)
  const leave = (): void => end(new AnycallError('cancelled', 'The client closed the connection.'))
  const timer = setTimeout(
    () => end(new AnycallError('timeout', `The request took longer than ${seconds} seconds (limits.requestSeconds).`)),
    seconds * 1000,
  )
  unref(timer)
  const stopListening = onGone(leave)
  return {
    signal: controller.signal,
    leave,
    end,
    stop: () => {
      clearTimeout(timer)
      stopListening()
    },
  }
}
