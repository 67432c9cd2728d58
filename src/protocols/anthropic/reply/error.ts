import type { AnycallError, ErrorCode, JsonValue } from '../../../conversation/index.ts'
import { threadField } from '../request/thread.ts'

/** HTTP status and Anthropic's error type for each kind of error. */
const errors: Readonly<Record<ErrorCode, readonly [status: number, type: string]>> = {
  'invalid-request': [400, 'invalid_request_error'],
  // A configuration is read before any request.
  'invalid-config': [500, 'api_error'],
  'context-length': [400, 'invalid_request_error'],
  authentication: [401, 'authentication_error'],
  permission: [403, 'permission_error'],
  'not-found': [404, 'not_found_error'],
  'method-not-allowed': [405, 'invalid_request_error'],
  'too-large': [413, 'request_too_large'],
  'unsupported-encoding': [415, 'invalid_request_error'],
  'rate-limit': [429, 'rate_limit_error'],
  overloaded: [529, 'overloaded_error'],
  unavailable: [503, 'api_error'],
  timeout: [504, 'timeout_error'],
  upstream: [502, 'api_error'],
  cancelled: [499, 'api_error'],
  internal: [500, 'api_error'],
}

/** Claude Code recognises a full context by these words, or by the code after them, and then compacts the conversation. */
const contextLengthWords = 'prompt is too long'
const contextLengthCode = 'capability_rejected: prompt_too_long'

/** The SDK's threads recover only on this code. */
const threadGone: JsonValue = { error_code: 'thread_not_found' }

/** Encodes an error as Anthropic's body and status; in a stream, the body is the data of an `error` event. */
export function encodeError(error: AnycallError, requestId: string): { status: number; body: JsonValue } {
  const [status, type] = errors[error.code]
  const message = error.code === 'context-length' ? inContextWords(error.message) : error.message
  const details = error.code === 'not-found' && error.param === threadField ? { details: threadGone } : {}
  return { status, body: { type: 'error', error: { type, message, ...details }, request_id: requestId } }
}

function inContextWords(message: string): string {
  const worded = message.toLowerCase().includes(contextLengthWords) ? message : `${contextLengthWords}: ${message}`
  return worded.includes(contextLengthCode) ? worded : `${worded} (${contextLengthCode})`
}
