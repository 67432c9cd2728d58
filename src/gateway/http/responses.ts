import { AnycallError, type JsonObject } from '../../conversation/index.ts'
import type { Seals } from '../../protocols/index.ts'
import { openaiChat } from '../../protocols/openai-chat/index.ts'
import type { Services } from '../../protocols/openai-responses/index.ts'
import { clientName } from './access.ts'
import type { GatewayRequest, GatewayResponse } from './http.ts'
import type { KeptResponses } from './kept-responses.ts'
import type { RequestLog } from './request-log.ts'

interface Shared {
  request: GatewayRequest
  seals: Seals
  kept: KeptResponses
}

/** Returns what a request of the Responses API is decoded with: the responses of its own client. */
export async function responsesServices({ request, seals, kept }: Shared): Promise<Services> {
  const memory = kept.of(await clientName(request))
  return memory ? { seals, memory } : { seals }
}

/** Returns the response that a request's path names. Throws `not-found`. */
export async function keptResponse(request: GatewayRequest, kept: KeptResponses): Promise<JsonObject> {
  const id = request.path.slice(request.path.lastIndexOf('/') + 1)
  const response = kept.of(await clientName(request))?.response(id)
  if (response) return response
  throw new AnycallError(
    'not-found',
    `No response ${JSON.stringify(id.slice(0, 100))} is kept here. Responses are kept for a while (limits.responsesMinutes), unless they were asked for with "store": false.`,
  )
}

export function isWebSocket(request: GatewayRequest): boolean {
  return request.header('upgrade')?.toLowerCase() === 'websocket'
}

/** Refuses a WebSocket. On this status Codex asks by HTTP at once; it repeats a request that fails otherwise. */
export async function refuseWebSocket({ requestLog }: { requestLog: RequestLog }): Promise<GatewayResponse> {
  const error = new AnycallError('method-not-allowed', 'No WebSockets are served here; send the request by POST.')
  const { body } = openaiChat.encodeError(error, requestLog.requestId)
  return { status: 426, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
}
