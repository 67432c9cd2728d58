import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import OpenAI from 'openai'
import { describe, expect, onTestFinished, test } from 'vitest'
import { isJsonObject, type JsonObject } from '../../src/conversation/index.ts'
import { eventually } from '../support/eventually.ts'
import { gatewayForTest, type RunningGateway, upstreamServerForTest } from '../support/gateway-fixture.ts'
import { says } from '../support/upstream-server.ts'
import { noValkey, startValkey, type ValkeyServer } from '../support/valkey-server.ts'

const [ours, theirs] = ['key-of-one-client', 'key-of-another']

async function valkeyForTest(): Promise<ValkeyServer> {
  const server = await startValkey()
  onTestFinished(() => server.close())
  return server
}

/** A gateway whose store is a server, and the last request to its model. */
async function gatewayWith(store: string, timeout = 10): Promise<RunningGateway & { asked(): unknown }> {
  const upstream = await upstreamServerForTest(() => says('Hello.'))
  const config = { keys: [ours, theirs], responses: { store, timeout } }
  const gateway = await gatewayForTest({ upstream: upstream.url, config })
  return { ...gateway, asked: () => upstream.requests.at(-1)?.body.messages }
}

interface Got {
  status: number
  body: JsonObject
  retryAfter: string | null
}

