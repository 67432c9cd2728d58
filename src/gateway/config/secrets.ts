import type { GatewayConfig } from './types.ts'

/** A value of a header that is a scheme and a key. */
const scheme = /^(?:bearer|basic|token|apikey|api-key) +(\S+)$/i

/** Returns all keys of a configuration. */
export function secretsOf({ keys, secret, upstreams, records }: GatewayConfig): string[] {
  const ofUpstreams = Object.values(upstreams).flatMap((one) =>
    'headers' in one
      ? [...(one.key === undefined ? [] : [one.key]), ...Object.values(one.headers).flatMap(ofHeader)]
      : [],
  )
  const admin = records?.adminKey === undefined ? [] : [records.adminKey]
  return [
    ...(typeof keys === 'string' ? [] : keys),
    ...(secret === undefined ? [] : [secret]),
    ...admin,
    ...ofUpstreams,
  ]
}

function ofHeader(value: string): string[] {
  const key = scheme.exec(value)?.[1]
  return key === undefined ? [value] : [value, key]
}
