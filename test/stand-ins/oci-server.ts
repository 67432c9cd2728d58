import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import { isJsonObject, type JsonObject, type JsonValue } from '../../src/conversation/index.ts'
import { isSigned, malformed, refuseBody } from './oci-request.ts'

/** What the server answers a request that it takes. */
export type OciReply =
  | {
      /** A reply in the format that was asked for, streamed if that was asked for. */
      type: 'reply'
      pieces: string[]
      reasoning?: string
      /** Cohere's are given out whole, the Generic format's arguments piece by piece. */
      calls?: { name: string; parameters: JsonObject }[]
      finishReason?: string
      errorMessage?: string
      usage?: JsonObject
      /** One JSON body although a stream was asked for. */
      whole?: boolean
      contentType?: string
      delayMs?: number
      /** In place of the event with this index: the connection is cut, falls silent, or something else is sent. */
      fault?: { at: number; what: 'cut' | 'silence' | { data: string } }
    }
  | { type: 'status'; status: number; body: JsonValue; headers?: Record<string, string> }
  | { type: 'silence' }

export interface OciServer {
  /** Without a path, as the SDK's endpoint is given. */
  url: string
  /** Those that were signed well. */
  requests: { headers: IncomingHttpHeaders; body: JsonObject }[]
  /** In PEM; what the signatures are checked with. */
  publicKey: string
  /** Connections that the client closed before the reply was over. */
  closedEarly: number
  close(): Promise<void>
}

export interface OciServerOptions {
  /** In PEM; what the signatures are checked with. */
  publicKey: string
  script: (body: JsonObject, n: number) => OciReply
  /** The format of a model, where it takes one only. */
  formats?: Readonly<Record<string, string>>
}

const opcRequestId = 'opc-of-the-server/1'

