import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { isJsonObject, type JsonObject, type JsonValue } from '../../src/conversation/index.ts'

/** The server's action on a request. */
export type ServerReply = StreamReply | StatusReply | RawReply

/** A chat completion. Without faults it is the output of a good server. */
export interface StreamReply {
  type: 'stream'
  /** A string is a piece of text; a call is a delta of `tool_calls`. */
  pieces: (string | { reasoning: string } | { call: JsonObject })[]
  /** The field that reasoning is given in. Default `reasoning_content`. */
  reasoningField?: string
  /** Before the first byte, the headers included. */
  firstByteDelayMs?: number
  /** Between two pieces, milliseconds. */
  delayMs?: number
  /** Default `stop`; null leaves it out. */
  finishReason?: string | null
  stopReason?: string | number
  /** Default: counted in pieces; null leaves it out. */
  usage?: JsonObject | null
  /** Default true. */
  doneMark?: boolean
  /** One JSON body instead of a stream. */
  whole?: boolean
  /** Lines end in CR LF. */
  crlf?: boolean
  /** Every write has so many bytes, wherever that splits a character. */
  splitBytes?: number
  /** Happens in place of the piece with this index. */
  fault?: Fault & { at: number }
}

export type Fault =
  /** The connection is destroyed. */
  | { type: 'cut' }
  /** Nothing more comes, and the connection stays. */
  | { type: 'silence' }
  /** An error as data, or as a separate SSE event. */
  | { type: 'error'; error: JsonValue; event?: boolean }
  /** Bytes between the pieces, which continue after them. */
  | { type: 'bytes'; bytes: string | Uint8Array }

/** Any status, with any body. */
export interface StatusReply {
  type: 'status'
  status: number
  body?: JsonValue
  headers?: Record<string, string>
}

/** Bytes with status 200; then the response ends, is cut, or stays silent. */
export interface RawReply {
  type: 'raw'
  chunks: (string | Uint8Array)[]
  contentType?: string
  end?: 'end' | 'cut' | 'silence'
}

/** Returns the answer to the `n`-th chat request (from 0). */
export type ServerScript = (request: JsonObject, n: number) => ServerReply

export interface RecordedRequest {
  path: string
  headers: IncomingHttpHeaders
  body: JsonObject
  /** The client closed the connection before the reply was complete. */
  closedEarly: boolean
  /** The reply was sent to its end. */
  completed: boolean
}

export interface UpstreamServer {
  /** The base URL, with `/v1`. */
  url: string
  /** The requests for replies, in order of arrival. */
  requests: RecordedRequest[]
  /** The headers of the requests for the list of models. */
  modelRequests: IncomingHttpHeaders[]
  readonly closedEarly: number
  /** Requests that are being answered. */
  readonly active: number
  readonly openConnections: number
  /** Connections since the start. */
  readonly connections: number
  close(): Promise<void>
}

export interface UpstreamServerOptions {
  /** The entries of `GET /v1/models`. */
  models?: JsonObject[]
}

/** A reply of these pieces of text. */
export function says(...pieces: StreamReply['pieces']): StreamReply {
  return { type: 'stream', pieces }
}

/** A call that the server makes itself: its name, then the pieces of its arguments. */
export function calls(name: string, ...json: string[]): StreamReply['pieces'] {
  const begun: JsonObject = { index: 0, id: 'call_1', type: 'function', function: { name, arguments: '' } }
  return [{ call: begun }, ...json.map((piece) => ({ call: { index: 0, function: { arguments: piece } } }))]
}

