import type { Server } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { AnycallError } from '../../conversation/index.ts'
import { neededModule } from '../../upstreams/index.ts'
import type { Gateway } from '../gateway.ts'
import { isLoopback } from '../http/access/access.ts'
import { toNodeHandler } from './handler.ts'

export interface ListenOptions {
  /** Default: `127.0.0.1`. A gateway without keys listens only on loopback addresses. */
  host?: string
  /** Default: 8787; 0 is any free port. */
  port?: number
}

export interface RunningServer {
  url: string
  /** The port that is listened on. */
  port: number
  /**
   * Lets `/readyz` answer 503 for `drainMs` milliseconds (default 0), so that load balancers send their requests elsewhere. Then it
   * accepts no more requests, waits for the running ones for at most `graceMs` milliseconds (default 0), and closes the
   * gateway: requests that still run end with an error.
   */
  close(graceMs?: number, drainMs?: number): Promise<void>
}

/** Load balancers and clients keep connections for a minute; the server must not be the first to close. */
const keepAliveMs = 75_000
/** The time that the errors of a closed gateway have to reach its clients. */
const errorDeliveryMs = 500

/**
 * Serves a gateway over HTTP, with `node:http`. Throws an AnycallError for a public address if the gateway has no keys, and Node's
 * error if the port cannot be had.
 *
 * @example
 * const server = await listen(gateway, { port: 8787 })
 * console.log(server.url)
 */
export async function listen(
  gateway: Pick<Gateway, 'handle' | 'requiresKey' | 'close'> & Partial<Pick<Gateway, 'drain'>>,
  { host = '127.0.0.1', port = 8787 }: ListenOptions = {},
): Promise<RunningServer> {
  if (!gateway.requiresKey && !isLoopback(host)) {
    throw new AnycallError(
      'invalid-request',
      `${host} can be reached from other machines, and the gateway has no keys. Configure "keys" or pass --key, or listen on 127.0.0.1.`,
    )
  }
  const { createServer } = neededModule('node:http', 'listen')
  const handler = toNodeHandler(gateway)
  const server = createServer({ keepAliveTimeout: keepAliveMs }, (request, response) => {
    // A connection that becomes idle while the server closes would keep it open until its client closes it.
    response.once('close', () => {
      if (!server.listening) server.closeIdleConnections()
    })
    handler(request, response)
  })
  const unused = unusedConnections(server)
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  })
  const bound = (server.address() as AddressInfo).port
  return {
    port: bound,
    url: `http://${host.includes(':') ? `[${host}]` : host}:${bound}`,
    close: async (graceMs = 0, drainMs = 0) => {
      gateway.drain?.()
      if (drainMs > 0) await new Promise((resolve) => setTimeout(resolve, drainMs))
      await closed(server, unused, gateway, graceMs)
      await gateway.close()
    },
  }
}

/**
 * Returns a function that lists the open connections without any received byte. Clients open connections in advance, for
 * example after a cancelled request; Node does not count them as idle, because they wait for their first request.
 */
function unusedConnections(server: Server): () => readonly Socket[] {
  const open = new Set<Socket>()
  server.on('connection', (socket) => {
    open.add(socket)
    socket.once('close', () => open.delete(socket))
  })
  return () => [...open].filter((socket) => socket.bytesRead === 0)
}

/** Resolves when the server has no connection left. After the grace, the gateway is closed, and then the connections are. */
function closed(
  server: Server,
  unused: () => readonly Socket[],
  gateway: Pick<Gateway, 'close'>,
  graceMs: number,
): Promise<void> {
  return new Promise((resolve, reject) => {
    let timer = setTimeout(() => {
      gateway.close().catch(reject)
      timer = setTimeout(() => server.closeAllConnections(), errorDeliveryMs)
    }, graceMs)
    server.close(() => {
      clearTimeout(timer)
      resolve()
    })
    server.closeIdleConnections()
    for (const socket of unused()) socket.destroy()
  })
}
