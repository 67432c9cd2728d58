import type { JsonValue } from '../../conversation/index.ts'
import type { Attempts } from '../attempts.ts'
import type { HttpBody, HttpRequest, HttpResponse, HttpTimeouts, HttpTransport } from '../transport/transport.ts'
import type { Forwarded, GenerationContext, Log, TraceHeaders, UpstreamEvent } from '../upstream.ts'
import { type AddressStyle, HttpAddress } from './address.ts'
import { isSuccess, maxAnswerBytes, maxErrorBytes, parseAnswer, readText } from './answer.ts'
import { type CredentialsStyle, HttpCredentials } from './credentials.ts'
import { GenerationStream } from './generation-stream.ts'
import { passedHeaders } from './passed-headers.ts'
import { encodeBody, lengthOf } from './request-body.ts'
import { isBroken, isStale, type RetryableError, readRetryAfter, readRetryDelay, withRetries } from './retry.ts'
import { type ErrorSource, named, statusError } from './upstream-error.ts'
import type { WireFormat } from './wire-format.ts'

/** The address of an HTTP upstream and the settings for requests. */
export interface HttpApiOptions {
  /** Its name in the configuration. */
  name: string
  /** The address of its API: `http://127.0.0.1:8080/v1`. */
  url: string
  key?: string
  /** Sent with every request, over anycall's own. */
  headers?: Record<string, string>
  timeouts?: Partial<HttpTimeouts>
  /** The number of retries of a request that failed before its first event. Default 2. */
  retries?: number
  /** The client's headers that requests carry on, by their names in small letters. Default: none. */
  passHeaders?: readonly string[]
  /** The header that carries the id of the client's conversation, in small letters. Default: none. */
  sessionHeader?: string
  transport: HttpTransport
}

/** The paths and credentials of a kind of API. */
export type HttpApiStyle = AddressStyle & CredentialsStyle

/** Reading a long prompt takes a local machine minutes. */
const defaultTimeouts: Readonly<HttpTimeouts> = { connectMs: 5_000, firstByteMs: 600_000, idleMs: 300_000 }

/** A question about the server needs no model: a server that does not answer at once does not work. */
const askTimeoutMs = 10_000

/** The parts of a generation's context that a request needs. */
export interface RequestContext {
  signal?: AbortSignal
  requestId?: string
  clientKey?: string
  clientHeader?(name: string): string | undefined
  session?: string
  attempts?: Attempts
  log?: Log
  traceHeaders?: TraceHeaders
  attempt?: number
}

/** A request as it is sent. */
interface Sent {
  accept: string
  body?: HttpBody
  timeouts: HttpTimeouts
}

/** An answer of JSON, and its text for messages; undefined if it is not JSON. */
export interface ParsedAnswer {
  value: unknown
  text: string
}

/** A request for a streamed generation. */
export interface StreamRequest<Body extends JsonValue> {
  path: string
  /** Called for each attempt: later attempts leave out the parts that the server refused. */
  body(): Body
  /** Called for each attempt. */
  format(): WireFormat
  /** The body without the part that the server refuses with this status and text; undefined: the refusal is final. */
  reduce?(body: Body, status: number, text: string): Body | undefined | Promise<Body | undefined>
  /** Returns events to be emitted before all others. Called once the server has accepted the body. */
  before?(body: Body): UpstreamEvent[]
}

/** The HTTP side that all upstreams share: addresses, keys, retries, and errors that name the upstream. */
export class HttpApi {
  readonly name: string
  readonly #options: HttpApiOptions
  readonly #address: HttpAddress
  readonly #credentials: HttpCredentials
  readonly #timeouts: HttpTimeouts

  /** Throws an AnycallError for options that are wrong. */
  constructor(options: HttpApiOptions, style: HttpApiStyle) {
    this.name = options.name
    this.#options = options
    this.#address = new HttpAddress(options.name, options.url, style)
    this.#credentials = new HttpCredentials(options.name, options, style)
    this.#timeouts = { ...defaultTimeouts, ...options.timeouts }
  }

  /** The URL of a path of the API; one that begins with `//` is that of the server itself: `//props`. */
  urlOf(path: string): string {
    return this.#address.urlOf(path)
  }

  /** Returns the upstream's name for errors, and the secrets that they must not show. */
  source(clientKey?: string): ErrorSource {
    return { upstream: this.name, secrets: this.#credentials.secrets(clientKey) }
  }

  /** Asks about the server for an answer of JSON: with a body, or without one. Throws an AnycallError. */
  ask(path: string, context: RequestContext, body?: JsonValue): Promise<ParsedAnswer> {
    const { firstByteMs } = this.#timeouts
    return this.#ask(path, context, Math.min(firstByteMs || askTimeoutMs, askTimeoutMs), body)
  }

  /**
   * Asks about a model, which the server may have to load first: llama-server's router answers `/props` only after
   * that.
   */
  askModel(path: string, context: RequestContext, body?: JsonValue): Promise<ParsedAnswer> {
    return this.#ask(path, context, this.#timeouts.firstByteMs, body)
  }

  async #ask(path: string, context: RequestContext, firstByteMs: number, body?: JsonValue): Promise<ParsedAnswer> {
    const source = this.source(context.clientKey)
    const sent: Sent = {
      accept: 'application/json',
      ...(body !== undefined && { body: JSON.stringify(body) }),
      timeouts: { ...this.#timeouts, firstByteMs },
    }
    const exchange = async (isFresh: boolean): Promise<ParsedAnswer> => {
      const response = await this.#send(path, context, sent, isFresh)
      const text = await readText(response, isSuccess(response) ? maxAnswerBytes : maxErrorBytes)
      if (!isSuccess(response)) throw statusError(source, response.status, text)
      return { value: parseAnswer(text), text }
    }
    try {
      // A question changes nothing, so it may be asked again wherever the connection broke.
      return await this.#onceMore(exchange, context, isBroken)
    } catch (error) {
      throw named(source, error)
    }
  }

  /** Runs an exchange, and once more on a separate connection if its failure allows it. */
  #onceMore<T>(
    exchange: (isFresh: boolean) => Promise<T>,
    { signal = new AbortController().signal, attempts, log }: RequestContext,
    isRepeated: (error: unknown) => error is RetryableError,
  ): Promise<T> {
    return withRetries((failures) => exchange(failures > 0), {
      retries: 1,
      baseMs: 0,
      signal,
      ...(attempts && { attempts }),
      isRepeated,
      onRetry: ({ message }) => log?.('debug', 'upstream.reconnect', { upstream: this.name, error: message }),
    })
  }

