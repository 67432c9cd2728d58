import { AnycallError, type ErrorCode, type ErrorDetail, isJsonObject } from '../../conversation/index.ts'
import { type ContextOverflow, describeContextOverflow, readContextOverflow } from '../refusals/context-length.ts'
import { maxErrorLength, readErrorText, readErrorValue } from '../refusals/error-text.ts'
import { type RefusedPart, refusedPart } from '../refusals/refusals.ts'
import { TransportError } from '../transport/transport-error.ts'
import type { GenerationRequest } from '../upstream.ts'

/** An error of an upstream, named. `retryable`: the same request may work when sent again. */
export class UpstreamError extends AnycallError {
  readonly retryable: boolean
  /** The HTTP status that it came with. */
  readonly status: number | undefined
  /** The part of a request that the model or its server refuses. */
  readonly refused: RefusedPart | undefined
  /** The tokens of a request that was too long, and of the context, as the engine counts them. */
  readonly overflow: ContextOverflow | undefined

  constructor(kind: ErrorCode, message: string, retryable: boolean, detail: UpstreamErrorDetail = {}) {
    super(kind, message, detail)
    this.retryable = retryable
    this.status = detail.status
    this.refused = detail.refused
    this.overflow = detail.overflow
  }
}

export interface UpstreamErrorDetail extends ErrorDetail {
  status?: number
  refused?: RefusedPart | undefined
  overflow?: ContextOverflow
}

/** True for the error of an upstream that refuses this part of a request. */
export function refuses(error: unknown, part: RefusedPart): error is UpstreamError {
  return error instanceof UpstreamError && error.refused === part
}

/** The upstream that an error names, and the values that it must not show. */
export interface ErrorSource {
  upstream: string
  /** Keys in use. */
  secrets: readonly string[]
}

interface StatusRule {
  kind: ErrorCode
  retryable: boolean
  advice: (upstream: string) => string
}

const rejected: StatusRule = {
  kind: 'invalid-request',
  retryable: false,
  advice: () => 'Change the request as it says.',
}
const overloaded: StatusRule = {
  kind: 'overloaded',
  retryable: true,
  advice: () => 'It is overloaded or still loading a model: try again later.',
}
const failing: StatusRule = {
  kind: 'upstream',
  retryable: true,
  advice: () => "Look for the cause in that server's log.",
}
const late: StatusRule = {
  kind: 'timeout',
  retryable: true,
  advice: () => 'It took too long: try again, or raise its time limits.',
}

const byStatus: Readonly<Record<number, StatusRule>> = {
  400: rejected,
  401: {
    kind: 'authentication',
    retryable: false,
    advice: (upstream) => `Check the key of upstream "${upstream}".`,
  },
  403: {
    kind: 'permission',
    retryable: false,
    advice: (upstream) => `Check what the key of upstream "${upstream}" is allowed to use.`,
  },
  404: {
    kind: 'not-found',
    retryable: false,
    advice: (upstream) =>
      `Check the model's name, pull or load the model there, and check that the url of upstream "${upstream}" ends as it should, mostly in /v1.`,
  },
  408: late,
  409: failing,
  413: { kind: 'too-large', retryable: false, advice: () => 'Send less.' },
  422: rejected,
  429: { kind: 'rate-limit', retryable: true, advice: () => 'Wait, or raise the limits there.' },
  500: failing,
  502: failing,
  503: overloaded,
  504: late,
  529: overloaded,
}

/**
 * The message for an unknown model with another status than 404: llama-server's router answers 400 with `model 'x' not
 * found`.
 */
