import type { HttpApiOptions, RequestContext } from './api.ts'

/** No id and no trace context is longer. */
const mostCharacters = 1024

/** Returns the headers of a client that an upstream passes on, and the one with its session. A value that no header can carry is left out. */
export function passedHeaders(
  { passHeaders = [], sessionHeader }: Pick<HttpApiOptions, 'passHeaders' | 'sessionHeader'>,
  { clientHeader, session }: Pick<RequestContext, 'clientHeader' | 'session'>,
): Record<string, string> {
  const headers: Record<string, string> = {}
  // First, so that a value of the client in the same header replaces it.
  if (sessionHeader !== undefined && isValue(session)) headers[sessionHeader] = session
  if (!clientHeader) return headers
  for (const name of passHeaders) {
    const value = clientHeader(name)
    if (isValue(value)) headers[name] = value
  }
  return headers
}

function isValue(value: string | undefined): value is string {
  return value !== undefined && value.length <= mostCharacters && /^[\x20-\x7e]+$/.test(value)
}
