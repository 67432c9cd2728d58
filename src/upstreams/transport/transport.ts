import { Slots } from '../../conversation/index.ts'
import { SilenceTimer } from './silence-timer.ts'
import { cancelled, TransportError, toTransportError } from './transport-error.ts'

export interface HttpTimeouts {
  /** Milliseconds until the connection is open. `fetch` cannot observe that; there it counts towards `firstByteMs`. */
  connectMs: number
  /** Milliseconds from the request's start until the first byte of the body. Covers loading the model and reading the prompt. */
  firstByteMs: number
  /** Milliseconds between two chunks of the body while a reader waits. */
  idleMs: number
}

/** A body of a request; a large one in pieces, as encoding and sending it at once would keep all others waiting. */
export type HttpBody = string | readonly Uint8Array<ArrayBuffer>[]

export interface HttpRequest {
  url: string
  method: 'GET' | 'POST'
  headers: Record<string, string>
  body?: HttpBody
  signal: AbortSignal
  /** True if no connection of earlier requests may be used. `fetch` has no such option, and uses any connection. */
  isFresh?: boolean
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
 * Sends one HTTP request, without following redirects. Resolves with any status. Throws a TransportError if there is no
 * response, with the reason `cancelled` if the signal aborts. An abort, or an early `return()` of the body, closes the
 * connection.
 */
export type HttpTransport = (request: HttpRequest) => Promise<HttpResponse>

/** A transport that keeps connections. */
export type ClosableTransport = HttpTransport & {
  /** Loads what the first request would wait for; connects to nothing. */
  prepare?(): Promise<void>
  /** Ends its connections, and running requests; requests after that are refused. */
  close(): Promise<void>
}

/**
 * Returns a transport over the global `fetch`, for any runtime with Web standards.
 *
 * @example
 * const transport = createFetchTransport()
 * const upstreams = createUpstreams(config, { transport })
 */
export function createFetchTransport(): ClosableTransport {
  const running = new Slots<() => void>()
  let isClosed = false
  const transport: HttpTransport = async (request) => {
    if (request.signal.aborted) throw cancelled(request.signal)
    if (isClosed) throw new TransportError('closed', request.url)
    return exchange(request, running)
  }
  return Object.assign(transport, {
    async close() {
      isClosed = true
      for (const stop of running) stop()
    },
  })
}

/**
 * Bun ends an exchange that is silent for five minutes, which reading a long prompt can take; other runtimes ignore
 * this option.
 */
const noSilenceLimit = { timeout: false }

/** One exchange by `fetch`; while it runs, `running` has the function that ends it. */
async function exchange(request: HttpRequest, running: Slots<() => void>): Promise<HttpResponse> {
  const { url, method, headers, body, signal, timeouts } = request
  const controller = new AbortController()
  const stop = (): void => controller.abort(new TransportError('closed', url))
  const place = running.add(stop)
  let gotBytes = false
  const silence = new SilenceTimer(() =>
    controller.abort(new TransportError(gotBytes ? 'idle-timeout' : 'first-byte-timeout', url)),
  )
  const onAbort = (): void => controller.abort(cancelled(signal))
  signal.addEventListener('abort', onAbort, { once: true })
  const release = (): void => {
    running.remove(place, stop)
    silence.stop()
    signal.removeEventListener('abort', onAbort)
  }
  const failure = (error: unknown): Error =>
    toTransportError(controller.signal.aborted ? controller.signal.reason : error, url)

  silence.wait(timeouts.firstByteMs)
  let response: Response
  try {
    const init = { method, headers, signal: controller.signal, redirect: 'manual' as const, ...noSilenceLimit }
    response = await fetch(
      url,
      body === undefined ? init : { ...init, body: typeof body === 'string' ? body : new Blob([...body]) },
    )
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
      stop()
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