const missingModel = /^model ['"`]?[^'"`]+['"`]? (?:is |was )?not found\b/i

/**
 * Messages with status 500 about requests that will fail again: llama-server's `image input is not supported` and
 * `tools param requires --jinja flag`, Ollama's `this model does not support …`, and grammars that no engine can parse.
 */
const lasting =
  /\b(?:is|are) not supported\b|\b(?:does|do) not support\b|\bunsupported\b|\brequires? --|\bfailed to parse grammar\b/i

/** Statuses with which engines refuse a prompt that is too long; llama-server once did with 500. */
const overflowStatuses: ReadonlySet<number> = new Set([400, 413, 422, 500])

function ruleOf(status: number): StatusRule {
  const rule = byStatus[status]
  if (rule) return rule
  if (status >= 500) return { ...failing, retryable: false }
  if (status >= 400) return rejected
  return {
    kind: 'upstream',
    retryable: false,
    advice: (upstream) => `Check that the url of upstream "${upstream}" is that of an OpenAI-compatible server.`,
  }
}

/** Returns the error for a response with another status than 200. */
export function statusError(source: ErrorSource, status: number, body: string, retryAfter?: number): UpstreamError {
  return errorOf(source, status, { said: readErrorText(body), body }, retryAfter)
}

/** `said`: the message in the body, for people; `body`: the unchanged body. */
interface Answer {
  said: string
  body: string
}

function errorOf(source: ErrorSource, status: number, { said, body }: Answer, retryAfter?: number): UpstreamError {
  const quoted = redact(said, source.secrets)
  const shown = quoted === '' ? 'nothing more' : `"${quoted.length > 500 ? `${quoted.slice(0, 500)}…` : quoted}"`
  const answer = `upstream "${source.upstream}" answered ${status} and said ${shown}`
  const refused = refusedPart('model', status, said)
  const detail = { status, refused, ...(retryAfter !== undefined && { retryAfter }) }

  const overflow = overflowStatuses.has(status) ? readContextOverflow(said, body) : undefined
  if (overflow) {
    const message = `${describeContextOverflow(overflow)} (${answer})`
    return new UpstreamError('context-length', message, false, { status, refused: 'context-length', overflow })
  }
  const { kind, retryable, advice } = ruleOf(status === 400 && missingModel.test(said) ? 404 : status)
  // OpenAI: an empty account is a 429 too, but time does not fill it.
  const exhausted = status === 429 && body.slice(0, maxErrorLength).includes('insufficient_quota')
  const isLasting = exhausted || (status === 500 && lasting.test(said))
  const message = `${answer.replace('upstream', 'Upstream')}. ${exhausted ? 'Its account is used up.' : advice(source.upstream)}`
  return new UpstreamError(kind, message, retryable && !isLasting, detail)
}

/** Error codes and types that correspond to a status: those of OpenAI, Anthropic and the engines that follow them. */
const statusByCode: Readonly<Record<string, number>> = {
  invalid_api_key: 401,
  authentication_error: 401,
  invalid_request_error: 400,
  invalid_prompt: 400,
  permission_error: 403,
  model_not_found: 404,
  not_found_error: 404,
  request_too_large: 413,
  context_length_exceeded: 400,
  exceed_context_size_error: 400,
  rate_limit_exceeded: 429,
  rate_limit_error: 429,
  insufficient_quota: 429,
  overloaded_error: 529,
  unavailable_error: 503,
  server_error: 500,
  api_error: 500,
  timeout_error: 504,
}

/** The error for an error event inside a stream that began with status 200: `payload`, which came as `body`. */
export function streamError(source: ErrorSource, payload: unknown, body: string): UpstreamError {
  const answer = { said: readErrorValue(payload) ?? readErrorText(body), body }
  const error = isJsonObject(payload) ? (payload.error ?? payload) : payload
  const marks = isJsonObject(error) ? [error.code, error.status, error.status_code, error.type] : []
  for (const mark of marks) {
    const status = typeof mark === 'string' ? (statusByCode[mark] ?? Number(mark)) : mark
    if (typeof status === 'number' && status >= 400 && status < 600) {
      return errorOf(source, status, answer)
    }
  }
  return errorOf(source, 500, answer)
}

/**
 * Returns the error for a kind of request that an upstream does not support. It means that a caller ignored the
 * upstream's abilities.
 */
export function notTaken(upstream: string, { type }: GenerationRequest): AnycallError {
  return new AnycallError('internal', `Upstream "${upstream}" takes no request of type "${type}".`)
}

/** Returns a transport error with the upstream's name in front; any other error unchanged. */
export function named(source: ErrorSource, error: unknown): unknown {
  if (!(error instanceof TransportError)) return error
  return new UpstreamError(error.code, `Upstream "${source.upstream}": ${error.message}`, error.retryable, {
    cause: error,
  })
}

/** An upstream's words without the keys in use. */
export function redact(text: string, secrets: readonly string[]): string {
  return secrets.reduce((shown, secret) => (secret === '' ? shown : shown.replaceAll(secret, '[key]')), text)
}
