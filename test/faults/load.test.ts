import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { describe, expect, test } from 'vitest'
import { isJsonObject, type JsonObject, type JsonValue } from '../../src/conversation/index.ts'
import { isThorough, someOf } from '../support/draws.ts'
import { eventually } from '../support/eventually.ts'
import { gatewayForTest, type RunningGateway, upstreamServerForTest } from '../support/gateway-fixture.ts'
import { says } from '../support/upstream-server.ts'
import { type Api, apis, ask, everyApi, expectFailure, open, piecesOf, readUntil, send, weather } from './api.ts'

/** The text of the last message of a request to the upstream. */
function promptIn(request: JsonObject): string {
  const messages: JsonValue[] = Array.isArray(request.messages) ? request.messages : []
  const last = messages.at(-1)
  return isJsonObject(last) ? String(last.content) : ''
}

const streams = isThorough ? 200 : 40

describe(`${streams} streams at once`, () => {
  test('each client gets all of its own reply', async () => {
    const upstream = await upstreamServerForTest((request) => {
      const mark = promptIn(request)
      const text = Array.from({ length: 20 }, (_, n) => `${mark} says ${n}. `)
      const call = `<TOOL_CALL>{"name": "get_weather", "input": {"city": "${mark}é", "days": 3}}</TOOL_CALL>`
      return { ...says(...text, call.slice(0, 30), call.slice(30, 60), call.slice(60)), delayMs: 1, splitBytes: 700 }
    })
    const gateway = await gatewayForTest({ upstream: upstream.url, dialect: 'tool-call-json' })
    const asked = Array.from({ length: streams }, (_, n) => ({
      mark: `client-${n}`,
      api: everyApi[n % everyApi.length],
    }))
    await Promise.all(
      asked.map(async ({ mark, api }) => {
        if (!api) return
        const seen = await ask(gateway, api, { prompt: mark, stream: true, tools: [weather] })
        expect(seen.text.trimEnd()).toBe(Array.from({ length: 20 }, (_, n) => `${mark} says ${n}.`).join(' '))
        expect(seen.calls.map((call) => [call.name, JSON.parse(call.arguments)])).toEqual([
          ['get_weather', { city: `${mark}é`, days: 3 }],
        ])
        expect(seen).toMatchObject({ finish: api.endings.calls, ended: true })
      }),
    )
    expect(upstream.requests).toHaveLength(streams)
    expect(upstream.closedEarly).toBe(0)
    const lines = gateway.log.filter(({ event }) => event === 'request')
    expect(lines.map(({ fields }) => fields.status)).toEqual(new Array(streams).fill(200))
    expect(new Set(lines.map(({ fields }) => fields.requestId)).size).toBe(streams)
  })
})

describe.each(everyApi)('$name: the limit of concurrency', (api) => {
  test('is a 429 with Retry-After, and passes', async () => {
    const upstream = await upstreamServerForTest((_, n) =>
      n < 2 ? { ...says('Hello'), fault: { type: 'silence', at: 1 } } : says('Hello'),
    )
    const gateway = await gatewayForTest({ upstream: upstream.url, config: { limits: { concurrentRequests: 2 } } })
    const running = await Promise.all(
      [0, 1].map(async () => {
        const pieces = piecesOf(await open(gateway, api, api.request({ stream: true })))
        await readUntil(pieces, 'Hello')
        return pieces
      }),
    )
    for (const stream of [true, false]) {
      const refused = await send(gateway, api, api.request({ stream }))
      await expectFailure(gateway, api, refused, 'rate-limit', 'already serves 2 requests, its limit')
      expect(refused.headers.get('retry-after')).toBe('1')
    }
    // Requests that cost nothing are still answered.
    expect((await fetch(`${gateway.url}/health`)).status).toBe(200)
    expect((await fetch(`${gateway.url}/v1/models`)).status).toBe(200)

    await running[0]?.return()
    await eventually(() => expect(upstream.closedEarly).toBe(1))
    expect(await ask(gateway, api, { stream: true })).toMatchObject({ text: 'Hello' })
    expect(await ask(gateway, api, {})).toMatchObject({ text: 'Hello' })
    await running[1]?.return()
  })
})

