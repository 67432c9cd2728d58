import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { coveringTests } from '../support/covering-tests.ts'
import { eventually } from '../support/eventually.ts'
import { type RunningGateway, startGateway } from '../support/gateway-fixture.ts'
import { type Answer, type Api, everyApi, expectFailure, send } from './api.ts'

const megabyte = 1024 ** 2
const limit = 4

let gateway: RunningGateway
beforeAll(async () => {
  gateway = await startGateway({ config: { limits: { bodyMegabytes: limit } } })
})
afterAll(() => gateway.close())

const tooLarge = 'body is larger than 4 MB; send less, or raise limits.bodyMegabytes'

/** A connection on which a request has begun. */
async function begin(api: Api, headers: Record<string, string>): Promise<Socket> {
  const socket = connect(Number(new URL(gateway.url).port), '127.0.0.1')
  await once(socket, 'connect')
  const lines = Object.entries({ host: '127.0.0.1', ...api.headers, ...headers })
  socket.write(`POST ${api.path} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`)
  return socket
}

/** Reads the answer on a connection up to the end of its body. */
async function readAnswer(socket: Socket): Promise<Answer> {
  let bytes = Buffer.alloc(0)
  for await (const chunk of socket) {
    bytes = Buffer.concat([bytes, chunk])
    const [head = '', text] = bytes.toString().split('\r\n\r\n')
    const [first = '', ...lines] = head.split('\r\n')
    const headers = new Headers(
      lines.map((line): [string, string] => [line.split(': ')[0] ?? '', line.split(': ')[1] ?? '']),
    )
    if (text !== undefined && Buffer.byteLength(text) === Number(headers.get('content-length'))) {
      socket.destroy()
      return { status: Number(first.split(' ')[1]), headers, text }
    }
  }
  throw new Error(`the connection was closed before the answer was whole: ${bytes}`)
}

/** Posts zeros as blocking clients do: reads the answer only when the whole body is sent. */
async function postZeros(api: Api, bytes: number, headers: Record<string, string>): Promise<Answer> {
  const isChunked = headers['transfer-encoding'] === 'chunked'
  const socket = await begin(api, headers)
  socket.pause()
  const zeros = Buffer.alloc(64 * 1024)
  const piece = isChunked
    ? Buffer.concat([Buffer.from(`${zeros.length.toString(16)}\r\n`), zeros, Buffer.from('\r\n')])
    : zeros
  for (let sent = 0; sent < bytes; sent += zeros.length) if (!socket.write(piece)) await once(socket, 'drain')
  if (isChunked) socket.write('0\r\n\r\n')
  return readAnswer(socket)
}

const size = 50 * megabyte

const testsOf = coveringTests(everyApi, 3)

describe.each(everyApi)('$name', (api) => {
  const test = testsOf(api)
  test.each<[string, Record<string, string>]>([
    ['announced', { 'content-length': String(size) }],
    ['in chunks', { 'transfer-encoding': 'chunked' }],
    ['announced, on a connection for one request', { 'content-length': String(size), connection: 'close' }],
    ['in chunks, on a connection for one request', { 'transfer-encoding': 'chunked', connection: 'close' }],
  ])('50 MB, %s', async (_, headers) => {
    await expectFailure(gateway, api, await postZeros(api, size, headers), 'too-large', tooLarge)
  })

  test('a body within the limit is read', async () => {
    const prompt = 'x'.repeat(limit * megabyte - 1000)
    expect((await send(gateway, api, api.request({ prompt }))).status).toBe(200)
    const longer = 'x'.repeat(limit * megabyte + 1)
    await expectFailure(gateway, api, await send(gateway, api, api.request({ prompt: longer })), 'too-large', tooLarge)
  })

  test('the refusal of an announced body does not wait for it', async () => {
    const socket = await begin(api, { 'content-length': String(size) })
    socket.write('{')
    await expectFailure(gateway, api, await readAnswer(socket), 'too-large', tooLarge)
  })
})

test.each(everyApi)('$name: a body that breaks off is a client that left, not a failure inside', async (api) => {
  const before = gateway.log.length
  const socket = await begin(api, { 'content-length': '1000' })
  await new Promise((resolve) => socket.write('{"model": ', resolve))
  socket.destroy()
  const line = await eventually(() => {
    const found = gateway.log.slice(before).find(({ event }) => event === 'request')
    if (!found) throw new Error('no line yet')
    return found
  })
  expect(line.level).toBe('info')
  expect(line.fields).toMatchObject({ status: 499, error: { kind: 'cancelled' } })
})
