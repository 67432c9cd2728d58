import { once } from 'node:events'
import { createServer, type Server } from 'node:net'
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest'
import { eventually } from '../../../test/support/eventually.ts'
import {
  type ServerScript,
  says,
  startUpstreamServer,
  type UpstreamServer,
} from '../../../test/support/upstream-server.ts'
import { AnycallError } from '../../conversation/index.ts'
import { createDefaultTransport } from './default-transport.ts'
import type { ClosableTransport, HttpRequest, HttpResponse } from './transport.ts'

const node = createDefaultTransport()
const withoutUndici = () => createDefaultTransport(async () => undefined)
const transports: [name: string, transport: ClosableTransport, create: () => ClosableTransport][] = [
  ['node', node, createDefaultTransport],
  ['fetch', withoutUndici(), withoutUndici],
]
afterAll(() => node.close())

let server: UpstreamServer
afterEach(() => server?.close())

async function start(script: ServerScript): Promise<UpstreamServer> {
  server = await startUpstreamServer(script)
  return server
}

function post(url: string, more: Partial<HttpRequest> = {}): HttpRequest {
  return {
    url,
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{}',
    signal: new AbortController().signal,
    timeouts: { connectMs: 2000, firstByteMs: 0, idleMs: 0 },
    ...more,
  }
}