/** A stand-in for OCI Generative AI's inference, API version 20231130. */
export async function startOciServer({ publicKey, script, formats = {} }: OciServerOptions): Promise<OciServer> {
  const requests: OciServer['requests'] = []
  let closedEarly = 0
  const server = createServer((request, response) => {
    const ownCut = { done: false }
    response.once('close', () => {
      if (!response.writableFinished && !ownCut.done) closedEarly++
    })
    answer(request, response, ownCut).catch((error: unknown) => {
      if (response.headersSent || request.destroyed) response.destroy()
      else sendError(response, 500, 'InternalServerError', `the stand-in failed: ${String(error)}`)
    })
  })

  async function answer(request: IncomingMessage, response: ServerResponse, ownCut: { done: boolean }): Promise<void> {
    const text = await readText(request)
    const path = request.url ?? ''
    if (!isSigned(path, request.headers, text, running.publicKey)) {
      const message = 'The required information to complete authentication was not provided or was incorrect.'
      sendError(response, 401, 'NotAuthenticated', message)
      return
    }
    if (request.method !== 'POST' || path !== '/20231130/actions/chat') {
      sendError(response, 404, 'NotAuthorizedOrNotFound', 'Authorization failed or requested resource not found.')
      return
    }
    const body: unknown = JSON.parse(text)
    if (!isJsonObject(body)) throw new Error('the body is no object')
    const n = requests.push({ headers: request.headers, body }) - 1
    const chatRequest = isJsonObject(body.chatRequest) ? body.chatRequest : {}
    const model = isJsonObject(body.servingMode) ? String(body.servingMode.modelId) : ''
    const format = Object.hasOwn(formats, model) ? formats[model] : undefined
    const refusal = format !== undefined && format !== chatRequest.apiFormat ? malformed : refuseBody(body)
    if (refusal !== undefined) {
      sendError(response, 400, '400', refusal)
      return
    }
    const reply = script(body, n)
    if (reply.type === 'silence') return
    if (reply.type === 'status') {
      response.writeHead(reply.status, { 'opc-request-id': opcRequestId, ...reply.headers })
      response.end(typeof reply.body === 'string' ? reply.body : JSON.stringify(reply.body))
      return
    }
    const isCohere = chatRequest.apiFormat === 'COHERE'
    if (reply.whole || chatRequest.isStream !== true) {
      const chatResponse = isCohere ? wholeCohere(reply) : wholeGeneric(reply)
      response.writeHead(200, { 'content-type': 'application/json', 'opc-request-id': opcRequestId })
      response.end(JSON.stringify({ modelId: model, modelVersion: '1.0', chatResponse }))
      return
    }
    const wantsUsage = isJsonObject(chatRequest.streamOptions) && chatRequest.streamOptions.isIncludeUsage === true
    const events = isCohere ? cohereEvents(reply, wantsUsage) : genericEvents(reply, wantsUsage)
    response.writeHead(200, {
      'content-type': reply.contentType ?? 'text/event-stream',
      'opc-request-id': opcRequestId,
    })
    for (let index = 0; index <= events.length; index++) {
      await new Promise((resolve) => setTimeout(resolve, reply.delayMs ?? 0))
      if (response.destroyed) return
      if (reply.fault?.at === index) {
        const { what } = reply.fault
        if (what === 'silence') return
        if (what === 'cut') {
          ownCut.done = true
          response.destroy()
          return
        }
        response.write(what.data)
      }
      const event = events[index]
      if (event !== undefined) response.write(`data: ${JSON.stringify(event)}\n\n`)
    }
    response.end()
  }

  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the server listens on no port')
  const running: OciServer = {
    publicKey,
    url: `http://127.0.0.1:${address.port}`,
    requests,
    get closedEarly() {
      return closedEarly
    },
    async close() {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
  return running
}

type Reply = Extract<OciReply, { type: 'reply' }>

const defaultUsage: JsonObject = { completionTokens: 7, promptTokens: 40, totalTokens: 47 }

/** Padding of random length hides how long the texts are. */
const pad = (n: number): string => 'a'.repeat(1 + (n % 7))

function genericEvents(reply: Reply, wantsUsage: boolean): JsonObject[] {
  const message = (fields: JsonObject): JsonObject => ({ index: 0, message: { role: 'ASSISTANT', ...fields } })
  const text = (piece: string): JsonObject => message({ content: [{ type: 'TEXT', text: piece }] })
  const events = reply.reasoning === undefined ? [] : [message({ content: null, reasoningContent: reply.reasoning })]
  events.push(...reply.pieces.map(text))
  for (const [index, { name, parameters }] of (reply.calls ?? []).entries()) {
    const id = `call_${index}`
    const [head = '', ...rest] = JSON.stringify(parameters).match(/.{1,6}/gs) ?? []
    events.push(message({ toolCalls: [{ type: 'FUNCTION', id, name, arguments: head }] }))
    for (const piece of rest) events.push(message({ toolCalls: [{ type: 'FUNCTION', id, arguments: piece }] }))
  }
  const finishReason = reply.finishReason ?? (reply.calls ? 'tool_calls' : 'stop')
  events.push({ message: { role: 'ASSISTANT', content: [{ type: 'TEXT', text: '' }] }, finishReason })
  if (wantsUsage) events.push({ usage: reply.usage ?? defaultUsage })
  return events.map((event, n) => ({ ...event, pad: pad(n) }))
}

/** The last event says everything once more. */
function cohereEvents(reply: Reply, wantsUsage: boolean): JsonObject[] {
  const pieces = reply.pieces.map((text): JsonObject => ({ apiFormat: 'COHERE', text }))
  const { usage = null, ...last } = wholeCohere(reply)
  const calls = last.toolCalls === undefined ? [] : [{ apiFormat: 'COHERE', toolCalls: last.toolCalls }]
  const events: JsonObject[] = [...pieces, ...calls, { ...last, ...(wantsUsage && { usage }) }]
  return events.map((event, n) => ({ ...event, pad: pad(n) }))
}

function wholeCohere({ pieces, calls, finishReason, errorMessage, usage }: Reply): JsonObject {
  const text = pieces.join('')
  return {
    apiFormat: 'COHERE',
    text,
    chatHistory: [{ role: 'CHATBOT', message: text }],
    finishReason: finishReason ?? 'COMPLETE',
    ...(errorMessage !== undefined && { errorMessage }),
    ...(calls && { toolCalls: calls }),
    usage: usage ?? defaultUsage,
  }
}

function wholeGeneric({ pieces, calls = [], finishReason, usage }: Reply): JsonObject {
  const toolCalls = calls.map(({ name, parameters }, n) => {
    return { id: `call_${n}`, type: 'FUNCTION', name, arguments: JSON.stringify(parameters) }
  })
  const message = { role: 'ASSISTANT', content: [{ type: 'TEXT', text: pieces.join('') }], toolCalls }
  return {
    apiFormat: 'GENERIC',
    timeCreated: '2026-01-01T00:00:00.000Z',
    choices: [{ index: 0, message, finishReason: finishReason ?? 'stop' }],
    usage: usage ?? defaultUsage,
  }
}

function sendError(response: ServerResponse, status: number, code: string, message: string): void {
  response.writeHead(status, { 'content-type': 'application/json', 'opc-request-id': opcRequestId })
  response.end(JSON.stringify({ code, message }))
}

async function readText(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}
