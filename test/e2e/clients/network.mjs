// @ts-check
import { spawnSync } from 'node:child_process'
import { createServer } from 'node:http'
import { networkInterfaces } from 'node:os'
import { listenOnLoopback } from './listen.mjs'

const loopbackUp = '{ ip link set lo up || ifconfig lo up; } 2>/dev/null && exec "$@"'
/** Root may create a network namespace; other users may if the system lets them be root in a user namespace. */
const ways = [
  ['unshare', '--net', '--', 'sh', '-c', loopbackUp, 'sh'],
  ['unshare', '--map-root-user', '--net', '--', 'sh', '-c', loopbackUp, 'sh'],
]

/**
 * Finds the words to put before a command so that it has no network but loopback.
 * @returns {{ type: 'possible', command: readonly [string, ...string[]] } | { type: 'refused', reason: string }}
 */
export function isolate() {
  let reason = 'unshare is not there'
  for (const [name = '', ...words] of ways) {
    const { status, stderr } = spawnSync(name, [...words, 'true'], { encoding: 'utf8' })
    if (status === 0) return { type: 'possible', command: [name, ...words] }
    if (status !== null) reason = stderr.trim().split('\n')[0] || 'loopback cannot be brought up inside'
  }
  return { type: 'refused', reason }
}

/** True if only the loopback interface has an address here. */
export function isOnLoopbackOnly() {
  return Object.values(networkInterfaces()).every((addresses) => addresses?.every(({ internal }) => internal) ?? true)
}

/** A proxy for everything except loopback; it refuses all requests, and lists them. */
export async function openRefusingProxy() {
  /** @type {Set<string>} */
  const refused = new Set()
  const server = createServer((request, response) => {
    refused.add(request.url ?? '')
    response.writeHead(403).end()
  })
  server.on('connect', (request, socket) => {
    refused.add(request.url ?? '')
    socket.end('HTTP/1.1 403 Forbidden\r\n\r\n')
  })
  const url = await listenOnLoopback(server)
  const loopback = 'localhost,127.0.0.1'
  return {
    refused,
    env: {
      HTTP_PROXY: url,
      HTTPS_PROXY: url,
      http_proxy: url,
      https_proxy: url,
      NO_PROXY: loopback,
      no_proxy: loopback,
    },
    close: () => server.close(),
  }
}
