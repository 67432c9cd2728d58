import { AnycallError, isJsonObject, type JsonObject } from '../conversation/index.ts'
import { readContextOverflow } from './context-length.ts'
import { encodeChatRequest, type MaxTokensField } from './openai-chat-request.ts'
import { ChatStream } from './openai-chat-stream.ts'
import { readRetryAfter, withRetries } from './retry.ts'
import type { HttpResponse, HttpTimeouts, HttpTransport } from './transport.ts'
import type {
  GenerationContext,
  GenerationRequest,
  ModelsQuery,
  Upstream,
  UpstreamEvent,
  UpstreamModel,
} from './upstream.ts'
import { type ErrorSource, named, readErrorText, redact, statusError, UpstreamError } from './upstream-error.ts'

export interface OpenAIChatOptions {
  /** Its name in the configuration. */
  name: string
  /** Where its API is: `http://127.0.0.1:8080/v1`. Without a path, `/v1` is added. */
  url: string
  key?: string
  /** Sent with every request, over anycall's own. */
  headers?: Record<string, string>
  timeouts?: Partial<HttpTimeouts>
  /** How often a request is repeated that failed before its first event. Default 2. */
  retries?: number
  /** The field for the most tokens of a reply. OpenAI's newer models want `max_completion_tokens`. */
  maxTokensField?: MaxTokensField
  transport: HttpTransport
}

/** Reading a long prompt takes a local machine minutes. */
export const defaultTimeouts: Readonly<HttpTimeouts> = { connectMs: 5_000, firstByteMs: 600_000, idleMs: 300_000 }

/** A list of models needs no model: a server that does not give it at once does not work. */
const modelsTimeoutMs = 10_000
const maxErrorLength = 64 * 1024
const maxModelsLength = 16 * 1024 * 1024

