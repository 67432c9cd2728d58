// @ts-check
import { once } from 'node:events'

/**
 * Has a server listen on a free port of 127.0.0.1, and returns its URL, without a path.
 * @param {import('node:net').Server} server
 * @returns {Promise<string>}
 */
export async function listenOnLoopback(server) {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the server listens on no port')
  return `http://127.0.0.1:${address.port}`
}
