import type { AnycallError, ErrorCode, JsonObject } from '../../conversation/index.ts'
import { encodeErrorBody } from '../openai/error.ts'
import type { ResponseEvents } from './events.ts'

/**
 * Returns the events that end a response with an error. `output` are the items that were complete. The event `error` has its
 * fields twice: beside the type, as OpenAI documents them, and in `error`, as OpenAI sends them and Open Responses has them.
 */
export function failureEvents(events: ResponseEvents, error: AnycallError, output: JsonObject[]): string {
  const { message } = error
  const { type, code, param } = encodeErrorBody(error).error
  return (
    events.event(
      'error',
      JSON.stringify({ code, message, param, error: { type, code, message, param } }).slice(1, -1),
    ) +
    events.response('response.failed', { status: 'failed', output, error: { code: failureCodes[error.code], message } })
  )
}

/**
 * The codes of a response that failed. The API has few; Codex also handles `context_length_exceeded`, and repeats a
 * request with any other code.
 */
const failureCodes: Readonly<Record<ErrorCode, string>> = {
  'invalid-request': 'invalid_prompt',
  'invalid-config': 'server_error',
  'context-length': 'context_length_exceeded',
  'rate-limit': 'rate_limit_exceeded',
  authentication: 'server_error',
  permission: 'server_error',
  'not-found': 'server_error',
  'method-not-allowed': 'server_error',
  'too-large': 'server_error',
  'unsupported-encoding': 'server_error',
  overloaded: 'server_error',
  unavailable: 'server_error',
  timeout: 'server_error',
  upstream: 'server_error',
  cancelled: 'server_error',
  internal: 'server_error',
}
