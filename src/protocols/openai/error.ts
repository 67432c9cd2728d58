import type { AnycallError, ErrorCode, JsonValue } from '../../conversation/index.ts'

interface ErrorRow {
  status: number
  type: string
  code: string | null
}

const row = (status: number, type: string, code: string | null = null): ErrorRow => ({ status, type, code })

/** Status, type and code as OpenAI's API gives them; a code only if the API has one. */
const errors: Readonly<Record<ErrorCode, ErrorRow>> = {
  'invalid-request': row(400, 'invalid_request_error'),
  // A configuration is read before any request.
  'invalid-config': row(500, 'server_error'),
  'context-length': row(400, 'invalid_request_error', 'context_length_exceeded'),
  authentication: row(401, 'invalid_request_error', 'invalid_api_key'),
  permission: row(403, 'invalid_request_error'),
  'not-found': row(404, 'invalid_request_error'),
  'method-not-allowed': row(405, 'invalid_request_error', 'method_not_supported'),
  'too-large': row(413, 'invalid_request_error'),
  'unsupported-encoding': row(415, 'invalid_request_error'),
  'rate-limit': row(429, 'rate_limit_error', 'rate_limit_exceeded'),
  overloaded: row(503, 'server_error'),
  unavailable: row(503, 'server_error'),
  timeout: row(504, 'server_error'),
  upstream: row(502, 'server_error'),
  // nginx's status for a client that disconnected; only a log shows it.
  cancelled: row(499, 'invalid_request_error'),
  internal: row(500, 'server_error'),
}

/** The rows of things that are not found, by the fields that named them; the API has an own code for these alone. */
const missing: Readonly<Record<string, ErrorRow>> = {
  model: row(404, 'invalid_request_error', 'model_not_found'),
  // Clients and proxies recognise this code, and send the whole conversation.
  previous_response_id: row(400, 'invalid_request_error', 'previous_response_not_found'),
}

function rowOf({ code, param = '' }: AnycallError): ErrorRow {
  return code === 'not-found' && Object.hasOwn(missing, param) ? (missing[param] ?? errors[code]) : errors[code]
}

/** Encodes an error as a response. The request id is in the response's headers, not in the body. */
export function encodeError(error: AnycallError): { status: number; body: JsonValue } {
  return { status: rowOf(error).status, body: encodeErrorBody(error) }
}

// An alias and no interface: bodies are JSON objects, to which TypeScript assigns aliases alone.
/** An error in OpenAI's form. */
export type ErrorBody = { error: { message: string; type: string; param: string | null; code: string | null } }

/** Encodes an error in OpenAI's form, as a whole body or as the last data of a stream. */
export function encodeErrorBody(error: AnycallError): ErrorBody {
  const { type, code } = rowOf(error)
  return { error: { message: error.message, type, param: error.param ?? null, code } }
}