/** An upstream for any server with OpenAI's Chat Completions API. Throws an AnycallError for options that are wrong. */
export function createOpenAIChatUpstream(options: OpenAIChatOptions): Upstream {
  const { name, transport, retries = 2, maxTokensField = 'max_tokens' } = options
  const endpoint = readEndpoint(name, options.url)
  const key = readKey(name, options.key)
  const ownHeaders = lowerCased(options.headers ?? {})
  const timeouts: HttpTimeouts = { ...defaultTimeouts, ...options.timeouts }
  /** False once the server has refused to be asked for usage. */
  let asksForUsage = true

  const sourceFor = (clientKey?: string): ErrorSource => ({
    upstream: name,
    secrets: [key ?? '', clientKey ?? '', ...Object.values(ownHeaders)].filter(isSecret),
  })
  const headersFor = (clientKey?: string): Record<string, string> => {
    const used = clientKey ?? key
    return { ...(used === undefined ? {} : { authorization: `Bearer ${used}` }), ...ownHeaders }
  }

  /** Sends the request; sends it again without what the server refuses and can be spared. */
  async function post(body: JsonObject, context: GenerationContext, source: ErrorSource): Promise<HttpResponse> {
    for (;;) {
      const response = await transport({
        url: endpoint('/chat/completions'),
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          accept: 'text/event-stream',
          'x-request-id': context.requestId,
          ...headersFor(context.clientKey),
        },
        body: JSON.stringify(body),
        signal: context.signal,
        timeouts,
      })
      if (isSuccess(response)) return response
      const text = await readText(response, maxErrorLength)
      const spared = spare(body, response.status, text, context)
      if (!spared) throw statusError(source, response.status, text, readRetryAfter(response.headers, Date.now()))
      body = spared
    }
  }

  function spare(body: JsonObject, status: number, text: string, context: GenerationContext): JsonObject | undefined {
    if (status !== 400 && status !== 422) return undefined
    const { stream_options: usage, [maxTokensField]: maxTokens, ...rest } = body
    if (usage !== undefined && text.includes('stream_options')) {
      asksForUsage = false
      context.log('info', 'upstream.no-usage', { upstream: name, status })
      return maxTokens === undefined ? rest : { ...rest, [maxTokensField]: maxTokens }
    }
    // The reply may be longer than the room that the prompt leaves (Claude Code always allows 32000 tokens): without a
    // bound of its own the reply ends where the context does, which comes to the same.
    if (
      maxTokens !== undefined &&
      readContextOverflow(`${readErrorText(text)}\n${text}`)?.type === 'prompt-and-output'
    ) {
      context.log('info', 'upstream.max-tokens-dropped', { upstream: name, maxTokens })
      return usage === undefined ? rest : { ...rest, stream_options: usage }
    }
    return undefined
  }

  async function generate(
    request: GenerationRequest,
    context: GenerationContext,
  ): Promise<AsyncIterable<UpstreamEvent[]>> {
    const source = sourceFor(context.clientKey)
    const encoded = encodeChatRequest(request, maxTokensField)
    const attempt = async (): Promise<ChatStream> => {
      const { stream_options: _, ...plain } = encoded
      try {
        const response = await post(asksForUsage ? encoded : plain, context, source)
        const stream = new ChatStream(response.body, source, context.log)
        await stream.begin()
        return stream
      } catch (error) {
        throw named(source, error)
      }
    }
    return withRetries(attempt, {
      retries,
      signal: context.signal,
      onRetry: (error, repetition, waitMs) =>
        context.log('warn', 'upstream.retry', { upstream: name, repetition, waitMs, error: error.message }),
    })
  }

  async function models({ signal, clientKey }: ModelsQuery = {}): Promise<UpstreamModel[]> {
    const source = sourceFor(clientKey)
    try {
      const response = await transport({
        url: endpoint('/models'),
        method: 'GET',
        headers: { accept: 'application/json', ...headersFor(clientKey) },
        signal: signal ?? new AbortController().signal,
        timeouts: { ...timeouts, firstByteMs: Math.min(timeouts.firstByteMs || modelsTimeoutMs, modelsTimeoutMs) },
      })
      const text = await readText(response, isSuccess(response) ? maxModelsLength : maxErrorLength)
      if (!isSuccess(response)) throw statusError(source, response.status, text)
      return readModels(source, text)
    } catch (error) {
      throw named(source, error)
    }
  }

  return { name, type: 'openai-chat', models, generate }
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

/** OpenAI's `{"data": […]}`; Ollama's `null` where it has none; a bare list (Together). */
function readModels(source: ErrorSource, text: string): UpstreamModel[] {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    value = undefined
  }
  const list = isJsonObject(value) ? value.data : value
  if (list === null) return []
  if (!Array.isArray(list)) {
    throw new UpstreamError(
      'upstream',
      `Upstream "${source.upstream}" has no list of models at its url: it sent "${redact(text, source.secrets).slice(0, 200)}". Check that the url is that of an OpenAI-compatible server.`,
      false,
    )
  }
  const models: UpstreamModel[] = []
  for (const entry of list) {
    if (!isJsonObject(entry) || typeof entry.id !== 'string') continue
    // vLLM, SGLang; OpenRouter, Together.
    const length = [entry.max_model_len, entry.context_length].find((field) => typeof field === 'number')
    models.push(typeof length === 'number' ? { id: entry.id, contextLength: length } : { id: entry.id })
  }
  return models
}

/** From the configured URL, the URL of a path of the API. */
function readEndpoint(name: string, url: string): (path: string) => string {
  const full = /^[a-z][a-z0-9+.-]*:\/\//i.test(url) ? url : `http://${url}`
  if (!/^https?:/i.test(full) || !URL.canParse(full)) {
    throw new AnycallError(
      'invalid-request',
      `The url of upstream "${name}" is not an http or https URL: "${url}". It looks like http://127.0.0.1:8080/v1.`,
      { param: 'url' },
    )
  }
  const { origin, pathname, search } = new URL(full)
  const base = pathname.replace(/\/+$/, '').replace(/\/chat\/completions$/, '') || '/v1'
  return (path) => origin + base + path + search
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