  /** Starts a generation; resolves with its first event. What fails before that is repeated, then thrown. */
  stream<Body extends JsonValue>(
    request: StreamRequest<Body>,
    context: GenerationContext,
  ): Promise<AsyncIterable<UpstreamEvent[]>> {
    const source = this.source(context.clientKey)
    const attempt = async (): Promise<AsyncIterable<UpstreamEvent[]>> => {
      try {
        const { response, body } = await this.#post(request, context, source)
        const stream = new GenerationStream(response.body, request.format(), source, context.log)
        await stream.begin()
        const before = request.before?.(body) ?? []
        return before.length === 0 ? stream : following(before, stream)
      } catch (error) {
        const failure = named(source, error)
        context.attempts?.failed(failure)
        throw failure
      }
    }
    return withRetries(attempt, {
      retries: this.#options.retries ?? 2,
      signal: context.signal,
      ...(context.attempts && { attempts: context.attempts }),
      ...(context.hasAlternative && { maxRetryAfterSeconds: 0 }),
      onRetry: (error, repetition, waitMs) =>
        context.log('warn', 'upstream.retry', { upstream: this.name, repetition, waitMs, error: error.message }),
    })
  }

  /** Sends a request on as a client made it. Resolves when the answer has begun. Throws an AnycallError for any status but success. */
  async forward(path: string, body: JsonValue, context: GenerationContext): Promise<Forwarded> {
    const source = this.source(context.clientKey)
    const accept = 'application/json, text/event-stream'
    const sent: Sent = { accept, body: await encodeBody(body), timeouts: this.#timeouts }
    try {
      const response = await this.#onceMore((isFresh) => this.#send(path, context, sent, isFresh), context, isStale)
      const { status, headers } = response
      if (isSuccess(response))
        return { contentType: headers['content-type'] ?? 'application/json', body: response.body }
      throw statusError(source, status, await readText(response, maxErrorBytes), readRetryAfter(headers, Date.now()))
    } catch (error) {
      throw named(source, error)
    }
  }

  /** Sends the request, and again without the parts that the server refuses and that the request can do without. */
  async #post<Body extends JsonValue>(
    request: StreamRequest<Body>,
    context: GenerationContext,
    source: ErrorSource,
  ): Promise<{ response: HttpResponse; body: Body }> {
    for (let body = request.body(); ; ) {
      const sent: Sent = { accept: 'text/event-stream', body: await encodeBody(body), timeouts: this.#timeouts }
      const { observation, attempt } = context
      if (observation && attempt !== undefined && sent.body !== undefined)
        observation.emit({ type: 'body', attempt, url: this.urlOf(request.path), body: sent.body })
      const exchange = (isFresh: boolean) => this.#send(request.path, context, sent, isFresh)
      const response = await this.#onceMore(exchange, context, isStale)
      if (isSuccess(response)) return { response, body }
      const text = await readText(response, maxErrorBytes)
      const reduced = context.attempts?.isSpent ? undefined : await request.reduce?.(body, response.status, text)
      if (reduced === undefined) {
        const { status, headers } = response
        const retryAfter = readRetryAfter(headers, Date.now()) ?? (status === 429 ? readRetryDelay(text) : undefined)
        throw statusError(source, status, text, retryAfter)
      }
      body = reduced
    }
  }

  /** `isFresh`: no connection of earlier requests may be used. */
  async #send(
    path: string,
    context: RequestContext,
    { accept, body, timeouts }: Sent,
    isFresh: boolean,
  ): Promise<HttpResponse> {
    const { signal, requestId, clientKey, attempts, traceHeaders, attempt } = context
    attempts?.take()
    const headers: Record<string, string> = { accept, ...passedHeaders(this.#options, context) }
    if (body !== undefined) headers['content-type'] = 'application/json'
    if (typeof body === 'object') headers['content-length'] = String(lengthOf(body))
    if (requestId !== undefined) headers['x-request-id'] = requestId
    if (traceHeaders) Object.assign(headers, traceHeaders(attempt))
    Object.assign(headers, this.#credentials.headers(clientKey))
    const request: HttpRequest = {
      url: this.urlOf(path),
      method: body === undefined ? 'GET' : 'POST',
      headers,
      signal: signal ?? new AbortController().signal,
      timeouts,
      isFresh,
    }
    if (body !== undefined) request.body = body
    return this.#options.transport(request)
  }
}

async function* following(
  before: UpstreamEvent[],
  stream: GenerationStream,
): AsyncGenerator<UpstreamEvent[], void, undefined> {
  try {
    yield before
    yield* stream
  } finally {
    await stream.return()
  }
}
