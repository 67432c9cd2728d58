import { once } from 'node:events'
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { isJsonObject, type JsonObject, type JsonValue } from '../../src/conversation/index.ts'

export interface StandInRequest {
  method: string
  path: string
  query: URLSearchParams
  headers: IncomingHttpHeaders
  /** The body as text; `body` is its value, empty if it is not an object. */
  text: string
  body: JsonObject
  /** The client closed the connection before the reply was complete. */
  closedEarly: boolean
}

/** The answer to a request: one text or JSON; a stream of pieces, each in its own packet; or nothing, ever. */
export type StandInAnswer =
  | { type: 'json'; status: number; body: JsonValue; headers?: Record<string, string> }
  | {
      type: 'stream'
      pieces: Iterable<string | StreamFault>
      /** Default: an event stream. */
      headers?: Record<string, string>
      /** The time before each piece; by default the server's. */
      pieceDelayMs?: number
    }
  | { type: 'silence' }

/** In place of a piece: the stream is over, the connection is destroyed, or nothing more comes. */
export interface StreamFault {
  fault: 'end' | 'cut' | 'silence'
}

export interface StandInServer {
  /** `http://127.0.0.1:PORT`, without a path. */
  url: string
  /** In order of arrival. */
  requests: StandInRequest[]
  close(): Promise<void>
}

/** An HTTP server on a free port of 127.0.0.1 that answers with the result of `answer`, and records its requests. */
export async function startStandIn(
  answer: (request: StandInRequest) => StandInAnswer | Promise<StandInAnswer>,
  /** The time before each piece of a stream. */
  pieceDelayMs: number = 0,
): Promise<StandInServer> {
  const requests: StandInRequest[] = []
  const server = createServer((request, response) => {
    respond(request, response).catch((error: unknown) => {
      // A stand-in that throws is a test's mistake, which the test must show. A client that left needs no answer.
      if (response.headersSent || request.destroyed) response.destroy()
      else sendText(response, 500, { error: { message: `the stand-in threw: ${String(error)}` } })
    })
  })
  server.on('connection', (socket) => socket.setNoDelay(true))

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const record = await readRequest(request)
    requests.push(record)
    let isCut = false
    response.once('close', () => {
      record.closedEarly = !response.writableFinished && !isCut
    })
    const answered = await answer(record)
    if (answered.type === 'silence') return
    if (answered.type === 'json') {
      sendText(response, answered.status, answered.body, answered.headers)
      return
    }
    const { pieces, headers, pieceDelayMs: delayMs = pieceDelayMs } = answered
    response.writeHead(200, { 'content-type': 'text/event-stream', ...headers })
    for (const piece of pieces) {
      if (delayMs > 0) await sleep(delayMs)
      // Node joins the writes of one tick.
      else await new Promise(setImmediate)
      if (response.destroyed) return
      if (typeof piece === 'string') response.write(piece)
      else if (piece.fault === 'silence') return
      else {
        if (piece.fault === 'end') break
        isCut = true
        response.destroy()
        return
      }
    }
    response.end()
  }

  return { requests, ...(await listenLocally(server)) }
}

/** Has a server listen on a free port of 127.0.0.1. It closes no connection by itself, however slow the machine; `close` closes all. */
export async function listenLocally(server: Server): Promise<{ url: string; close(): Promise<void> }> {
  // Otherwise it closes idle connections after 5 s, and a client that sends just then sees a reset.
  server.keepAliveTimeout = 0
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the server listens on no port')
  return {
    url: `http://127.0.0.1:${address.port}`,
    async close() {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}

/** An answer of JSON. */
export function json(body: JsonValue, status: number = 200, headers: Record<string, string> = {}): StandInAnswer {
  return { type: 'json', status, body, headers }
}

/** An event of a stream; without a name by default. */
export function sse(value: JsonValue, name?: string): string {
  return `${name === undefined ? '' : `event: ${name}\n`}data: ${JSON.stringify(value)}\n\n`
}

function sendText(response: ServerResponse, status: number, body: JsonValue, headers?: Record<string, string>): void {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(text)
}

async function readRequest(request: IncomingMessage): Promise<StandInRequest> {
  const { method = '', url = '/', headers } = request
  const { pathname, searchParams } = new URL(url, 'http://127.0.0.1')
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  const text = Buffer.concat(chunks).toString()
  const body: unknown = text === '' ? {} : JSON.parse(text)
  return {
    method,
    path: pathname,
    query: searchParams,
    headers,
    text,
    body: isJsonObject(body) ? body : {},
    closedEarly: false,
  }
}
