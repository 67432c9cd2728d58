import { AnycallError, newId, toAnycallError } from '../conversation/index.ts'
import { joined, type Observer } from '../records/index.ts'
import type { KeyHolder } from './config/config.ts'
import { type Runtime, web } from './config/create/upstreams.ts'
import { withoutKeys } from './config/secrets.ts'
import { type Client, secretKeyOf } from './http/access/access.ts'
import { outside, pathUnder } from './http/base-path.ts'
import { contentCodings } from './http/body/decompress.ts'
import { startOf } from './http/exchange-start.ts'
import { fromWebRequest, type GatewayRequest, type GatewayResponse, toWebResponse } from './http/http.ts'
import { masking, RequestLog } from './http/request-log.ts'
import { limitTime } from './http/time-limit.ts'
import { TokenMeter } from './http/token-meter.ts'
import type { KeyLimiter } from './limits/key-limiter.ts'
import type { MeasuredMetrics } from './metrics/index.ts'
import type { GatewayOptions } from './options.ts'
import { findRoute, methodsAt } from './route-table.ts'
import type { RouteContext } from './routes/context.ts'
import { errorFormOf } from './routes/error-form.ts'
import { closeServing, createServing, type Serving } from './serving.ts'
import { traceRequest } from './traces/index.ts'

/** Serves the APIs of Anthropic, OpenAI, Google and Ollama with the models of its upstreams. */
export interface Gateway {
  /** Answers a request, as the `fetch` of a server or a Worker. It is bound: `Deno.serve(gateway.fetch)`. */
  fetch(request: Request): Promise<Response>
  /** Answers a request of a server that has no `Request`, without the cost of Web streams. */
  handle(request: GatewayRequest): Promise<GatewayResponse>
  /** True if clients need a key. Without keys, the gateway serves only programs on the same machine. */
  readonly requiresKey: boolean
  /**
   * Serves another configuration from the next request on. Running requests finish with the configuration that they began with.
   * Keeps the parts that are the same in both: upstreams with their connections and models, the facts learned of them, kept
   * responses, a secret that was drawn. Throws as `createGateway` does; the old configuration is served on then.
   *
   * @example
   * gateway.reload({ config: loadConfigFile('anycall.yaml') })
   */
  reload(options: GatewayOptions): void
  /**
   * Announces that the gateway is to be closed: `/readyz` answers 503 from now on, so that load balancers send their requests elsewhere.
   * All requests are served as before.
   */
  drain(): void
  /** Returns the metrics as data, which `sumMetrics` adds up with those of other processes; empty if nothing is measured. */
  metrics(): Promise<MeasuredMetrics>
  /**
   * Ends the requests that are being answered with an error (the gateway is shutting down), and closes the upstreams.
   * Calling it again does nothing.
   */
  close(): Promise<void>
}

/**
 * Makes a gateway that needs Web standards only. Of conversations it keeps the responses that clients of the Responses API have it
 * store, and remembers replies as models wrote them: any number of gateways with the same `secret` serve the same conversations, and one
 * that does not know a reply writes it as its dialect does. Throws a ConfigError with all that is wrong in the configuration, and an AnycallError
 * for a rule that cannot be served.
 *
 * @example
 * const gateway = createGateway({
 *   upstreams: { local: { type: 'openai-chat', url: 'http://127.0.0.1:11434/v1' } },
 *   models: [{ match: '*', upstream: 'local' }],
 * })
 * const response = await gateway.fetch(new Request('http://localhost/v1/models'))
 */
export function createGateway(options: GatewayOptions): Gateway {
  return createGatewayOn(web, options)
}

