import type { IncomingHttpHeaders } from 'node:http'
import { isJsonObject, type JsonObject, type JsonValue } from '../../src/conversation/index.ts'
import { json, type StandInAnswer, type StandInRequest, type StreamFault, sse, startStandIn } from './http-stand-in.ts'
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

/** A stand-in for OCI Generative AI's inference, API version 20231130. */
export async function startOciServer({ publicKey, script, formats = {} }: OciServerOptions): Promise<OciServer> {
  const requests: OciServer['requests'] = []

  function answer({ method, path, headers, text, body }: StandInRequest): StandInAnswer {
    if (!isSigned(path, headers, text, running.publicKey)) {
      const message = 'The required information to complete authentication was not provided or was incorrect.'
      return refuse(401, 'NotAuthenticated', message)
    }
    if (method !== 'POST' || path !== '/20231130/actions/chat') {
      return refuse(404, 'NotAuthorizedOrNotFound', 'Authorization failed or requested resource not found.')
    }
    const n = requests.push({ headers, body }) - 1
    const chatRequest = isJsonObject(body.chatRequest) ? body.chatRequest : {}
    const model = isJsonObject(body.servingMode) ? String(body.servingMode.modelId) : ''
    const format = Object.hasOwn(formats, model) ? formats[model] : undefined
    const refusal = format !== undefined && format !== chatRequest.apiFormat ? malformed : refuseBody(body)
    if (refusal !== undefined) return refuse(400, '400', refusal)
    const reply = script(body, n)
    if (reply.type === 'silence') return reply
    if (reply.type === 'status') return json(reply.body, reply.status, { ...requestId, ...reply.headers })
    return perform(reply, model, chatRequest)
  }

  const server = await startStandIn(answer)
  const running: OciServer = {
    publicKey,
    url: server.url,
    requests,
    get closedEarly() {
      return server.requests.filter(({ closedEarly }) => closedEarly).length
    },
    close: () => server.close(),
  }
  return running
}

const requestId = { 'opc-request-id': 'opc-of-the-server/1' }

function refuse(status: number, code: string, message: string): StandInAnswer {
  return json({ code, message }, status, requestId)
}

type Reply = Extract<OciReply, { type: 'reply' }>

function perform(reply: Reply, model: string, chatRequest: JsonObject): StandInAnswer {
  const isCohere = chatRequest.apiFormat === 'COHERE'
  if (reply.whole || chatRequest.isStream !== true) {
    const chatResponse = isCohere ? wholeCohere(reply) : wholeGeneric(reply)
    return json({ modelId: model, modelVersion: '1.0', chatResponse }, 200, requestId)
  }
  const wantsUsage = isJsonObject(chatRequest.streamOptions) && chatRequest.streamOptions.isIncludeUsage === true
  const events = isCohere ? cohereEvents(reply, wantsUsage) : genericEvents(reply, wantsUsage)
  const pieces: (string | StreamFault)[] = events.map((event) => sse(event))
  const { fault, contentType, delayMs } = reply
  if (fault) {
    if (typeof fault.what === 'string') pieces.splice(fault.at, pieces.length, { fault: fault.what })
    else pieces.splice(fault.at, 0, fault.what.data)
  }
  return {
    type: 'stream',
    headers: { 'content-type': contentType ?? 'text/event-stream', ...requestId },
    pieces,
    ...(delayMs !== undefined && { pieceDelayMs: delayMs }),
  }
}

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