async function read({ body }: HttpResponse): Promise<string> {
  const chunks: Uint8Array[] = []
  for await (const chunk of body) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

/** A port on which nothing listens. */
async function freePort(): Promise<number> {
  const probe: Server = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const address = probe.address()
  probe.close()
  await once(probe, 'close')
  return typeof address === 'object' && address ? address.port : 0
}

describe.each(transports)('%s transport', (_, transport, create) => {
  const chat = (): string => `${server.url}/chat/completions`

  it('gives status, headers and body, and sends what it is given', async () => {
    await start(() => ({ type: 'status', status: 418, body: { a: 'é' }, headers: { 'x-a': '1' } }))
    const response = await transport(post(chat(), { body: '{"b":"ü"}', headers: { 'x-b': '2' } }))
    expect(response.status).toBe(418)
    expect(response.headers['x-a']).toBe('1')
    expect(await read(response)).toBe('{"a":"é"}')
    expect(server.requests[0]).toMatchObject({ body: { b: 'ü' }, headers: { 'x-b': '2' } })
  })

  it('gives a streamed body whole, and uses its connection again', async () => {
    await start(() => ({ ...says(...Array.from({ length: 300 }, (_, i) => `piece ${i} `)), splitBytes: 1000 }))
    for (let round = 0; round < 6; round++) {
      const body = await read(await transport(post(chat())))
      expect(body).toContain('piece 299 ')
      expect(body.endsWith('data: [DONE]\n\n')).toBe(true)
    }
    // undici lets a connection rest for a turn of the event loop after a response, so two take turns.
    expect(server.connections).toBeLessThanOrEqual(2)
  })

  it('does not follow redirects', async () => {
    await start(() => ({ type: 'status', status: 307, headers: { location: '/v1/models' } }))
    const response = await transport(post(chat()))
    await read(response)
    expect(response.status).toBe(307)
    expect(server.modelRequests).toHaveLength(0)
  })

  it('slows the server down when nobody reads, and loses nothing', async () => {
    const block = 'x'.repeat(1024 * 1024)
    await start(() => ({ type: 'raw', chunks: Array.from({ length: 64 }, () => block) }))
    const response = await transport(post(chat()))
    const body = response.body[Symbol.asyncIterator]()
    let length = (await body.next()).value?.length ?? 0
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(server.requests[0]?.completed).toBe(false)
    for (let chunk = await body.next(); !chunk.done; chunk = await body.next()) length += chunk.value.length
    expect(length).toBe(64 * block.length)
  })

  it.each([
    ['before the headers', { firstByteDelayMs: 60_000 }],
    ['in the body', { fault: { type: 'silence', at: 1 } as const }],
  ])('closes the connection when the signal aborts %s', async (_, reply) => {
    await start(() => ({ ...says('a', 'b'), ...reply }))
    const controller = new AbortController()
    const exchange = transport(post(chat(), { signal: controller.signal })).then(read)
    await eventually(() => expect(server.active).toBe(1))
    controller.abort()
    await expect(exchange).rejects.toMatchObject({ code: 'cancelled' })
    await eventually(() => expect(server.closedEarly).toBe(1))
  })

  it("passes an AnycallError on that is the abort's reason", async () => {
    await start(() => ({ ...says('a'), firstByteDelayMs: 60_000 }))
    const reason = new AnycallError('timeout', 'the request took too long')
    const controller = new AbortController()
    const exchange = transport(post(chat(), { signal: controller.signal }))
    await eventually(() => expect(server.active).toBe(1))
    controller.abort(reason)
    await expect(exchange).rejects.toBe(reason)
    await expect(transport(post(chat(), { signal: controller.signal }))).rejects.toBe(reason)
    expect(server.requests).toHaveLength(1)
  })

  it('closes the connection when the body is returned early', async () => {
    await start(() => ({ ...says('a', 'b'), fault: { type: 'silence', at: 1 } }))
    const { body } = await transport(post(chat()))
    for await (const chunk of body) {
      expect(chunk.length).toBeGreaterThan(0)
      break
    }
    await eventually(() => expect(server.closedEarly).toBe(1))
  })

  it('ends a waiting read when the body is returned', async () => {
    await start(() => ({ type: 'raw', chunks: ['a'], end: 'silence' }))
    const { body } = await transport(post(chat()))
    const chunks = body[Symbol.asyncIterator]()
    await chunks.next()
    const waiting = chunks.next()
    await chunks.return?.()
    await waiting.catch(() => {})
    await eventually(() => expect(server.closedEarly).toBe(1))
  })

  it('reports silence before the first byte', async () => {
    await start(() => ({ ...says('a'), firstByteDelayMs: 60_000 }))
    const timeouts = { connectMs: 2000, firstByteMs: 50, idleMs: 0 }
    const exchange = transport(post(chat(), { timeouts })).then(read)
    await expect(exchange).rejects.toMatchObject({ code: 'timeout', reason: 'first-byte-timeout' })
    await eventually(() => expect(server.closedEarly).toBe(1))
  })

  it('reports headers that no body follows as silence before the first byte', async () => {
    const bare = createServer((socket) => {
      socket.on('error', () => {})
      socket.once('data', () => socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n'))
    }).listen(0, '127.0.0.1')
    await once(bare, 'listening')
    const address = bare.address()
    const port = typeof address === 'object' && address ? address.port : 0
    const timeouts = { connectMs: 2000, firstByteMs: 50, idleMs: 60_000 }
    const exchange = transport(post(`http://127.0.0.1:${port}/`, { timeouts })).then(read)
    await expect(exchange).rejects.toMatchObject({ code: 'timeout', reason: 'first-byte-timeout' })
    bare.close()
  })

  it('reports silence in the middle', async () => {
    await start(() => ({ ...says('a', 'b'), fault: { type: 'silence', at: 1 } }))
    const timeouts = { connectMs: 2000, firstByteMs: 0, idleMs: 50 }
    const exchange = transport(post(chat(), { timeouts })).then(read)
    await expect(exchange).rejects.toMatchObject({ code: 'timeout', reason: 'idle-timeout' })
    await eventually(() => expect(server.closedEarly).toBe(1))
  })

  it('does not take a reader that pauses for a silent server', async () => {
    await start(() => says('a', 'b'))
    const response = await transport(post(chat(), { timeouts: { connectMs: 2000, firstByteMs: 0, idleMs: 500 } }))
    const body = response.body[Symbol.asyncIterator]()
    await body.next()
    await eventually(() => expect(server.requests[0]?.completed).toBe(true))
    await new Promise((resolve) => setTimeout(resolve, 600))
    await expect(read({ ...response, body: { [Symbol.asyncIterator]: () => body } })).resolves.not.toBeUndefined()
  })

  it('reports a connection that is cut', async () => {
    await start(() => ({ ...says('a', 'b'), fault: { type: 'cut', at: 1 } }))
    const exchange = transport(post(chat())).then(read)
    await expect(exchange).rejects.toMatchObject({ code: 'upstream', reason: 'cut', retryable: true })
    expect(server.closedEarly).toBe(0)
  })

  it('refuses requests after it is closed, and ends those under way', async () => {
    await start(() => ({ type: 'raw', chunks: ['a'], end: 'silence' }))
    const closed = create()
    const exchange = closed(post(chat())).then(read)
    await eventually(() => expect(server.active).toBe(1))
    await closed.close()
    await expect(exchange).rejects.toMatchObject({ reason: 'closed' })
    await expect(closed(post(chat()))).rejects.toMatchObject({ reason: 'closed' })
    const unused = create()
    await unused.close()
    await expect(unused(post(chat()))).rejects.toMatchObject({ reason: 'closed' })
    expect(server.requests).toHaveLength(1)
  })

  it('reports that nothing listens', async () => {
    const url = `http://127.0.0.1:${await freePort()}/v1`
    await expect(transport(post(url))).rejects.toMatchObject({
      code: 'upstream',
      reason: 'refused',
      retryable: true,
      message: expect.stringMatching(`nothing listens at ${url} .*Start it`),
    })
  })

  it('reports that what listens is not HTTP', async () => {
    const mute = createServer((socket) => {
      socket.on('error', () => {})
      socket.end('SSH-2.0-OpenSSH_9.6\r\n')
    }).listen(0, '127.0.0.1')
    await once(mute, 'listening')
    const address = mute.address()
    const port = typeof address === 'object' && address ? address.port : 0
    await expect(transport(post(`http://127.0.0.1:${port}/`))).rejects.toMatchObject({ reason: 'not-http' })
    mute.close()
  })
})

describe('node transport', () => {
  it('does not show a key that cannot be sent', async () => {
    const headers = { authorization: 'Bearer sk-secret\n1' }
    const error = await node(post('http://127.0.0.1:1/', { headers })).catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ code: 'internal', reason: 'bad-request' })
    expect(String(error)).not.toContain('sk-secret')
  })
})

it('chooses once, when it is prepared or asked, and not after it was closed', async () => {
  const load = vi.fn(async () => undefined)
  const transport = createDefaultTransport(load)
  expect(load).not.toHaveBeenCalled()
  await transport.prepare?.()
  expect(load).toHaveBeenCalledTimes(1)
  const { url } = await start(() => ({ type: 'status', status: 200, body: {} }))
  await read(await transport(post(`${url}/chat/completions`)))
  const closed = createDefaultTransport(load)
  await closed.close()
  await closed.prepare?.()
  expect(load).toHaveBeenCalledTimes(1)
})
