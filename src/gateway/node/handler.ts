import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Gateway } from '../gateway.ts'
import type { EventStreamBody, GatewayRequest } from '../http/http.ts'
import { inTurn } from './in-turn.ts'
import { IncomingBody } from './incoming-body.ts'

/** A listener for requests of `node:http`, which Express and Fastify pass on, too. */
export type NodeHandler = (incoming: IncomingMessage, outgoing: ServerResponse) => void

/** The time for which a client may continue to send its body after it was refused. */
const drainTimeoutMs = 30_000

/**
 * Makes a handler for a server of `node:http`, Express or Fastify. It reads the bodies of requests itself, so it comes before body
 * parsers such as `express.json()`.
 *
 * @example
 * app.use('/llm', toNodeHandler(gateway))
 */
export function toNodeHandler(gateway: Pick<Gateway, 'handle'>): NodeHandler {
  return (incoming, outgoing) => {
    inTurn(incoming, outgoing, () => {
      serve(gateway, incoming, outgoing).catch((error: unknown) =>
        outgoing.destroy(error instanceof Error ? error : undefined),
      )
    })
  }
}

async function serve(
  gateway: Pick<Gateway, 'handle'>,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  const response = await gateway.handle(toGatewayRequest(incoming, outgoing))
  const { status, headers, body } = response
  if (typeof body === 'string') {
    const isRead = incoming.complete || incoming.destroyed
    headers['content-length'] = String(Buffer.byteLength(body))
    try {
      outgoing.writeHead(status, headers)
      if (isRead) outgoing.end(body)
      else outgoing.write(body)
    } finally {
      // The request is over even if its answer cannot be sent: nothing else ends it.
      response.sent?.()
    }
    if (isRead) return
    await drainBody(incoming)
    outgoing.end()
    return
  }
  outgoing.writeHead(status, headers)
  await sendStream(body, outgoing)
  // A client that has not read this much when its time is over will not read the end either.
  if (body.signal.aborted && outgoing.writableNeedDrain) outgoing.destroy()
  else outgoing.end()
}

/**
 * Reads the rest of a body that was left because it is too large. Most clients read the answer only when they have sent all of
 * the body, and an answer is lost if its connection is closed before that.
 */
function drainBody(incoming: IncomingMessage): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => incoming.destroy(), drainTimeoutMs)
    incoming.once('close', () => {
      clearTimeout(timer)
      resolve()
    })
    incoming.resume()
  })
}

/** Returns true if the connection was closed before all of the response was sent. */
function isGone(outgoing: ServerResponse): boolean {
  return outgoing.closed && !outgoing.writableFinished
}

function toGatewayRequest(incoming: IncomingMessage, outgoing: ServerResponse): GatewayRequest {
  if (!incoming.url?.startsWith('/')) toOriginForm(incoming)
  const url = incoming.url ?? '/'
  const query = url.indexOf('?')
  return {
    method: incoming.method ?? 'GET',
    path: query < 0 ? url : url.slice(0, query),
    query: query < 0 ? '' : url.slice(query + 1),
    header: (name) => {
      const value = incoming.headers[name]
      return Array.isArray(value) ? value.join(', ') : value
    },
    body: new IncomingBody(incoming),
    callsSent: true,
    // No AbortSignal: in Node 20 each signal has a separate hidden class, for which no code is compiled.
    onGone: (listener) => {
      const onClose = (): void => {
        if (isGone(outgoing)) listener()
      }
      outgoing.once('close', onClose)
      if (outgoing.closed) onClose()
      return () => outgoing.off('close', onClose)
    },
  }
}

const absoluteForm = /^https?:\/\/([^/?#]*)/i

/**
 * Rewrites a target in absolute form, `http://host/path`, which clients send that take the gateway for a proxy. A
 * server must accept it, and take the host from it rather than from the header (RFC 9112, 3.2.2).
 */
function toOriginForm(incoming: IncomingMessage): void {
  const [start, host] = absoluteForm.exec(incoming.url ?? '') ?? []
  if (start === undefined || host === undefined) return
  const rest = incoming.url?.slice(start.length) ?? ''
  incoming.url = rest.startsWith('/') ? rest : `/${rest}`
  incoming.headers.host = host
}

/**
 * The bytes that may wait for a client before its reply does. Node's own mark is 16 kB, which the first event of a response exceeds if the
 * request has tools: each of its replies waited for a turn of the event loop, and was sent in two parts.
 */
const mostUnsent = 64 * 1024

/** Sends a stream; waits for a slow client, and stops when the client is gone. */
async function sendStream(body: EventStreamBody, outgoing: ServerResponse): Promise<void> {
  let isIdle = true
  const timer = setInterval(() => {
    if (isIdle && !outgoing.writableNeedDrain) outgoing.write(body.ping())
    isIdle = true
  }, body.pingMs)
  try {
    for await (const chunk of body.chunks) {
      if (isGone(outgoing)) return
      isIdle = false
      if (!outgoing.write(chunk) && outgoing.writableLength > mostUnsent) await drained(outgoing, body.signal)
    }
  } finally {
    clearInterval(timer)
  }
}

function drained(outgoing: ServerResponse, over: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      outgoing.off('drain', done)
      over.removeEventListener('abort', done)
      resolve()
    }
    outgoing.on('drain', done)
    over.addEventListener('abort', done)
    if (over.aborted) done()
  })
}
