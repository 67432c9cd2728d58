import { AnycallError } from '../../../conversation/index.ts'
import type { GatewayRequest, GatewayResponse } from '../http.ts'

/**
 * The permissions of web pages from other origins, which browsers request and enforce (the Fetch standard, "CORS
 * protocol"). Keys are still required.
 */
export interface Cors {
  allows(origin: string): boolean
  /**
   * The answer to OPTIONS, by which a browser asks for permission before it sends a page's request. Throws
   * `permission`.
   */
  preflight(request: GatewayRequest): GatewayResponse
  /** Lets the page that asked read the response, whether it is an error, a stream or anything else. */
  grant(request: GatewayRequest, headers: Record<string, string>): void
}

/** The gateway's headers that pages may read, in addition to the headers that CORS always allows. */
const exposed = 'request-id, x-request-id, retry-after, x-anycall-notices'
/** Seconds for which a browser need not ask again: as many as Chrome grants. */
const maxAge = '7200'

/** Creates the permissions for pages of these origins. `*` allows any origin. Undefined if there are no origins. */
export function createCors(origins: readonly string[]): Cors | undefined {
  if (origins.length === 0) return undefined
  const known = new Set(origins)
  const isOpen = known.has('*')
  const allows = (origin: string): boolean => isOpen || known.has(origin)
  return {
    allows,
    preflight(request) {
      const origin = request.header('origin')
      if (origin !== undefined && !allows(origin)) {
        throw new AnycallError(
          'permission',
          `Pages of ${origin.slice(0, 200)} may not use this gateway. List their origin in "cors" of its configuration.`,
        )
      }
      const headers: Record<string, string> = {
        // The methods of all paths, so that a page with a wrong one can read the error.
        'access-control-allow-methods': 'GET, HEAD, POST, DELETE',
        'access-control-max-age': maxAge,
      }
      // Listed one by one, since `*` does not include `authorization`.
      const wanted = request.header('access-control-request-headers')
      if (wanted !== undefined) headers['access-control-allow-headers'] = wanted
      return { status: 200, headers, body: '' }
    },
    grant(request, headers) {
      if (!isOpen) headers.vary = 'origin'
      const origin = isOpen ? '*' : request.header('origin')
      if (origin === undefined || !allows(origin)) return
      headers['access-control-allow-origin'] = origin
      headers['access-control-expose-headers'] = exposed
    },
  }
}
