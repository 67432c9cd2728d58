import type { AnycallError, ErrorCode } from '../../conversation/index.ts'

/** The HTTP status of each kind of error; the API has nothing else for programs. */
const statuses: Readonly<Record<ErrorCode, number>> = {
  'invalid-request': 400,
  // A configuration is read before any request.
  'invalid-config': 500,
  'context-length': 400,
  authentication: 401,
  permission: 403,
  'not-found': 404,
  'method-not-allowed': 405,
  'too-large': 413,
  'unsupported-encoding': 415,
  'rate-limit': 429,
  overloaded: 503,
  unavailable: 503,
  timeout: 504,
  upstream: 502,
  cancelled: 499,
  internal: 500,
}

/** Encodes an error as a response. */
export function encodeError(error: AnycallError): { status: number; body: { error: string } } {
  return { status: statuses[error.code], body: encodeErrorBody(error) }
}

/** Encodes an error in Ollama's form, as a whole body or as the last line of a stream. */
export function encodeErrorBody(error: AnycallError): { error: string } {
  return { error: error.message }
}
