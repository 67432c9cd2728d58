import { SilenceTimer } from './silence-timer.ts'
import { cancelled, TransportError, toTransportError } from './transport-error.ts'

export interface HttpTimeouts {
  /** Until the connection stands. `fetchTransport` cannot see that; there it counts towards `firstByteMs`. */
  connectMs: number
  /** From the request's start until the first byte of the body. Covers loading the model and reading the prompt. */
  firstByteMs: number
  /** Between two chunks of the body, while somebody waits for one. */
  idleMs: number
}

export interface HttpRequest {
  url: string
  method: 'GET' | 'POST'
  headers: Record<string, string>
  body?: string
  signal: AbortSignal
  /** Each in milliseconds; 0 is no limit. */
  timeouts: HttpTimeouts
}

export interface HttpResponse {
  status: number
  /** Names are in lower case. */
  headers: Record<string, string>
  /** Must be read to its end or returned: until then it holds a connection. */
  body: AsyncIterable<Uint8Array>
}

/**
 * One HTTP exchange, without redirects. Resolves with any status; throws a TransportError when there is none, and
 * `cancelled` when the signal aborts. An abort, and an early `return()` of the body, close the connection.
 */
export type HttpTransport = (request: HttpRequest) => Promise<HttpResponse>

/** The transport over the global `fetch`: runs wherever Web standards do. */
export const fetchTransport: HttpTransport = async (request) => {
  const { url, method, headers, body, signal, timeouts } = request
  if (signal.aborted) throw cancelled(signal)

  const controller = new AbortController()
  let gotBytes = false
  const silence = new SilenceTimer(() =>
    controller.abort(new TransportError(gotBytes ? 'idle-timeout' : 'first-byte-timeout', url)),
  )
  const onAbort = (): void => controller.abort(cancelled(signal))
  signal.addEventListener('abort', onAbort, { once: true })
  const release = (): void => {
    silence.stop()
    signal.removeEventListener('abort', onAbort)
  }
  const failure = (error: unknown): Error =>
    toTransportError(controller.signal.aborted ? controller.signal.reason : error, url)

  silence.wait(timeouts.firstByteMs)
  let response: Response
  try {
    response = await fetch(url, {
      method,
      headers,
      signal: controller.signal,
      redirect: 'manual',
      ...(body === undefined ? {} : { body }),
    })
  } catch (error) {
    release()
    throw failure(error)
  }

  const reader = response.body?.getReader()
  const chunks: AsyncIterator<Uint8Array> = {
    async next() {
      if (reader === undefined) {
        release()
        return { done: true, value: undefined }
      }
      try {
        if (gotBytes) silence.wait(timeouts.idleMs)
        const { done, value } = await reader.read()
        if (!done) {
          gotBytes = true
          silence.rest()
          return { done: false, value }
        }
      } catch (error) {
        release()
        throw bodyFailure(failure(error), url)
      }
      release()
      return { done: true, value: undefined }
    },
    async return() {
      release()
      // Cancelling alone lets some runtimes read on to keep the connection; aborting closes it.
      controller.abort(new TransportError('closed', url))
      await reader?.cancel().catch(() => {})
      return { done: true, value: undefined }
    },
  }
  return {
    status: response.status,
    headers: Object.fromEntries(response.headers),
    body: { [Symbol.asyncIterator]: () => chunks },
  }
}

/** A body that breaks off for a reason that the runtime does not name was cut. */
function bodyFailure(error: Error, url: string): Error {
  return error instanceof TransportError && error.reason === 'failed'
    ? new TransportError('cut', url, error.cause)
    : error
}
