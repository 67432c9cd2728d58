import type { AnycallError, ErrorCode, JsonObject } from '../../conversation/index.ts'

/** The HTTP status and the name in Google's list of RPC codes for each kind of error. */
const errors: Readonly<Record<ErrorCode, readonly [code: number, status: string]>> = {
  'invalid-request': [400, 'INVALID_ARGUMENT'],
  // A configuration is read before any request.
  'invalid-config': [500, 'INTERNAL'],
  'context-length': [400, 'INVALID_ARGUMENT'],
  authentication: [401, 'UNAUTHENTICATED'],
  permission: [403, 'PERMISSION_DENIED'],
  'not-found': [404, 'NOT_FOUND'],
  'method-not-allowed': [405, 'UNIMPLEMENTED'],
  'too-large': [413, 'INVALID_ARGUMENT'],
  'unsupported-encoding': [415, 'INVALID_ARGUMENT'],
  'rate-limit': [429, 'RESOURCE_EXHAUSTED'],
  overloaded: [503, 'UNAVAILABLE'],
  unavailable: [503, 'UNAVAILABLE'],
  timeout: [504, 'DEADLINE_EXCEEDED'],
  upstream: [502, 'UNAVAILABLE'],
  cancelled: [499, 'CANCELLED'],
  internal: [500, 'INTERNAL'],
}

/** Encodes an error as a response. */
export function encodeError(error: AnycallError): { status: number; body: JsonObject } {
  return { status: errors[error.code][0], body: encodeErrorBody(error) }
}

/** Encodes an error in Google's form, as a whole body or as the last element of a stream. */
export function encodeErrorBody(error: AnycallError): JsonObject {
  const [code, status] = errors[error.code]
  return { error: { code, message: error.message, status, details: detailsOf(error) } }
}

const typeUrl = 'type.googleapis.com/google.rpc.'

/** Returns the details for programs: the wrong field, the seconds to wait, the reason for a refused key. */
function detailsOf({ code, message, param, retryAfter }: AnycallError): JsonObject[] {
  const details: JsonObject[] = []
  if (param !== undefined) {
    details.push({ '@type': `${typeUrl}BadRequest`, fieldViolations: [{ field: param, description: message }] })
  }
  if (retryAfter !== undefined) details.push({ '@type': `${typeUrl}RetryInfo`, retryDelay: `${retryAfter}s` })
  if (code === 'authentication') {
    details.push({ '@type': `${typeUrl}ErrorInfo`, reason: 'API_KEY_INVALID', domain: 'googleapis.com' })
  }
  return details
}