describe.each(apis)('$name: the limit of concurrency', (api) => {
  test('counts those that were refused no longer', async () => {
    const gateway = await gatewayForTest({ config: { limits: { concurrentRequests: 1 } } })
    for (const body of ['{', JSON.stringify(api.request({ model: '' })), 'x'.repeat(100), null]) {
      expect((await send(gateway, api, body)).status).toBe(400)
    }
    expect((await send(gateway, api, api.request())).status).toBe(200)
  })
})

/** Pieces that are made when they are asked for, and counted. */
function countedPieces(count: number, piece: string): { pieces: string[]; readonly asked: number } {
  let asked = 0
  const pieces = new Proxy(new Array<string>(count), {
    get(target, key, receiver) {
      const index = typeof key === 'string' ? Number(key) : Number.NaN
      if (!Number.isInteger(index) || index >= count) return Reflect.get(target, key, receiver)
      asked = Math.max(asked, index + 1)
      return piece
    },
  })
  return {
    pieces,
    get asked() {
      return asked
    },
  }
}

/** Requests a stream on a connection from which nothing is read. */
async function askWithoutReading(gateway: RunningGateway, api: Api): Promise<Socket> {
  const socket = connect(Number(new URL(gateway.url).port), '127.0.0.1')
  socket.pause()
  const body = JSON.stringify(api.request({ stream: true }))
  const headers = `host: localhost\r\ncontent-length: ${body.length}\r\nconnection: close`
  socket.write(`POST ${api.path} HTTP/1.1\r\n${headers}\r\n\r\n${body}`)
  await once(socket, 'connect')
  return socket
}

/** Waits until the number is no longer growing. */
async function settled(read: () => number): Promise<number> {
  let last = -1
  for (let same = 0; same < 100; same++) {
    const now = read()
    if (now !== last || now === 0) same = 0
    last = now
    await new Promise((resolve) => setTimeout(resolve, 1))
  }
  return last
}

const pieceLength = 64 * 1024
// 29 MB. The buffers of the two connections held 5 to 11 MB where it was measured.
const pieceCount = 450

// Megabytes and seconds for each API, on the one path that all share.
describe.each(someOf(apis, apis.length))('$name: a client that does not read', (api) => {
  test('slows the upstream, and then gets everything', async () => {
    const counted = countedPieces(pieceCount, 'x'.repeat(pieceLength))
    const upstream = await upstreamServerForTest(() => ({ ...says(), pieces: counted.pieces }))
    const gateway = await gatewayForTest({ upstream: upstream.url })
    const socket = await askWithoutReading(gateway, api)
    const asked = await settled(() => counted.asked)
    expect(asked).toBeLessThan(pieceCount)

    let length = 0
    let end = ''
    for await (const bytes of socket) {
      length += bytes.length
      end = (end + bytes).slice(-1000)
    }
    expect(counted.asked).toBe(pieceCount)
    expect(length).toBeGreaterThan(pieceCount * pieceLength)
    expect(end).toContain(api.stream.closing)
    expect(upstream.closedEarly).toBe(0)
  })

  test('is let go when its time is over', async () => {
    const counted = countedPieces(pieceCount, 'x'.repeat(pieceLength))
    const upstream = await upstreamServerForTest((_, n) =>
      n === 0 ? { ...says(), pieces: counted.pieces } : says('Hello'),
    )
    const gateway = await gatewayForTest({
      upstream: upstream.url,
      config: { limits: { requestSeconds: 2, concurrentRequests: 1 } },
    })
    const socket = await askWithoutReading(gateway, api)
    await eventually(() => expect(upstream.closedEarly).toBe(1))
    const line = await eventually(() => {
      const found = gateway.log.find(({ event }) => event === 'request')
      if (!found) throw new Error('no line yet')
      return found
    })
    expect(line.fields).toMatchObject({ error: { kind: 'timeout' } })
    expect(await ask(gateway, api, {})).toMatchObject({ text: 'Hello' })
    // The connection is closed, not kept until the client may read.
    socket.resume()
    await once(socket, 'close')
  })
})