/** A stand-in for an OpenAI-compatible server, on a free port of 127.0.0.1. Its stream replies are of Chat Completions. */
export async function startUpstreamServer(
  script: ServerScript,
  options: UpstreamServerOptions = {},
): Promise<UpstreamServer> {
  const requests: RecordedRequest[] = []
  const modelRequests: IncomingHttpHeaders[] = []
  const sockets = new Set<Socket>()
  let connections = 0

  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      // A script that throws is a test's mistake: it must be seen there. A client that left needs no answer.
      if (response.headersSent || request.destroyed) response.destroy()
      else sendJson(response, 500, { error: { message: `the script threw: ${String(error)}` } })
    })
  })
  server.on('connection', (socket) => {
    connections++
    sockets.add(socket)
    socket.setNoDelay(true)
    socket.once('close', () => sockets.delete(socket))
  })

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url ?? ''
    if (request.method === 'GET' && path.startsWith('/v1/models')) {
      modelRequests.push(request.headers)
      const data = options.models ?? [{ id: 'test-model', object: 'model' }]
      sendJson(response, 200, { object: 'list', data })
      return
    }
    if (request.method !== 'POST' || !/^\/v1\/(?:chat\/completions|responses)\b/.test(path)) {
      sendJson(response, 404, { error: { message: `no route ${request.method} ${path}` } })
      return
    }
    const body = await readJson(request)
    const record: RecordedRequest = { path, headers: request.headers, body, closedEarly: false, completed: false }
    const n = requests.push(record) - 1
    response.once('close', () => {
      record.completed = response.writableFinished
      record.closedEarly = !response.writableFinished && !faulty.has(response)
    })
    await send(response, script(body, n), body)
  }

  // Otherwise it closes idle connections after 5 s, and a client that sends just then sees a reset.
  server.keepAliveTimeout = 0
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${portOf(server.address())}/v1`,
    requests,
    modelRequests,
    get closedEarly() {
      return requests.filter((request) => request.closedEarly).length
    },
    get active() {
      return requests.filter((request) => !request.closedEarly && !request.completed).length
    },
    get openConnections() {
      return sockets.size
    },
    get connections() {
      return connections
    },
    async close() {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}

/** Responses that the server itself cut: their end is not the client's doing. */
const faulty = new WeakSet<ServerResponse>()

async function send(response: ServerResponse, reply: ServerReply, request: JsonObject): Promise<void> {
  switch (reply.type) {
    case 'status':
      sendJson(response, reply.status, reply.body ?? { error: { message: `status ${reply.status}` } }, reply.headers)
      return
    case 'raw':
      response.writeHead(200, { 'content-type': reply.contentType ?? 'text/event-stream' })
      for (const chunk of reply.chunks) await write(response, chunk)
      if (reply.end === 'cut') await cut(response)
      else if (reply.end !== 'silence') response.end()
      return
    case 'stream':
      if (reply.firstByteDelayMs) await sleep(reply.firstByteDelayMs)
      if (reply.whole) sendJson(response, 200, wholeReply(reply, request))
      else await sendStream(response, reply, request)
  }
}

async function sendStream(response: ServerResponse, reply: StreamReply, request: JsonObject): Promise<void> {
  const { pieces, delayMs, fault, finishReason = 'stop' } = reply
  const end = reply.crlf ? '\r\n' : '\n'
  const event = (data: JsonValue): string => `data: ${JSON.stringify(data)}${end}${end}`
  const put = (text: string): Promise<void> => write(response, text, reply.splitBytes)
  const base = { id: 'chatcmpl-test', object: 'chat.completion.chunk', created: 0, model: request.model ?? '' }
  const chunk = (delta: JsonObject, finish: string | null = null): JsonObject => {
    const choice: JsonObject = { index: 0, delta, finish_reason: finish }
    if (finish !== null && reply.stopReason !== undefined) choice.stop_reason = reply.stopReason
    return { ...base, choices: [choice] }
  }

  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' })
  await put(event(chunk({ role: 'assistant', content: '' })))
  for (let index = 0; index <= pieces.length; index++) {
    if (delayMs && index > 0 && index < pieces.length) await sleep(delayMs)
    // Node joins the writes of one tick: a turn of the event loop sends each piece as a separate packet.
    else await new Promise(setImmediate)
    if (response.destroyed) return
    if (fault?.at === index) {
      switch (fault.type) {
        case 'cut':
          await cut(response)
          return
        case 'silence':
          return
        case 'error':
          await put((fault.event ? `event: error${end}` : '') + event({ error: fault.error }))
          response.end()
          return
        case 'bytes':
          await write(response, fault.bytes)
      }
    }
    const piece = pieces[index]
    if (piece === undefined) break
    await put(event(chunk(deltaOf(piece, reply))))
  }
  let last = finishReason === null ? '' : event(chunk({}, finishReason))
  const usage = usageOf(reply)
  if (usage && isJsonObject(request.stream_options) && request.stream_options.include_usage === true) {
    last += event({ ...base, choices: [], usage })
  }
  if (reply.doneMark !== false) last += `data: [DONE]${end}${end}`
  await put(last)
  response.end()
}

function deltaOf(
  piece: StreamReply['pieces'][number],
  { reasoningField = 'reasoning_content' }: StreamReply,
): JsonObject {
  if (typeof piece === 'string') return { content: piece }
  return 'call' in piece ? { tool_calls: [piece.call] } : { [reasoningField]: piece.reasoning }
}

function wholeReply(reply: StreamReply, request: JsonObject): JsonObject {
  const text = reply.pieces.map((piece) => (typeof piece === 'string' ? piece : '')).join('')
  const reasoning = reply.pieces
    .map((piece) => (typeof piece === 'object' && 'reasoning' in piece ? piece.reasoning : ''))
    .join('')
  const message: JsonObject = { role: 'assistant', content: text }
  if (reasoning !== '') message[reply.reasoningField ?? 'reasoning_content'] = reasoning
  return {
    id: 'chatcmpl-test',
    object: 'chat.completion',
    created: 0,
    model: request.model ?? '',
    choices: [{ index: 0, message, finish_reason: reply.finishReason ?? 'stop' }],
    usage: usageOf(reply),
  }
}

function usageOf({ usage, pieces }: StreamReply): JsonObject | null {
  if (usage !== undefined) return usage
  return { prompt_tokens: 10, completion_tokens: pieces.length, total_tokens: 10 + pieces.length }
}

/** Writes, and waits if the client is slower than the server. */
async function write(response: ServerResponse, data: string | Uint8Array, splitBytes?: number): Promise<void> {
  const bytes = typeof data === 'string' && splitBytes !== undefined ? Buffer.from(data) : data
  const step = splitBytes ?? bytes.length
  for (let start = 0; start < bytes.length; start += step) {
    if (response.destroyed) return
    const whole = step >= bytes.length
    if (!response.write(whole ? bytes : bytes.slice(start, start + step))) await drained(response)
    // A turn of the event loop for each write, so that the client reads them one by one.
    if (!whole) await new Promise(setImmediate)
  }
}

function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const settle = (): void => {
      response.off('drain', settle).off('close', settle)
      resolve()
    }
    response.once('drain', settle).once('close', settle)
  })
}

async function cut(response: ServerResponse): Promise<void> {
  faulty.add(response)
  // Node holds writes back until the end of the tick; data written before the cut must arrive.
  await new Promise(setImmediate)
  response.destroy()
}

function sendJson(response: ServerResponse, status: number, body: JsonValue, headers?: Record<string, string>): void {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
    ...headers,
  })
  response.end(text)
}

async function readJson(request: IncomingMessage): Promise<JsonObject> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  const body: unknown = JSON.parse(Buffer.concat(chunks).toString())
  return isJsonObject(body) ? body : {}
}

function portOf(address: AddressInfo | string | null): number {
  if (address === null || typeof address === 'string') throw new Error('the server listens on no port')
  return address.port
}
