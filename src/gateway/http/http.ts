import type { PlanName } from '../config/config.ts'
import { unref } from './timers.ts'

/** Parts of a model's rule, for one request. */
export interface RuleOverride {
  upstream?: string
  plan?: PlanName
  dialect?: string
}

/** A request in the form that the gateway needs, independent of the server that received it. */
export interface GatewayRequest {
  method: string
  /** The path without the query, as it came: percent-encoded. */
  path: string
  /** The query without its question mark, unchanged. Absent or empty if there is none. */
  query?: string
  /** A header's value by its lower-case name. */
  header(name: string): string | undefined
  body: AsyncIterable<Uint8Array> | undefined
  /** True if the server calls `sent` of each response: no timer is then set for it. */
  callsSent?: boolean
  /** Set by the gateway itself, for a recorded request that it answers again: parts of the rule that are replaced. */
  replay?: RuleOverride
  /** Calls `listener` once when the client is gone, at once if it already is; the returned function cancels that. */
  onGone(listener: () => void): () => void
}

export interface GatewayResponse {
  status: number
  headers: Record<string, string>
  body: string | EventStreamBody
  /** Call it once a string body has been written; it logs the request. Without `callsSent` of the request, it is logged on the next tick anyway. */
  sent?: () => void
}

/**
 * A body that is sent while it is produced. The sender reads `chunks` to the end or calls their `return()`; if it drops
 * them, they end when they are collected as garbage.
 */
export interface EventStreamBody {
  chunks: AsyncIterable<string>
  /** Returns the text to send after `pingMs` without output, to keep the connection open. */
  ping(): string
  /** Milliseconds. */
  pingMs: number
  /** Aborts when the client is gone or its time is over: waiting for the client then ends. */
  signal: AbortSignal
}

/** The response as the Web's own; keep-alive pings included. `left` is called when its reader cancels it. */
export function toWebResponse(response: GatewayResponse, left: () => void): Response {
  const { status, headers, body } = response
  response.sent?.()
  if (typeof body === 'string') return new Response(body === '' ? null : body, { status, headers })
  return new Response(toReadableStream(body, left), { status, headers })
}

function toReadableStream(body: EventStreamBody, left: () => void): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  const chunks = body.chunks[Symbol.asyncIterator]()
  let timer: ReturnType<typeof setTimeout> | undefined
  return new ReadableStream<Uint8Array>({
    // Pulled, not pushed: a slow client slows the upstream.
    async pull(controller) {
      timer = setInterval(() => controller.enqueue(encoder.encode(body.ping())), body.pingMs)
      unref(timer)
      try {
        const next = await chunks.next()
        if (next.done) controller.close()
        else controller.enqueue(encoder.encode(next.value))
      } finally {
        clearInterval(timer)
      }
    },
    async cancel() {
      clearInterval(timer)
      left()
      await chunks.return?.()
    },
  })
}

/** A Web request as the gateway's own. Its client is gone when it aborts, and when the reader of the response has left. */
export function fromWebRequest(request: Request, left: AbortSignal): GatewayRequest {
  const { pathname, search } = new URL(request.url)
  return {
    method: request.method,
    path: pathname,
    query: search.slice(1),
    header: (name) => request.headers.get(name) ?? undefined,
    body: request.body ? readAll(request.body) : undefined,
    callsSent: true,
    onGone: (listener) => onAbort(AbortSignal.any([request.signal, left]), listener),
  }
}

/** Returns a parameter of the query; undefined if it is absent. */
export function queryParameter({ query }: Pick<GatewayRequest, 'query'>, name: string): string | undefined {
  // Nearly all requests have no query.
  return query ? (new URLSearchParams(query).get(name) ?? undefined) : undefined
}

function onAbort(signal: AbortSignal, listener: () => void): () => void {
  if (signal.aborted) listener()
  else signal.addEventListener('abort', listener, { once: true })
  return () => signal.removeEventListener('abort', listener)
}

async function* readAll(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      yield value
    }
  } finally {
    await reader.cancel()
  }
}
