import type { GatewayRequest } from '../http/http.ts'
import { google } from './paths.ts'

/** True if the client uses the Messages API: Anthropic's clients always send their version. */
export function speaksAnthropic(request: GatewayRequest): boolean {
  return request.header('anthropic-version') !== undefined
}

const ownPath = /^\/v1(?:beta\d?|alpha)(?:\/|$)/
const actionPath = RegExp(`^${google}/models/.+:[a-z]{1,40}$`, 'i')

/**
 * True if the client uses the Gemini API: recognised by its paths, or by the headers and the query of Google's
 * libraries.
 */
export function speaksGemini(request: GatewayRequest): boolean {
  if (ownPath.test(request.path) || (request.method === 'POST' && actionPath.test(request.path))) return true
  return request.header('x-goog-api-key') !== undefined || request.header('x-goog-api-client') !== undefined
}