async function ask(gateway: RunningGateway, path: string, body?: JsonObject, key = ours): Promise<Got> {
  const response = await fetch(`${gateway.openaiUrl}/responses${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { authorization: `Bearer ${key}` },
    ...(body && { body: JSON.stringify({ model: 'm', ...body }) }),
  })
  const text = await response.text()
  const value: unknown = body?.stream === true && response.ok ? lastResponse(text) : JSON.parse(text)
  return {
    status: response.status,
    body: isJsonObject(value) ? value : {},
    retryAfter: response.headers.get('retry-after'),
  }
}

/** The response in the last event of a stream. */
function lastResponse(stream: string): unknown {
  const data = stream.trim().split('\n').at(-1)?.slice('data: '.length) ?? ''
  const event: unknown = JSON.parse(data)
  return isJsonObject(event) ? event.response : undefined
}

const events = (gateway: RunningGateway): string[] =>
  gateway.log.filter(({ event }) => event.startsWith('responses-store.')).map(({ event }) => event)

const unavailable = { status: 503, retryAfter: '1', body: { error: { type: 'server_error' } } }

describe.skipIf(noValkey !== undefined)(`responses in Valkey${noValkey === undefined ? '' : ` (${noValkey})`}`, () => {
  test('what one gateway has answered, whole or streamed, another continues', async () => {
    const server = await valkeyForTest()
    const [first, second] = [await gatewayWith(server.url), await gatewayWith(server.url)]
    const whole = await ask(first, '', { input: 'My name is Ada.' })
    const streamed = await ask(second, '', {
      input: 'Who am I?',
      previous_response_id: whole.body.id ?? null,
      stream: true,
    })
    expect(JSON.stringify(second.asked())).toMatch(/My name is Ada\..*Hello\..*Who am I\?/)
    expect(await ask(first, `/${streamed.body.id}`)).toMatchObject({ status: 200, body: streamed.body })
    expect(await ask(first, `/${streamed.body.id}/input_items`)).toMatchObject({
      status: 200,
      body: { object: 'list' },
    })
    const [item] = Array.isArray(whole.body.output) ? whole.body.output : []
    const reference = { type: 'item_reference', id: isJsonObject(item) ? (item.id ?? null) : null }
    await ask(second, '', { input: [reference, { role: 'user', content: 'Again.' }] })
    expect(JSON.stringify(second.asked())).toMatch(/Hello\..*Again\./)
  })

  test('a conversation that one gateway changes is changed for another', async () => {
    const server = await valkeyForTest()
    const [first, second] = [await gatewayWith(server.url), await gatewayWith(server.url)].map(
      ({ openaiUrl }) => new OpenAI({ baseURL: openaiUrl, apiKey: ours, maxRetries: 0 }).conversations,
    )
    if (!first || !second) throw new Error('two gateways were made')
    const { id } = await first.create({})
    const items = (['One.', 'Two.'] as const).map((content) => ({ role: 'user' as const, content }))
    const { data } = await second.items.create(id, { items })
    await first.items.delete(data[0]?.id ?? '', { conversation_id: id })
    await first.update(id, { metadata: { topic: 'numbers' } })
    expect((await second.items.list(id)).data).toEqual(data.slice(1))
    expect(await second.retrieve(id)).toMatchObject({ metadata: { topic: 'numbers' } })
  })

  test('a client finds only its own', async () => {
    const server = await valkeyForTest()
    const [first, second] = [await gatewayWith(server.url), await gatewayWith(server.url)]
    const { id = null } = (await ask(first, '', { input: 'A secret.' })).body
    for (const gateway of [first, second]) {
      expect((await ask(gateway, `/${id}`, undefined, theirs)).status).toBe(404)
      expect((await ask(gateway, '', { input: 'x', previous_response_id: id }, theirs)).status).toBe(400)
      expect((await ask(gateway, '', { input: 'x', previous_response_id: id }, ours)).status).toBe(200)
    }
  })

  test('without the server what needs it is refused and the rest is served; after a restart all is there again', async () => {
    const server = await valkeyForTest()
    const gateway = await gatewayWith(server.url)
    const { id = null } = (await ask(gateway, '', { input: 'My name is Ada.' })).body
    await server.stop()
    // The connection is awaited, for a short time here.
    const impatient = await gatewayWith(server.url, 0.05)
    for (const one of [impatient]) {
      expect(await ask(one, `/${id}`)).toMatchObject(unavailable)
      expect(await ask(one, `/${id}/input_items`)).toMatchObject(unavailable)
      expect(await ask(one, `/${id}/cancel`, {})).toMatchObject(unavailable)
      expect(await ask(one, '', { input: 'x', previous_response_id: id })).toMatchObject(unavailable)
      expect(await ask(one, '', { input: [{ type: 'item_reference', id: 'msg_1' }] })).toMatchObject(unavailable)
    }
    for (const one of [gateway, impatient]) {
      expect((await ask(one, '', { input: 'x' })).status).toBe(200)
      expect(await ask(one, '', { input: 'x', stream: true })).toMatchObject({
        status: 200,
        body: { status: 'completed' },
      })
      expect((await ask(one, '', { input: 'x', store: false })).status).toBe(200)
      expect(events(one)).toEqual(['responses-store.failed'])
    }
    await server.start()
    for (const one of [gateway, impatient]) {
      await eventually(() => expect(events(one)).toEqual(['responses-store.failed', 'responses-store.restored']))
      expect((await ask(one, '', { input: 'Who am I?', previous_response_id: id })).status).toBe(200)
      expect(JSON.stringify(one.asked())).toContain('My name is Ada.')
    }
  })
})

test('a server that does not answer is given up after its time', async () => {
  const sockets: Socket[] = []
  const silent = createServer((socket) => void sockets.push(socket.on('error', () => {}))).listen(0, '127.0.0.1')
  await once(silent, 'listening')
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    silent.close()
  })
  const address = silent.address()
  const port = isJsonObject(address) ? address.port : 0
  const gateway = await gatewayWith(`redis://user:hidden@127.0.0.1:${port}`, 0.05)
  const refused = await ask(gateway, '', { input: 'x', previous_response_id: 'resp_1' })
  expect(refused).toMatchObject(unavailable)
  expect(JSON.stringify(refused.body)).toContain(`127.0.0.1:${port} (responses.store)`)
  expect(JSON.stringify([refused.body, gateway.log])).not.toContain('hidden')
  expect((await ask(gateway, '', { input: 'x' })).status).toBe(200)
  expect(events(gateway)).toEqual(['responses-store.failed'])
})
