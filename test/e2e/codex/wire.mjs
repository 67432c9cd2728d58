// @ts-check
import { createHash } from 'node:crypto'
import { createServer, request as send } from 'node:http'
import { pipeline } from 'node:stream'
import { listenOnLoopback } from '../clients/listen.mjs'

/**
 * Stands between the client and the gateway, passes everything on as it comes, and looks for requests that the client repeats: the same
 * body posted twice, or a header that counts retries.
 * @param {string} gatewayUrl
 * @returns {Promise<{ url: string, retries: readonly string[], close: () => void }>}
 */
export async function watchWire(gatewayUrl) {
  /** @type {string[]} */
  const retries = []
  /** @type {Map<string, number>} */
  const posted = new Map()
  const server = createServer((request, response) => {
    const { method = 'GET', url = '/', headers } = request
    for (const line of retryHeaders(headers)) retries.push(`${method} ${url} has the header ${line}`)
    if (method === 'POST') {
      const hash = createHash('sha256').update(`${url}\n`)
      request.on('data', (bytes) => hash.update(bytes))
      request.on('end', () => {
        const digest = hash.digest('hex')
        const times = (posted.get(digest) ?? 0) + 1
        posted.set(digest, times)
        if (times > 1) retries.push(`the client posted the same body to ${url} ${times} times`)
      })
    }
    const passed = send(new URL(url, gatewayUrl), { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      // Either side may leave in the middle; the other is then closed as well.
      pipeline(answer, response, () => {})
    })
    passed.on('error', () => response.destroy())
    response.on('close', () => passed.destroy())
    request.pipe(passed)
  })
  const url = await listenOnLoopback(server)
  return {
    url,
    retries,
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}

/**
 * Returns the headers that say that a request is a repetition. The first attempt may count as zero.
 * @param {import('node:http').IncomingHttpHeaders} headers
 */
function retryHeaders(headers) {
  return Object.entries(headers)
    .filter(([name, value]) => /retry|attempt/.test(name) && value !== '0')
    .map(([name, value]) => `${name}: ${value}`)
}
