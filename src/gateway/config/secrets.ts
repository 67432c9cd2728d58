import { memoize } from '../../conversation/index.ts'
import { Masker, shortestSecret } from '../../records/index.ts'
import type { GatewayConfig } from './schema/types.ts'

/** A value of a header that is a scheme and a key. */
const scheme = /^(?:bearer|basic|token|apikey|api-key) +(\S+)$/i

/** Returns all keys of a configuration. */
export function secretsOf({ keys, secret, upstreams, records, metrics, responses, limits }: GatewayConfig): string[] {
  const ofUpstreams = Object.values(upstreams).flatMap((one) =>
    'headers' in one
      ? [...(one.key === undefined ? [] : [one.key]), ...Object.values(one.headers).flatMap(ofHeader)]
      : [],
  )
  const admin = [records?.adminKey, metrics?.key].filter((one) => one !== undefined)
  const stores = [responses.store, limits.store].flatMap((address) => (address === undefined ? [] : ofAddress(address)))
  return [
    ...stores,
    ...(typeof keys === 'string' ? [] : keys.flatMap((one) => (typeof one === 'string' ? one : (one.key ?? [])))),
    ...(secret === undefined ? [] : [secret]),
    ...admin,
    ...ofUpstreams,
  ]
}

const maskerOf = memoize((config: GatewayConfig) => new Masker({ secrets: secretsOf(config) }))

/** Returns a text with all keys of a configuration, and the client's own one, masked as in records. */
export function withoutKeys(text: string, config: GatewayConfig, clientKey: string | undefined): string {
  const masker = maskerOf(config)
  return (clientKey === undefined ? masker : masker.with([clientKey], shortestSecret)).mask(text)
}

function ofHeader(value: string): string[] {
  const key = scheme.exec(value)?.[1]
  return key === undefined ? [value] : [value, key]
}

/** The password of a URL, percent-encoded and decoded. */
function ofAddress(address: string): string[] {
  if (!URL.canParse(address)) return [address]
  const { password } = new URL(address)
  return password === '' ? [] : [password, decoded(password)]
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
