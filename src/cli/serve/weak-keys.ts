import { type ConfigProblem, type GatewayConfig, isLoopback } from '../../gateway/index.ts'

/** The length from which on a key of random characters cannot be guessed. */
const leastCharacters = 16
/** A key with fewer different characters is a pattern. */
const leastDifferent = 6

const advice = 'make one with: openssl rand -hex 24'

/** Returns a problem for each key that can be guessed, and for keys that are missing, if the configuration listens on an address that others can reach. */
export function weakKeys({
  listen,
  keys,
  records,
}: Pick<GatewayConfig, 'listen' | 'keys' | 'records'>): ConfigProblem[] {
  if (isLoopback(listen.host)) return []
  const listed = keys === 'pass-through' ? [] : keys
  const isOpen = `${listen.host} can be reached from other machines`
  const missing: ConfigProblem[] =
    keys.length === 0 ? [{ path: ['keys'], message: `missing, and ${isOpen}; ${advice}, or listen on 127.0.0.1` }] : []
  const known: [path: ConfigProblem['path'], key: string | undefined][] = [
    ...listed.map((one, index): [ConfigProblem['path'], string | undefined] =>
      typeof one === 'string' ? [['keys', index], one] : [['keys', index, 'key'], one.key],
    ),
    [['records', 'adminKey'], records?.adminKey],
  ]
  const weak = known.flatMap(([path, key]) => {
    const fault = key === undefined ? undefined : weakness(key)
    return fault === undefined ? [] : [{ path, message: `${fault}, and ${isOpen}; ${advice}` }]
  })
  return [...missing, ...weak]
}

function weakness(key: string): string | undefined {
  if (key.length < leastCharacters) return `the key has less than ${leastCharacters} characters`
  return new Set(key).size < leastDifferent ? `the key has less than ${leastDifferent} different characters` : undefined
}
