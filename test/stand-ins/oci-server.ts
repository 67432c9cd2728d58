import type { IncomingHttpHeaders } from 'node:http'
import { isJsonObject, type JsonObject, type JsonValue } from '../../src/conversation/index.ts'
import { json, type StandInAnswer, type StandInRequest, type StreamFault, sse, startStandIn } from './http-stand-in.ts'
import { cohere, cohereV2, generic, type OciMessage, type ReplyFormat } from './oci-replies.ts'
import { isSigned, malformed, refuseBody } from './oci-request.ts'

/** The server's answer to a request that it accepts. */
export type OciReply =
  | (OciMessage & {
      /** In the format that was asked for, streamed if that was asked for. */
      type: 'reply'
      /** One JSON body although a stream was asked for. */
      whole?: boolean
      contentType?: string
      delayMs?: number
      /** In place of the event with this index: the connection is cut, falls silent, or something else is sent. */
      fault?: { at: number; what: 'cut' | 'silence' | { data: string } }
    })
  | { type: 'status'; status: number; body: JsonValue; headers?: Record<string, string> }
  | { type: 'silence' }

export interface OciServer {
  /** Without a path, as the SDK's endpoint is given. */
  url: string
  /** Those that were signed well. */
  requests: { headers: IncomingHttpHeaders; body: JsonObject }[]
  /** The key that verifies signatures, in PEM. */
  publicKey: string
  /** Connections that the client closed before the reply was over. */
  closedEarly: number
  close(): Promise<void>
}

export interface OciServerOptions {
  /** The key that verifies signatures, in PEM. */
  publicKey: string
  script: (body: JsonObject, n: number) => OciReply
  /** The format of a model, if it accepts one only. */
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

/** By `apiFormat`. */
const replies: Readonly<Record<string, ReplyFormat>> = { GENERIC: generic, COHERE: cohere, COHEREV2: cohereV2 }

/** Padding of random length hides how long the texts are. */
const pad = (n: number): string => 'a'.repeat(1 + (n % 7))

function perform(reply: Extract<OciReply, { type: 'reply' }>, model: string, chatRequest: JsonObject): StandInAnswer {
  const format = replies[String(chatRequest.apiFormat)] ?? generic
  if (reply.whole || chatRequest.isStream !== true) {
    const chatResponse = format.whole(reply)
    return json({ modelId: model, modelVersion: '1.0', chatResponse }, 200, requestId)
  }
  const wantsUsage = isJsonObject(chatRequest.streamOptions) && chatRequest.streamOptions.isIncludeUsage === true
  const events = format.events(reply, wantsUsage)
  const pieces: (string | StreamFault)[] = events.map((event, n) => sse({ ...event, pad: pad(n) }))
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
