import { AnycallError } from '../../conversation/index.ts'
import { createAccess } from '../http/access.ts'
import type { GatewayRequest } from '../http/http.ts'
import type { RouteContext } from './context.ts'

/**
 * Checks that a request may read records: it has the admin key; or there is none, and the gateway has no keys at all, as it
 * then serves only its own machine. Requests of pages from other origins are refused. Throws `authentication` or `permission`.
 */
export async function checkReader({ request, config }: Pick<RouteContext, 'request' | 'config'>): Promise<void> {
  refuseOtherOrigins(request)
  const adminKey = config.records?.adminKey
  if (adminKey === undefined && (config.keys === 'pass-through' || config.keys.length > 0)) {
    throw new AnycallError(
      'permission',
      'The records of a gateway with keys are read with a key of their own: set records.adminKey in the configuration.',
    )
  }
  await createAccess(adminKey === undefined ? [] : [adminKey]).check(request)
}

function refuseOtherOrigins(request: GatewayRequest): void {
  const origin = request.header('origin')
  const site = request.header('sec-fetch-site')
  const isSame = origin === undefined || hostOf(origin) === request.header('host')
  if (isSame && (site === undefined || site === 'same-origin' || site === 'none')) return
  throw new AnycallError(
    'permission',
    'Records are read by the pages of this gateway alone, not by those of another origin.',
  )
}

function hostOf(origin: string): string | undefined {
  return URL.canParse(origin) ? new URL(origin).host : undefined
}
