import { AnycallError } from '../../../conversation/index.ts'
import type { GatewayConfig, KeyHolder } from '../../config/config.ts'
import { type GatewayRequest, queryParameter } from '../http.ts'
import type { Cors } from './cors.ts'
import { hexOf, KeyRing, sha256 } from './key-ring.ts'

/** The client of a request that may use the gateway. */
export interface Client {
  /** Its own key, if it is passed through to the upstream. */
  clientKey?: string
  /** The holder of its key, if the gateway has keys. */
  holder?: KeyHolder
}

/** Decides who may use the gateway. */
export interface Access {
  /** True if clients need a key. */
  readonly requiresKey: boolean
  /** Throws `authentication` or `permission`. */
  check(request: GatewayRequest): Promise<Client>
}

/** `cors` determines the pages that are admitted if no key is required. */
export function createAccess(keys: GatewayConfig['keys'], cors?: Pick<Cors, 'allows'>): Access {
  const refuseBrowsers = createBrowserGuard(cors)
  const ring = new KeyRing(keys === 'pass-through' ? [] : keys)
  const requiresKey = keys === 'pass-through' || keys.length > 0
  return {
    requiresKey,
    async check(request) {
      if (!requiresKey) {
        refuseBrowsers(request)
        return {}
      }
      const key = clientKeyOf(request)
      if (key === undefined) throw unauthenticated('no key')
      if (keys === 'pass-through') return { clientKey: key }
      const holder = await ring.holderOf(key)
      if (!holder) throw unauthenticated('a key that this gateway does not know')
      return { holder }
    },
  }
}

/** Returns a name for the client of a request: a digest of its key, the same for all clients without one. */
export async function clientName(request: GatewayRequest): Promise<string> {
  const key = clientKeyOf(request)
  return key === undefined ? '' : hexOf(await sha256(key))
}

/** Returns the client's key: Anthropic's clients send `x-api-key`, OpenAI's a bearer token, Claude Code either, Google's their own or `?key=`. */
export function clientKeyOf(request: GatewayRequest): string | undefined {
  const bearer = /^Bearer\s+(\S+)\s*$/i.exec(request.header('authorization') ?? '')?.[1]
  const own = request.header('x-api-key')?.trim() || request.header('x-goog-api-key')?.trim()
  return own || bearer || queryParameter(request, 'key')?.trim() || undefined
}

/** Returns the client's key if it is a secret: without keys, clients send any text as theirs, which may be a common word. */
export function secretKeyOf(keys: GatewayConfig['keys'], request: GatewayRequest): string | undefined {
  return keys.length > 0 ? clientKeyOf(request) : undefined
}

function unauthenticated(what: string): AnycallError {
  return new AnycallError(
    'authentication',
    `The request has ${what}. Send one of the gateway's keys as "x-api-key: KEY" or "Authorization: Bearer KEY".`,
  )
}

/**
 * Guards a gateway without keys, which trusts every request to the loopback address. Web pages in a browser on the same
 * machine send such requests too: they are recognised by their origin, and rebound names by their host, since a page
 * with a rebound name has no origin that could be listed.
 */
function createBrowserGuard(cors: Pick<Cors, 'allows'> | undefined): (request: GatewayRequest) => void {
  // Nearly all requests name the host as the one before did, and to take a URL apart costs 0.02 ms.
  let trusted: string | undefined
  return (request) => {
    const origin = request.header('origin')
    const host = request.header('host')
    // Browsers send this header with requests that a page makes to another site, even without an origin.
    if (origin === undefined && request.header('sec-fetch-site') === 'cross-site')
      throw foreignPage('a page of another site')
    if (origin === undefined && host === trusted) return
    if (origin !== undefined && !isLoopbackUrl(origin) && !cors?.allows(origin)) {
      throw foreignPage(origin)
    }
    if (host !== undefined && !(hostName.test(host) && isLoopbackUrl(`http://${host}`))) {
      throw new AnycallError(
        'permission',
        `A gateway without keys serves only this machine's own programs, not the host name ${host.slice(0, 200)}. Configure keys to serve others.`,
      )
    }
    trusted = host
  }
}

function foreignPage(origin: string): AnycallError {
  return new AnycallError(
    'permission',
    `A gateway without keys serves only this machine's own programs, not ${origin.slice(0, 200)}. Configure keys to serve others. To let in just its pages, list it in "cors".`,
  )
}

/** A host and an optional port. A user before it or a path after it would be ignored in a URL. */
const hostName = /^[^@/\\?#\s]{1,300}$/

function isLoopbackUrl(url: string): boolean {
  try {
    const { hostname, username, password } = new URL(url)
    return username === '' && password === '' && isLoopback(hostname)
  } catch {
    // A text that is no URL is not a loopback address.
    return false
  }
}

/** True for the host names and addresses that only this machine reaches. */
export function isLoopback(host: string): boolean {
  const name = host.replace(/^\[|\]$/g, '').toLowerCase()
  return name === 'localhost' || name.endsWith('.localhost') || name === '::1' || /^127(?:\.\d{1,3}){3}$/.test(name)
}
