import type { RequestListener, Server } from 'node:http'
import { afterEach, expect, test } from 'vitest'
import { portOf, serveHttp } from '../../../test/support/cli/fake-world.ts'
import { discover, type LocalServer, localServers } from './discover.ts'

const servers: Server[] = []
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    server.close()
  }
})

async function running(name: string, listener: RequestListener): Promise<LocalServer> {
  const server = await serveHttp(listener)
  servers.push(server)
  return { id: name.toLowerCase(), name, port: portOf(server) }
}

/** A port that was free a moment ago. */
async function absent(name: string): Promise<LocalServer> {
  const server = await serveHttp(() => undefined)
  const port = portOf(server)
  await new Promise((done) => server.close(done))
  return { id: name.toLowerCase(), name, port }
}

function json(body: unknown, status = 200): RequestListener {
  return (request, response) => {
    const found = request.method === 'GET' && request.url === '/v1/models'
    response.writeHead(found ? status : 404, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  }
}

const list = (...ids: string[]): unknown => ({ object: 'list', data: ids.map((id) => ({ id, object: 'model' })) })

test('all that have models are found, in the order of the table and not of the answers', async () => {
  const slow: RequestListener = (request, response) => setTimeout(() => json(list('a', 'b'))(request, response), 50)
  const table = [await absent('None'), await running('Slow', slow), await running('Fast', json(list('c')))]
  const { found, missed } = await discover({ fetch, servers: table, timeoutMs: 60_000 })
  expect(found).toEqual([
    { server: table[1], url: `http://127.0.0.1:${table[1]?.port}/v1`, models: ['a', 'b'] },
    { server: table[2], url: `http://127.0.0.1:${table[2]?.port}/v1`, models: ['c'] },
  ])
  expect(missed).toEqual([{ server: table[0], reason: 'nothing listens there' }])
})

test.each<[string, RequestListener]>([
  ['has no models', json(list())],
  ['has no models', json({ object: 'list', data: null })],
  ['something else listens there', (_, response) => response.end('<html>')],
  ['something else listens there', json({ data: 'x' })],
  ['something else listens there', json(['x'])],
  ['something else listens there', json({}, 404)],
  ['asks for a key; set it in a configuration file', json({}, 401)],
  ['is not ready yet (status 503)', json({}, 503)],
  ['answers with status 500', json({}, 500)],
])('%s', async (reason, listener) => {
  const server = await running('S', listener)
  expect(await discover({ fetch, servers: [server], timeoutMs: 60_000 })).toEqual({
    found: [],
    missed: [{ server, reason }],
  })
})

test('entries of a list that are no models are left out', async () => {
  const server = await running('S', json({ data: [{ id: 5 }, null, { id: '' }, { id: 'a' }] }))
  expect((await discover({ fetch, servers: [server], timeoutMs: 60_000 })).found[0]?.models).toEqual(['a'])
})

test('a server that accepts and says nothing is not waited for', async () => {
  const server = await running('S', () => undefined)
  const { missed } = await discover({ fetch, servers: [server], timeoutMs: 20 })
  expect(missed).toEqual([{ server, reason: 'does not answer' }])
})

test('known servers have ports and names of their own', () => {
  for (const field of ['id', 'name', 'port'] as const) {
    expect(new Set(localServers.map((server) => server[field])).size).toBe(localServers.length)
  }
})
