// Gateways in servers of others: as a handler of `node:http`, under a path, and as a fetch function.
import { createServer, type RequestListener } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { createGateway, listen, toNodeHandler } from '../../src/node.ts'

const settings = {
  upstreams: { demo: { type: 'scripted' } },
  models: [{ match: '*', upstream: 'demo' }],
} as const

/** Serves on a free port until the test is over. */
async function serving(listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  onTestFinished(() => void server.close())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : address}`
}

async function ask(url: string): Promise<{ status: number; text: string }> {
  const body = JSON.stringify({ model: 'any', messages: [{ role: 'user', content: 'Hello' }] })
  const response = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
  return { status: response.status, text: await response.text() }
}

test('a handler serves requests of node:http', async () => {
  const url = await serving(toNodeHandler(createGateway(settings)))
  expect(await ask(`${url}/v1/chat/completions`)).toMatchObject({ status: 200 })
})

test('a handler serves under a path that the server takes off, as Express does', async () => {
  const handler = toNodeHandler(createGateway(settings))
  const url = await serving((request, response) => {
    request.url = request.url?.replace(/^\/llm/, '')
    handler(request, response)
  })
  expect(await ask(`${url}/llm/v1/chat/completions`)).toMatchObject({ status: 200 })
})

test('a body that was read before is an error that says what to change', async () => {
  const handler = toNodeHandler(createGateway(settings))
  const url = await serving(async (request, response) => {
    for await (const _ of request);
    handler(request, response)
  })
  expect(await ask(`${url}/v1/chat/completions`)).toMatchObject({
    status: 500,
    text: expect.stringContaining('Mount the gateway before body parsers'),
  })
})

test.each(['/api/llm', 'api/llm/', '/api//llm'])('a base path is taken off: %s', async (basePath) => {
  const gateway = createGateway({ ...settings, basePath })
  const statusOf = async (path: string) => (await gateway.fetch(new Request(`http://localhost${path}`))).status
  expect(await statusOf('/api/llm/v1/models')).toBe(200)
  expect(await statusOf('/api/llm')).toBe(200)
  expect(await statusOf('/v1/models')).toBe(404)
  expect(await statusOf('/api/llmv1/models')).toBe(404)
})

test('a gateway with keys may listen on a public address, one without may not', async () => {
  const keyed = createGateway({ ...settings, keys: 'pass-through' })
  const open = createGateway(settings)
  expect([keyed.requiresKey, open.requiresKey]).toEqual([true, false])
  await expect(listen(open, { host: '0.0.0.0', port: 0 })).rejects.toThrow('Configure "keys"')
  const server = await listen(keyed, { host: '0.0.0.0', port: 0 })
  await server.close()
  expect(await ask(`${server.url}/v1/messages`).catch(() => 'closed')).toBe('closed')
})