/** Creates a gateway with the services of a runtime. */
export function createGatewayOn(runtime: Runtime, options: GatewayOptions): Gateway {
  const replay = (request: GatewayRequest): Promise<GatewayResponse> => handle(request)
  const parts = { replay, isDraining: () => isDraining }
  let isDraining = false
  let serving = createServing(runtime, options, parts)
  /** The configurations that were replaced, as long as requests run on them. */
  const replaced = new Set<Serving>()
  let running = 0
  let closed: Promise<void> | undefined

  async function handle(received: GatewayRequest): Promise<GatewayResponse> {
    const begun = serving
    const { config, cors, basePath, bodies, open, log } = begun
    const path = pathUnder(basePath, received.path)
    const request = path === undefined || path === received.path ? received : { ...received, path }
    const requestId = newId('req_')
    const limit = limitTime(request, config.limits.requestSeconds)
    const place = open.add(limit)
    const isCounted = request.method === 'POST'
    if (isCounted) running++
    const hold = bodies.open()
    const release = (): void => {
      hold.release()
      limit.stop()
      open.remove(place, limit)
      if (isCounted) running--
      if (open.size === 0 && replaced.delete(begun)) retire(begun)
    }
    const requestLog = new RequestLog(requestId, log, { release, leave: limit.leave })
    const mask = (text: string): string => withoutKeys(text, config, secretKeyOf(config.keys, request))
    requestLog.mask = mask
    requestLog.fields.path = request.path.slice(0, 200)
    let response: GatewayResponse
    try {
      if (path === undefined) throw outside(basePath, received)
      response = await respond(begun, request, { requestLog, hold, signal: limit.signal })
    } catch (error) {
      response = failed(error, request, requestLog)
    }
    cors?.grant(request, response.headers)
    return withIds(response, requestId)
  }

  async function respond(
    { config, access, cors, listen, limiter, modelsOf, shared }: Serving,
    request: GatewayRequest,
    { requestLog, hold, signal }: Pick<RouteContext, 'requestLog' | 'hold' | 'signal'>,
  ): Promise<GatewayResponse> {
    if (cors && request.method === 'OPTIONS') {
      const response = cors.preflight(request)
      made(response, request, requestLog)
      return response
    }
    const route = findRoute(request)
    requestLog.isQuiet = route.isQuiet === true
    const context: RouteContext = {
      request,
      requestLog,
      hold,
      signal,
      ...shared,
      log: masking(shared.log, requestLog.mask),
    }
    const { clientKey, holder }: Client = route.isOpen || request.replay ? {} : await access.check(request)
    if (clientKey !== undefined) context.clientKey = clientKey
    if (holder?.name !== undefined) requestLog.fields.keyName = holder.name
    context.models = modelsOf(holder)
    const start = route.isExchange
      ? startOf(request, requestLog, { holder, key: secretKeyOf(config.keys, request) })
      : undefined
    const traced = traceRequest(request, start)
    if (traced.headers) context.traceHeaders = traced.headers
    if (start) requestLog.observe(joined([listen?.(start), traced.observer].filter(isThere)))
    if (request.method === 'POST' && running > config.limits.concurrentRequests) {
      throw new AnycallError(
        'rate-limit',
        `The gateway already serves ${config.limits.concurrentRequests} requests, its limit (limits.concurrentRequests). Try again shortly.`,
        { retryAfter: 1 },
      )
    }
    if (holder && (route.isExchange || route.isCounted)) await admit(holder, limiter, requestLog)
    const response = await route.handle(context)
    made(response, request, requestLog)
    return response
  }

  function reload(next: GatewayOptions): void {
    if (closed) throw new AnycallError('unavailable', 'The gateway is closed: create another one.')
    const before = serving
    serving = createServing(runtime, next, { ...parts, before })
    if (before.open.size === 0) retire(before)
    else replaced.add(before)
  }

  /** Closes what no configuration in use has any more. A server that cannot be closed must not end the gateway. */
  function retire(old: Serving): void {
    closeServing(old, [serving, ...replaced]).catch((error: unknown) => {
      serving.log('warn', 'close-failed', { error: toAnycallError(error).message })
    })
  }

  async function close(): Promise<void> {
    const reason = new AnycallError('unavailable', 'The gateway is shutting down. Try again shortly.')
    const all = [serving, ...replaced]
    replaced.clear()
    for (const { open } of all) for (const limit of open) limit.end(reason)
    await Promise.all(all.map((each) => closeServing(each, [])))
  }

  return {
    handle,
    get requiresKey() {
      return serving.access.requiresKey
    },
    reload,
    metrics: async () => (await serving.shared.metrics?.measured()) ?? [],
    drain: () => {
      isDraining = true
    },
    fetch: async (request) => {
      const left = new AbortController()
      const response = await handle(fromWebRequest(request, left.signal))
      // Node's server already leaves out the body.
      return toWebResponse(request.method === 'HEAD' ? { ...response, body: '' } : response, () => left.abort())
    },
    close: () => {
      closed ??= close()
      return closed
    },
  }
}

function isThere(observer: Observer | undefined): observer is Observer {
  return observer !== undefined
}

/** Counts a request for the limits of its key. Throws `rate-limit` if one is reached. */
async function admit({ name, limits }: KeyHolder, limiter: KeyLimiter, requestLog: RequestLog): Promise<void> {
  if (name === undefined || limits === undefined) return
  requestLog.meter = new TokenMeter(await limiter.admit({ name, limits }, requestLog.requestId))
}

function failed(thrown: unknown, request: GatewayRequest, requestLog: RequestLog): GatewayResponse {
  const error = requestLog.shown(toAnycallError(thrown))
  const { status, body } = errorFormOf(request)(error, requestLog.requestId)
  const headers = { 'content-type': 'application/json', ...adviceOf(error, request) }
  const response: GatewayResponse = { status, headers, body: JSON.stringify(body) }
  made(response, request, requestLog, error)
  return response
}

/** Returns the headers from which programs learn how to react to an error. */
function adviceOf(error: AnycallError, request: GatewayRequest): Record<string, string> {
  if (error.retryAfter !== undefined) return { 'retry-after': String(Math.ceil(error.retryAfter)) }
  if (error.code === 'method-not-allowed') return { allow: methodsAt(request.path).join(', ') }
  return error.code === 'unsupported-encoding' ? { 'accept-encoding': contentCodings.join(', ') } : {}
}

/** A string body is complete: frees the request's slot now, and logs the request once the response has been sent. */
function made(
  response: GatewayResponse,
  { callsSent }: GatewayRequest,
  requestLog: RequestLog,
  error?: AnycallError,
): void {
  if (typeof response.body !== 'string') return
  requestLog.release()
  requestLog.sent(response.body)
  const sent = (): void => requestLog.end(response.status, error)
  response.sent = sent
  if (!callsSent) setTimeout(sent, 0)
}

/** Anthropic's SDK reads the first, OpenAI's the second. */
function withIds(response: GatewayResponse, requestId: string): GatewayResponse {
  response.headers['request-id'] = requestId
  response.headers['x-request-id'] = requestId
  return response
}
