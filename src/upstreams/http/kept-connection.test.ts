import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import { expect, it, onTestFinished } from 'vitest'
import { lawRuns } from '../../../test/support/draws.ts'
import { contextOf, generated, textOf } from '../../../test/support/upstreams/generation.ts'
import { Attempts } from '../attempts.ts'
import { createOpenAIChatUpstream } from '../openai-chat/openai-chat.ts'
import { createDefaultTransport } from '../transport/default-transport.ts'
import type { MessagesRequest } from '../upstream.ts'
import { HttpApi } from './api.ts'

/**
 * The ways in which a connection ends when it receives one request too many: at its first bytes or when it is complete,
 * with a reset or in order.
 */
const ends = ['reset at once', 'end at once', 'reset when whole', 'end when whole', 'end within the answer'] as const
type End = (typeof ends)[number]

interface Closing {
  /** The number of requests that a connection answers. */
  answers: number
  end: End
}

const models = JSON.stringify({ data: [{ id: 'm' }] })
const chunk = { choices: [{ index: 0, delta: { content: 'ok' }, finish_reason: 'stop' }] }
const stream = `data: ${JSON.stringify(chunk)}\n\ndata: [DONE]\n\n`

function responseTo(head: string): string {
  const body = head.startsWith('GET') ? models : stream
  return `HTTP/1.1 200 OK\r\ncontent-length: ${body.length}\r\nkeep-alive: timeout=60\r\n\r\n${body}`
}

/** A server that keeps its connections, and closes each when a request beyond its last one comes. `closings` are taken in turn. */
async function startClosing(closings: readonly Closing[]) {
  const seen = { requests: 0, answers: 0, connections: 0 }
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    const closing = closings[seen.connections++ % closings.length] as Closing
    sockets.add(socket)
    socket.on('error', () => {}).on('close', () => sockets.delete(socket))
    let left = closing.answers
    let text = ''
    socket.on('data', (bytes) => {
      const isFirst = text === ''
      text += bytes.toString('latin1')
      if (isFirst) seen.requests++
      if (left === 0 && closing.end.endsWith('at once')) close(socket, closing.end)
      const [head = '', body] = text.split('\r\n\r\n')
      const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0)
      if (body === undefined || body.length < length || socket.destroyed || socket.writableEnded) return
      text = ''
      if (left === 0) {
        close(socket, closing.end, responseTo(head))
        return
      }
      left--
      seen.answers++
      socket.write(responseTo(head))
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const close = (socket: Socket, end: End, response = ''): void => {
    if (end.startsWith('reset')) socket.resetAndDestroy()
    else if (end === 'end within the answer') socket.end(response.slice(0, -10))
    else socket.end()
  }
  return {
    url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`,
    seen,
    async close() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

const request: MessagesRequest = { type: 'messages', model: 'm', messages: [], sampling: {} }

/** undici lets a connection rest for a turn of the event loop before its next request. */
const rest = () => sleep(2)

const closing = (least: number, all: readonly End[] = ends) =>
  fc.record({ answers: fc.integer({ min: least, max: 3 }), end: fc.constantFrom(...all) })

it('no generation and no question fails because a kept connection is closed at the moment of the next request', async () => {
  const property = fc.asyncProperty(
    // An answer that has begun is an answer to a generation: the caller decides on repeating it.
    fc.array(
      closing(
        1,
        ends.filter((end) => end !== 'end within the answer'),
      ),
      { minLength: 1, maxLength: 4 },
    ),
    fc.array(fc.constantFrom('ask', 'generate', 'together'), { minLength: 4, maxLength: 12 }),
    async (closings, steps) => {
      const server = await startClosing(closings)
      const transport = createDefaultTransport()
      try {
        const upstream = createOpenAIChatUpstream({ name: 'local', url: server.url, transport, retries: 0 })
        const generate = async () => expect(textOf(await generated(upstream, request))).toBe('ok')
        const ask = async () => expect(await upstream.models?.()).toEqual([{ id: 'm' }])
        let asked = 0
        for (const step of steps) {
          const both = step === 'together' ? [ask(), generate(), ask()] : [step === 'ask' ? ask() : generate()]
          asked += both.length
          await Promise.all(both)
          await rest()
        }
        // None is answered twice.
        expect(server.seen.answers).toBe(asked)
      } finally {
        await transport.close()
        await server.close()
      }
    },
  )
  await fc.assert(property, { numRuns: lawRuns })
})

it('a question is asked once more wherever its connection broke', async () => {
  for (const end of ends) {
    const server = await startClosing([{ answers: 1, end }])
    const transport = createDefaultTransport()
    onTestFinished(() => transport.close().then(server.close))
    const upstream = createOpenAIChatUpstream({ name: 'local', url: server.url, transport })
    for (let round = 0; round < 5; round++) {
      expect(await upstream.models?.()).toEqual([{ id: 'm' }])
      await rest()
    }
    expect(server.seen.requests).toBeGreaterThan(5)
  }
})

it('asks a server that closes every connection twice, not more, and names it', async () => {
  const server = await startClosing([{ answers: 0, end: 'reset when whole' }])
  const transport = createDefaultTransport()
  onTestFinished(() => transport.close().then(server.close))
  const api = new HttpApi({ name: 'local', url: server.url, transport }, { path: '', endpoints: [] })
  await expect(api.ask('/props', {})).rejects.toMatchObject({
    code: 'upstream',
    message: expect.stringMatching(/^Upstream "local": .* cut/),
  })
  expect(server.seen.requests).toBe(2)
  // A generation on a new connection may have been worked on: `retries` decides.
  const upstream = createOpenAIChatUpstream({ name: 'local', url: server.url, transport, retries: 0 })
  await expect(generated(upstream, request)).rejects.toMatchObject({ retryable: true })
  expect(server.seen.requests).toBe(3)
})

it('counts both requests against the limit of attempts, and keeps to it', async () => {
  const server = await startClosing([{ answers: 1, end: 'end when whole' }])
  const transport = createDefaultTransport()
  onTestFinished(() => transport.close().then(server.close))
  const upstream = createOpenAIChatUpstream({ name: 'local', url: server.url, transport, retries: 0 })
  await upstream.models?.()
  await rest()
  const attempts = new Attempts(1)
  const asked = generated(upstream, request, contextOf({ attempts }))
  await expect(asked).rejects.toMatchObject({
    code: 'upstream',
    message: expect.stringMatching(/^Upstream "local": .* kept from/),
  })
  expect(attempts.isSpent).toBe(true)
})
