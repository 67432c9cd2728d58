import { AnycallError } from '../../conversation/index.ts'
import { isSuccess, maxErrorBytes, readText } from '../http/answer.ts'
import { textOf } from '../http/request-body.ts'
import type { HttpRequest, HttpResponse, HttpTransport } from '../transport/transport.ts'
import { describedAnswer, ociError } from './error.ts'
import { authError, type OciAuth, type OciSession, openOciSession } from './session.ts'

export interface OciTransportOptions {
  /** The upstream's name in the configuration. */
  name: string
  auth: OciAuth
  /** The address of the service. Without one, the address of `region`; without both, of the region that the keys name. */
  endpoint?: string
  region?: string
  transport: HttpTransport
}

type SignedRequest = Parameters<OciSession['signer']['signHttpRequest']>[0]

/**
 * Creates a transport that signs each request with Oracle's SDK and sends it through anycall's own transport. The SDK's
 * client is not used: it cannot be cancelled, has no time limits, hides Retry-After, and retries and logs on its own.
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
    for (let isRepeated = false; ; isRepeated = true) {
      const opened = await open()
      const mayRepeat = !isRepeated && opened.hasWorked
      const exchange = await send(options, opened, request).catch((error: unknown) => {
        if (isAboutKeys(error)) session = undefined
        if (!isAboutKeys(error) || !mayRepeat) throw error
        return undefined
      })
      if (exchange && exchange.answer.status !== 401) return settle(name, opened, exchange)
      // Keys change and tokens expire while the gateway runs: they are read again, and a request is repeated if they worked before.
      session = undefined
      if (!exchange) continue
      if (!mayRepeat) return settle(name, opened, exchange)
      await drain(exchange.answer)
    }
  }
}

/** Returns true if the request could not be signed, e.g. because a machine's token cannot be renewed. */
function isAboutKeys(error: unknown): boolean {
  return AnycallError.isInstance(error) && error.code === 'authentication'
}

interface HttpExchange {
  answer: HttpResponse
  /** Values of the request's headers that no error may show. */
  secrets: string[]
}

/** Signs and sends a request. Throws an AnycallError with the code `authentication` if it cannot be signed. */
async function send(options: OciTransportOptions, session: OciSession, request: HttpRequest): Promise<HttpExchange> {
  const { name, auth, transport } = options
  const signed = await compose(options, session, request)
  try {
    await session.signer.signHttpRequest(signed)
  } catch (error) {
    throw authError(name, auth, error)
  }
  const headers = Object.fromEntries(signed.headers)
  const { traceparent, tracestate } = request.headers
  const answer = await transport({
    url: signed.uri,
    method: 'POST',
    headers: {
      ...headers,
      ...(traceparent !== undefined && { traceparent }),
      ...(tracestate !== undefined && { tracestate }),
      accept: 'text/event-stream',
    },
    body: String(signed.body),
    signal: request.signal,
    timeouts: request.timeouts,
    ...(request.isFresh && { isFresh: true }),
  })
  return { answer, secrets: secretsOf(headers.authorization ?? '') }
}

/** Returns the request as the SDK writes it: at the service's address, with the SDK's headers. */
function compose(options: OciTransportOptions, session: OciSession, request: HttpRequest): Promise<SignedRequest> {
  const opcRequestId = request.headers['x-request-id']
  return session.common.composeRequest({
    baseEndpoint: options.endpoint ?? regionalEndpoint(options, session),
    path: '/20231130/actions/chat',
    method: 'POST',
    defaultHeaders: {},
    headerParams: {
      'content-type': 'application/json',
      ...(opcRequestId !== undefined && { 'opc-request-id': opcRequestId }),
    },
    bodyContent: textOf(request.body),
  })
}

/** The name of the service in its addresses, as in `GenerativeAiInferenceClient` of Oracle's SDK. */
const serviceName = 'inference.generativeai'

/**
 * Returns the address of the service in a region. Throws an AnycallError if neither the options nor the keys name a
 * region.
 */
function regionalEndpoint({ name, region }: OciTransportOptions, { common, provider }: OciSession): string {
  const { EndpointBuilder } = common
  const dualStack = process.env.OCI_DUAL_STACK_ENDPOINT_ENABLED?.toLowerCase() === 'true' ? 'ds.' : ''
  const template = `https://${serviceName}.{region}.${dualStack}oci.{secondLevelDomain}`
  if (region !== undefined) return EndpointBuilder.createEndpointFromRegionId(template, region, serviceName)
  const own = common.isRegionProvider(provider) ? provider.getRegion() : undefined
  if (own) return EndpointBuilder.createEndpointFromRegion(template, own, serviceName)
  throw new AnycallError(
    'upstream',
    `Upstream "${name}": its keys do not name a region. Set \`region\` or \`endpoint\`.`,
  )
}

/** Returns the answer if it is a success. Throws, or describes the error with the service's code and request id. */
async function settle(name: string, session: OciSession, { answer, secrets }: HttpExchange): Promise<HttpResponse> {
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

/** Returns the key id and the signature. The key id of a session is its token, after `ST$`. */
function secretsOf(authorization: string): string[] {
  return [...authorization.matchAll(/(?:keyId="(?:ST\$)?|signature=")([^"]+)"/g)].map(([, value]) => value ?? '')
}

async function drain({ body }: HttpResponse): Promise<void> {
  await body[Symbol.asyncIterator]().return?.()
}
