import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { isJsonObject, type JsonObject, type JsonValue } from '../../src/conversation/index.ts'
import { listenLocally } from './http-stand-in.ts'

/** What an engine answers: JSON with a status, or a stream of pieces, each a packet of its own. */
export type EngineAnswer =
  | { type: 'json'; status: number; body: JsonValue; headers?: Record<string, string> }
  | { type: 'stream'; pieces: Iterable<string | StreamFault> }

/** In place of a piece: the connection is destroyed, or nothing more comes. */
export type StreamFault = { fault: 'cut' } | { fault: 'silence' }

export interface EngineRequest {
  method: string
  path: string
  query: URLSearchParams
  headers: IncomingHttpHeaders
  body: JsonObject
  /** The client closed the connection before the reply was complete. */
  closedEarly: boolean
}

export interface EngineServer {
  /** `http://127.0.0.1:PORT`, without a path. */
  url: string
  requests: EngineRequest[]
  close(): Promise<void>
}

/** An HTTP server on a free port of 127.0.0.1 that answers as `answer` says. */
export async function startEngineServer(
  answer: (request: EngineRequest) => EngineAnswer | Promise<EngineAnswer>,
  /** How long each piece of a stream takes. */
  pieceDelayMs: number = 0,
): Promise<EngineServer> {
  const requests: EngineRequest[] = []
  const server = createServer((request, response) => {
    respond(request, response).catch((error: unknown) => {
      if (response.headersSent || request.destroyed) response.destroy()
      else sendJson(response, 500, { error: { code: 500, message: String(error), type: 'server_error' } })
    })
  })
  server.on('connection', (socket) => socket.setNoDelay(true))

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://127.0.0.1')
    const record: EngineRequest = {
      method: request.method ?? '',
      path: pathname,
      query: searchParams,
      headers: request.headers,
      body: await readJson(request),
      closedEarly: false,
    }
    requests.push(record)
    let isCut = false
    response.once('close', () => {
      record.closedEarly = !response.writableFinished && !isCut
    })
    const answered = await answer(record)
    if (answered.type === 'json') {
      sendJson(response, answered.status, answered.body, answered.headers)
      return
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    for (const piece of answered.pieces) {
      if (pieceDelayMs > 0) await sleep(pieceDelayMs)
      else await new Promise(setImmediate)
      if (response.destroyed) return
      if (typeof piece === 'string') response.write(piece)
      else {
        if (piece.fault === 'silence') return
        isCut = true
        response.destroy()
        return
      }
    }
    response.end()
  }

  return { requests, ...(await listenLocally(server)) }
}

/** An event of a stream without a name. */
export function sse(value: JsonValue): string {
  return `data: ${JSON.stringify(value)}\n\n`
}

function sendJson(response: ServerResponse, status: number, body: JsonValue, headers?: Record<string, string>): void {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(text)
}

async function readJson(request: IncomingMessage): Promise<JsonObject> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  const text = Buffer.concat(chunks).toString()
  const body: unknown = text === '' ? {} : JSON.parse(text)
  return isJsonObject(body) ? body : {}
}
