import type { models } from 'oci-generativeaiinference'
import { AnycallError, isJsonObject } from '../../conversation/index.ts'
import { isSuccess, maxErrorBytes, readText } from '../http/answer.ts'
import { textOf } from '../http/request-body.ts'
import type { HttpRequest, HttpResponse, HttpTransport } from '../transport/transport.ts'
import { describedAnswer, ociError } from './error.ts'
import { authError, type OciAuth, type OciSession, openOciSession } from './session.ts'

export interface OciTransportOptions {
  /** The upstream's name in the configuration. */
  name: string
  auth: OciAuth
  /** Where the service is: an endpoint, else a region, else the region that the keys name. */
  endpoint?: string
  region?: string
  transport: HttpTransport
}

type SignedRequest = Parameters<OciSession['signer']['signHttpRequest']>[0]

/**
 * The SDK as a transport. The SDK writes the request, finds the endpoint and signs; the bytes go over anycall's own
 * transport, for the SDK cannot be cancelled, knows no time limits, keeps Retry-After to itself, repeats and logs on its
 * own, and takes a stream for one only where its content type has no parameters.
 */
export function createOciTransport(options: OciTransportOptions): HttpTransport {
  const { name, auth } = options
  let session: Promise<OciSession> | undefined

  function open(): Promise<OciSession> {
    if (session === undefined) {
      const opening = openOciSession(name, auth)
      session = opening
      opening.catch(() => {
        if (session === opening) session = undefined
      })
    }
    return session
  }

  return async (request) => {
    const details = readDetails(textOf(request.body))
    for (let isRepeated = false; ; isRepeated = true) {
      const opened = await open()
      const mayRepeat = !isRepeated && opened.hasWorked
      const exchange = await send(options, opened, details, request).catch((error: unknown) => {
        if (isAboutKeys(error)) session = undefined
        if (!isAboutKeys(error) || !mayRepeat) throw error
        return undefined
      })
      if (exchange && exchange.answer.status !== 401) return settle(name, opened, exchange)
      // Keys are changed, and tokens run out, while the gateway runs: they are read anew, and what worked before is sent again.
      session = undefined
      if (!exchange) continue
      if (!mayRepeat) return settle(name, opened, exchange)
      await drain(exchange.answer)
    }
  }
}

/** The request could not be signed: a machine's token cannot be had anew with what its session was opened with. */
function isAboutKeys(error: unknown): boolean {
  return AnycallError.isInstance(error) && error.code === 'authentication'
}

interface Exchange {
  answer: HttpResponse
  /** What was sent and must not be shown. */
  secrets: string[]
}

async function send(
  { name, auth, endpoint, region, transport }: OciTransportOptions,
  { sdk: { common, inference }, provider, signer }: OciSession,
  chatDetails: models.ChatDetails,
  request: HttpRequest,
): Promise<Exchange> {
  let exchange: Exchange | undefined
  let failure: unknown
  const post = async (signed: SignedRequest): Promise<void> => {
    try {
      await signer.signHttpRequest(signed)
    } catch (error) {
      throw authError(name, auth, error)
    }
    const headers = Object.fromEntries(signed.headers)
    const answer = await transport({
      url: signed.uri,
      method: 'POST',
      headers: { ...headers, accept: 'text/event-stream' },
      body: String(signed.body),
      signal: request.signal,
      timeouts: request.timeouts,
      ...(request.isFresh && { isFresh: true }),
    })
    exchange = { answer, secrets: secretsOf(headers.authorization ?? '') }
  }
  const httpClient = {
    send: async (signed: SignedRequest): Promise<Response> => {
      await post(signed).catch((error: unknown) => {
        failure = error
      })
      // The SDK is content with any stream, and hands it on unread.
      return new Response(null, { headers: { 'content-type': 'text/event-stream' } })
    },
  }
  const client = new inference.GenerativeAiInferenceClient(
    { httpClient },
    {
      retryConfiguration: common.NoRetryConfigurationDetails,
      circuitBreaker: new common.CircuitBreaker({ disableClientCircuitBreaker: true }),
    },
  )
  if (endpoint !== undefined) client.endpoint = endpoint
  else if (region !== undefined) client.regionId = region
  else if (common.isRegionProvider(provider)) client.region = provider.getRegion()
  const opcRequestId = request.headers['x-request-id']
  await client.chat({ chatDetails, ...(opcRequestId !== undefined && { opcRequestId }) })
  if (exchange === undefined) throw failure
  return exchange
}

async function settle(name: string, session: OciSession, { answer, secrets }: Exchange): Promise<HttpResponse> {
  if (isSuccess(answer)) {
    session.hasWorked = true
    return answer
  }
  const fault = {
    status: answer.status,
    body: await readText(answer, maxErrorBytes),
    opcRequestId: answer.headers['opc-request-id'],
  }
  const source = { upstream: name, secrets }
  const error = ociError(source, fault)
  if (error) throw error
  return describedAnswer(source, answer, fault)
}

/** The key id of a session is its token, behind `ST$`. */
function secretsOf(authorization: string): string[] {
  return [...authorization.matchAll(/(?:keyId="(?:ST\$)?|signature=")([^"]+)"/g)].map(([, value]) => value ?? '')
}

function readDetails(body: string | undefined): models.ChatDetails {
  const details: unknown = JSON.parse(body ?? '')
  if (!isChatDetails(details)) throw new AnycallError('internal', 'A request to OCI Generative AI was written wrongly.')
  return details
}

function isChatDetails(value: unknown): value is models.ChatDetails {
  return (
    isJsonObject(value) &&
    typeof value.compartmentId === 'string' &&
    isJsonObject(value.servingMode) &&
    isJsonObject(value.chatRequest)
  )
}

async function drain({ body }: HttpResponse): Promise<void> {
  await body[Symbol.asyncIterator]().return?.()
}
