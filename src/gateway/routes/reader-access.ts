import { AnycallError } from '../../conversation/index.ts'
import { createAccess } from '../http/access/access.ts'
import type { GatewayRequest } from '../http/http.ts'
import type { RouteContext } from './context.ts'

/** Data about the gateway that not every client may read. */
interface Guarded {
  /** Its name: `records`. */
  what: string
  /** The key that reads it. */
  key: string | undefined
  /** The name of that key in the configuration. */
  setting: string
}

/** Checks that a request may read records. Throws `authentication` or `permission`. */
export function checkReader(context: Pick<RouteContext, 'request' | 'config'>): Promise<void> {
  const key = context.config.records?.adminKey
  return checkReaderOf({ what: 'records', key, setting: 'records.adminKey' }, context)
}

/**
 * Checks that a request may read `guarded`: it has its key; or there is none, and the gateway has no keys at all, as it
 * then serves only its own machine. Requests of pages from other origins are refused. Throws `authentication` or `permission`.
 */
export async function checkReaderOf(
  { what, key, setting }: Guarded,
  { request, config }: Pick<RouteContext, 'request' | 'config'>,
): Promise<void> {
  refuseOtherOrigins(request, what)
  if (key === undefined && (config.keys === 'pass-through' || config.keys.length > 0)) {
    throw new AnycallError(
      'permission',
      `The ${what} of a gateway with keys need their own key: set ${setting} in the configuration.`,
    )
  }
  await createAccess(key === undefined ? [] : [key]).check(request)
}

function refuseOtherOrigins(request: GatewayRequest, what: string): void {
  const origin = request.header('origin')
  const site = request.header('sec-fetch-site')
  const isSame = origin === undefined || hostOf(origin) === request.header('host')
  if (isSame && (site === undefined || site === 'same-origin' || site === 'none')) return
  throw new AnycallError(
    'permission',
    `The ${what} can be read only by pages of this gateway, not by pages of another origin.`,
  )
}

function hostOf(origin: string): string | undefined {
  return URL.canParse(origin) ? new URL(origin).host : undefined
}
