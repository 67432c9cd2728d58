import { AnycallError, type JsonValue } from '../conversation/index.ts'
import { GenerationStream } from './generation-stream.ts'
import { readRetryAfter, withRetries } from './retry.ts'
import type { HttpResponse, HttpTimeouts, HttpTransport } from './transport.ts'
import type { GenerationContext, UpstreamEvent } from './upstream.ts'
import { type ErrorSource, named, redact, statusError, UpstreamError } from './upstream-error.ts'
import type { WireFormat } from './wire-format.ts'

/** Where an HTTP upstream is, and how it is to be reached. */
export interface HttpApiOptions {
  /** Its name in the configuration. */
  name: string
  /** Where its API is: `http://127.0.0.1:8080/v1`. */
  url: string
  key?: string
  /** Sent with every request, over anycall's own. */
  headers?: Record<string, string>
  timeouts?: Partial<HttpTimeouts>
  /** How often a request is repeated that failed before its first event. Default 2. */
  retries?: number
  transport: HttpTransport
}

/** How the API of a kind of upstream is addressed. */
export interface HttpApiStyle {
  /** The path of the API where the url has none; `` where it stands at the root. */
  path: string
  /** Endings of a url that people paste, which are no part of the API's own. */
  endpoints: readonly RegExp[]
  /** The headers that carry the key; a bearer token where nothing is said. */
  keyHeaders?(key: string): Record<string, string>
  /** What the API wants in every request; configured headers go over them. */
  headers?: Readonly<Record<string, string>>
}

/** Reading a long prompt takes a local machine minutes. */
export const defaultTimeouts: Readonly<HttpTimeouts> = { connectMs: 5_000, firstByteMs: 600_000, idleMs: 300_000 }

/** What asks about the server needs no model: a server that does not answer at once does not work. */
const askTimeoutMs = 10_000
const maxErrorLength = 64 * 1024
const maxAnswerLength = 64 * 1024 * 1024

/** Whoever asks: a generation's context, or only a part of it. */
export interface Asker {
  signal?: AbortSignal
  requestId?: string
  clientKey?: string
}

/** A generation to be asked for. */
export interface StreamRequest<Body extends JsonValue> {
  path: string
  /** Made anew for each attempt: what the server refused before need not be asked again. */
  body(): Body
  /** Made anew for each attempt. */
  format(): WireFormat
  /** The body without what the server refuses with this status and text, where it can do without; undefined: the refusal stands. */
  spare?(body: Body, status: number, text: string): Body | undefined | Promise<Body | undefined>
  /** Events to be given out before all others; asked for once the server has accepted the body. */
  before?(body: Body): UpstreamEvent[]
}

/** The HTTP side that all upstreams share: addresses, keys, retries, and errors that name the upstream. */
export class HttpApi {
  readonly name: string
  readonly #options: HttpApiOptions
  readonly #style: HttpApiStyle
  readonly #base: { origin: string; path: string; search: string }
  readonly #key: string | undefined
  readonly #headers: Record<string, string>
  readonly #timeouts: HttpTimeouts

  /** Throws an AnycallError for options that are wrong. */
  constructor(options: HttpApiOptions, style: HttpApiStyle) {
    this.name = options.name
    this.#options = options
    this.#style = style
    this.#base = readBase(options.name, options.url, style)
    this.#key = readKey(options.name, options.key)
    this.#headers = lowerCased(options.headers ?? {})
    this.#timeouts = { ...defaultTimeouts, ...options.timeouts }
  }

  /** The URL of a path of the API; one that begins with `//` is that of the server itself: `//props`. */
  urlOf(path: string): string {
    const { origin, path: base, search } = this.#base
    return path.startsWith('//') ? origin + path.slice(1) + search : origin + base + path + search
  }

