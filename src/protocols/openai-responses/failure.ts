import type { AnycallError, ErrorCode, JsonObject } from '../../conversation/index.ts'
import { encodeErrorBody } from '../openai/error.ts'
import type { ResponseEvents } from './events.ts'

/** Returns the events that end a response with an error. `output` are the items that were complete. */
export function failureEvents(events: ResponseEvents, error: AnycallError, output: JsonObject[]): string {
  const { message } = error
  const { code, param } = errorFields(error)
  return (
    events.event('error', { code, message, param }) +
    events.response('response.failed', { status: 'failed', output, error: { code: failureCodes[error.code], message } })
  )
}

/** The code and field of an error, as its body has them. */
function errorFields(error: AnycallError): { code: string | null; param: string | null } {
  const { error: fields } = encodeErrorBody(error)
  return { code: fields.code, param: fields.param }
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
