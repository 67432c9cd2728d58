import { AnycallError, isJsonObject } from '../../conversation/index.ts'
import type { ExchangeRecord, ReplayRequest, ReplayResult } from '../../records/index.ts'
import type { GatewayRequest } from '../http/http.ts'
import type { RouteContext } from '../routes/context.ts'

type Wanted = Extract<ReplayRequest, { type: 'send' }>

/** Sends a recorded request again, to another model, upstream, plan or dialect. What was masked in it stays masked. */
export async function sendAgain(
  { client }: ExchangeRecord,
  { type: _, model, ...rule }: Wanted,
  { request: { onGone }, replay }: Pick<RouteContext, 'request' | 'replay'>,
): Promise<Extract<ReplayResult, { type: 'send' }>> {
  const bytes = new TextEncoder().encode(model === undefined ? client.body : withModel(client.body, model))
  const headers: Record<string, string> = { ...client.headers, 'content-length': String(bytes.length) }
  const request: GatewayRequest = {
    method: client.method,
    path:
      model === undefined
        ? client.path
        : client.path.replace(/\/models\/[^/:]+:/, `/models/${encodeURIComponent(model)}:`),
    header: (name) => headers[name],
    body: one(bytes),
    onGone,
    replay: rule,
  }
  const { status, headers: answered, body, sent } = await replay(request)
  sent?.()
  // Read to its end: the record is written then.
  if (typeof body !== 'string') for await (const _chunk of body.chunks);
  return { type: 'send', id: answered['request-id'] ?? '', status }
}

async function* one(bytes: Uint8Array): AsyncGenerator<Uint8Array, void, undefined> {
  yield bytes
}

function withModel(body: string, model: string): string {
  let value: unknown
  try {
    value = JSON.parse(body)
  } catch (error) {
    throw new AnycallError('invalid-request', 'The recorded request is incomplete: it cannot be sent again.', {
      cause: error,
    })
  }
  return isJsonObject(value) ? JSON.stringify({ ...value, model }) : body
}
