import { once } from 'node:events'
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http'
import { isJsonObject, type JsonObject, type JsonValue } from '../../src/conversation/index.ts'

export interface StandInRequest {
  method: string
  /** With its query. */
  path: string
  headers: IncomingHttpHeaders
  body: JsonObject
  /** The client closed the connection before the reply was complete. */
  closedEarly: boolean
}

export interface StandIn {
  /** Without a path. */
  url: string
  /** In order of arrival. */
  requests: StandInRequest[]
  close(): Promise<void>
}

/** How a reply that is streamed ends: as it should, in the middle by a cut, or never. */
export type StreamEnd = 'end' | 'cut' | 'silence'

/** An HTTP server on a free port of 127.0.0.1 that records what it is asked. */
export async function startStandIn(
  answer: (request: StandInRequest, response: ServerResponse) => Promise<void>,
): Promise<StandIn> {
  const requests: StandInRequest[] = []
  const server = createServer((request, response) => {
    handle(request, response).catch((error: unknown) => {
      // A stand-in that throws is a test's mistake: it must be seen there. A client that left needs no answer.
      if (response.headersSent || request.destroyed) response.destroy()
      else sendJson(response, 500, { error: { message: `the stand-in threw: ${String(error)}` } })
    })
  })

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url = '', headers } = request
    const record: StandInRequest = { method, path: url, headers, body: await readJson(request), closedEarly: false }
    requests.push(record)
    response.once('close', () => {
      record.closedEarly = !response.writableFinished
    })
    await answer(record, response)
  }

  return { requests, ...(await listenLocally(server)) }
}

/** Has a server listen on a free port of 127.0.0.1. Closing it leaves no connection open. */
export async function listenLocally(server: Server): Promise<{ url: string; close(): Promise<void> }> {
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

export function sendJson(
  response: ServerResponse,
  status: number,
  body: JsonValue,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(JSON.stringify(body))
}

/** Streams pieces, each in a packet of its own. */
export async function sendPieces(
  response: ServerResponse,
  contentType: string,
  pieces: readonly string[],
  end: StreamEnd = 'end',
): Promise<void> {
  response.writeHead(200, { 'content-type': contentType })
  for (const piece of pieces) {
    if (response.destroyed) return
    response.write(piece)
    // Node joins what is written in one tick.
    await new Promise(setImmediate)
  }
  if (end === 'end') response.end()
  else if (end === 'cut') response.destroy()
}

async function readJson(request: IncomingMessage): Promise<JsonObject> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  const text = Buffer.concat(chunks).toString()
  const body: unknown = text === '' ? {} : JSON.parse(text)
  return isJsonObject(body) ? body : {}
}