  /** Who is at fault, and what must not be shown. */
  source(clientKey?: string): ErrorSource {
    const values = [this.#key ?? '', clientKey ?? '', ...Object.values(this.#headers)]
    return { upstream: this.name, secrets: values.filter(isSecret) }
  }

  /** Asks for an answer of JSON: with a body, or without one. Throws an AnycallError. */
  async ask(path: string, asker: Asker, body?: JsonValue): Promise<{ value: unknown; text: string }> {
    const source = this.source(asker.clientKey)
    const { firstByteMs } = this.#timeouts
    try {
      const response = await this.#send(path, asker, {
        accept: 'application/json',
        ...(body !== undefined && { body: JSON.stringify(body) }),
        timeouts: { ...this.#timeouts, firstByteMs: Math.min(firstByteMs || askTimeoutMs, askTimeoutMs) },
      })
      const text = await readText(response, isSuccess(response) ? maxAnswerLength : maxErrorLength)
      if (!isSuccess(response)) throw statusError(source, response.status, text)
      return { value: parse(text), text }
    } catch (error) {
      throw named(source, error)
    }
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
        throw named(source, error)
      }
    }
    return withRetries(attempt, {
      retries: this.#options.retries ?? 2,
      signal: context.signal,
      onRetry: (error, repetition, waitMs) =>
        context.log('warn', 'upstream.retry', { upstream: this.name, repetition, waitMs, error: error.message }),
    })
  }

  /** Sends the request; sends it again without what the server refuses and can be spared. */
  async #post<Body extends JsonValue>(
    request: StreamRequest<Body>,
    context: GenerationContext,
    source: ErrorSource,
  ): Promise<{ response: HttpResponse; body: Body }> {
    for (let body = request.body(); ; ) {
      const response = await this.#send(request.path, context, {
        accept: 'text/event-stream',
        body: JSON.stringify(body),
        timeouts: this.#timeouts,
      })
      if (isSuccess(response)) return { response, body }
      const text = await readText(response, maxErrorLength)
      const spared = await request.spare?.(body, response.status, text)
      if (spared === undefined) {
        throw statusError(source, response.status, text, readRetryAfter(response.headers, Date.now()))
      }
      body = spared
    }
  }

  #send(
    path: string,
    { signal, requestId, clientKey }: Asker,
    { accept, body, timeouts }: { accept: string; body?: string; timeouts: HttpTimeouts },
  ): Promise<HttpResponse> {
    const key = clientKey ?? this.#key
    const keyHeaders = this.#style.keyHeaders ?? bearer
    return this.#options.transport({
      url: this.urlOf(path),
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        ...(body !== undefined && { 'content-type': 'application/json' }),
        accept,
        ...(requestId !== undefined && { 'x-request-id': requestId }),
        ...this.#style.headers,
        ...(key !== undefined && keyHeaders(key)),
        ...this.#headers,
      },
      ...(body !== undefined && { body }),
      signal: signal ?? new AbortController().signal,
      timeouts,
    })
  }
}

/** The error for an answer that is not what the API gives; `what` it has not. */
export function strangeAnswer(source: ErrorSource, what: string, text: string, server: string): UpstreamError {
  const shown = redact(text, source.secrets).slice(0, 200)
  return new UpstreamError(
    'upstream',
    `Upstream "${source.upstream}" has no ${what} at its url: it sent "${shown}". Check that the url is that of ${server}.`,
    false,
  )
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

function bearer(key: string): Record<string, string> {
  return { authorization: `Bearer ${key}` }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // No JSON: whoever asked says what it should have been.
    return undefined
  }
}

/** A shorter one is a stand-in (`x`, `key`) that would blot out half of a message. */
function isSecret(value: string): boolean {
  return value.length >= 6
}

function isSuccess({ status }: HttpResponse): boolean {
  return status >= 200 && status < 300
}

/** The beginning of a body as text; what is over `maxBytes` is not read. */
async function readText(response: HttpResponse, maxBytes: number): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  let length = 0
  for await (const bytes of response.body) {
    text += decoder.decode(bytes, { stream: true })
    length += bytes.length
    if (length > maxBytes) break
  }
  return text + decoder.decode()
}

/** The configured URL, up to the API's own paths. */
function readBase(
  name: string,
  url: string,
  { path, endpoints }: HttpApiStyle,
): { origin: string; path: string; search: string } {
  const full = /^[a-z][a-z0-9+.-]*:\/\//i.test(url) ? url : `http://${url}`
  if (!/^https?:/i.test(full) || !URL.canParse(full)) {
    throw new AnycallError(
      'invalid-request',
      `The url of upstream "${name}" is not an http or https URL: "${url}". It looks like http://127.0.0.1:8080${path}.`,
      { param: 'url' },
    )
  }
  const { origin, pathname, search } = new URL(full)
  const given = endpoints.reduce((rest, endpoint) => rest.replace(endpoint, ''), pathname.replace(/\/+$/, ''))
  return { origin, path: given || path, search }
}

function readKey(name: string, key: string | undefined): string | undefined {
  const trimmed = key?.trim()
  if (trimmed === undefined || trimmed === '') return undefined
  // Refused here, without showing it, before HTTP libraries show it in their errors.
  if (!/^[\x21-\x7e]+$/.test(trimmed)) {
    throw new AnycallError(
      'invalid-request',
      `The key of upstream "${name}" has characters that a header cannot carry (spaces, line breaks or non-ASCII letters). Copy it anew.`,
      { param: 'key' },
    )
  }
  return trimmed
}

function lowerCased(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
}
