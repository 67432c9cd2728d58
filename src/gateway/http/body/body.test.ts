import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib'
import { describe, expect, test, vi } from 'vitest'
import type { GatewayRequest } from '../http.ts'
import { readJsonBody } from './body.ts'
import { HeldBytes } from './held-bytes.ts'

/** A request with this body, which counts how many of its bytes were asked for. */
function requestOf(chunks: Iterable<Uint8Array>, headers: Record<string, string> = {}) {
  const seen = { bytes: 0, isLeft: false }
  async function* body(): AsyncGenerator<Uint8Array> {
    try {
      for (const chunk of chunks) {
        seen.bytes += chunk.byteLength
        yield chunk
      }
    } finally {
      seen.isLeft = true
    }
  }
  const request: GatewayRequest = {
    method: 'POST',
    path: '/',
    header: (name) => headers[name],
    body: body(),
    onGone: () => () => {},
  }
  return { request, seen }
}

const bounds = (bytes: number) => ({ bytes, values: 100, depth: 10 })

function* endless(chunk: Uint8Array): Generator<Uint8Array> {
  for (;;) yield chunk
}

const encode = (text: string): Uint8Array => new TextEncoder().encode(text)

describe('a body past the limit', () => {
  test('is read no further than one chunk over it', async () => {
    const { request, seen } = requestOf(endless(new Uint8Array(1000)))
    await expect(readJsonBody(request, bounds(10_000))).rejects.toMatchObject({ code: 'too-large' })
    expect(seen).toEqual({ bytes: 11_000, isLeft: true })
  })

  test('is not read at all when it says so itself', async () => {
    const { request, seen } = requestOf([encode('{}')], { 'content-length': '10001' })
    await expect(readJsonBody(request, bounds(10_000))).rejects.toMatchObject({ code: 'too-large' })
    expect(seen.bytes).toBe(0)
  })

  test('a length that is no number announces nothing', async () => {
    const { request } = requestOf([encode('{}')], { 'content-length': 'many' })
    expect(await readJsonBody(request, bounds(10_000))).toEqual({})
  })

  test.each([
    [0.5 * 1024 ** 2, '0.5 MB'],
    [1049, '0.001 MB'],
    [32 * 1024 ** 2, '32 MB'],
  ])('the limit of %d bytes is told as %s', async (limit, shown) => {
    const { request } = requestOf([new Uint8Array(limit + 1)])
    await expect(readJsonBody(request, bounds(limit))).rejects.toThrow(shown)
  })
})

test('a body of exactly the limit is read', async () => {
  const { request } = requestOf([encode('{"a":'), encode('1}')])
  expect(await readJsonBody(request, bounds(7))).toEqual({ a: 1 })
})

test('a character may stand across chunks', async () => {
  const bytes = encode('{"a":"é€😀"}')
  const { request } = requestOf(Array.from(bytes, (byte) => Uint8Array.of(byte)))
  expect(await readJsonBody(request, bounds(100))).toEqual({ a: 'é€😀' })
})

test.each([
  ['no body at all', [], /no body/],
  ['empty chunks', [new Uint8Array()], /no body/],
  ['no JSON', [encode('{')], /not valid JSON/],
  ['no UTF-8', [Uint8Array.of(0x22, 0xff, 0x22)], /UTF-8/],
])('%s', async (_, chunks, message) => {
  await expect(readJsonBody(requestOf(chunks).request, bounds(100))).rejects.toMatchObject({ code: 'invalid-request' })
  await expect(readJsonBody(requestOf(chunks).request, bounds(100))).rejects.toThrow(message)
})

describe('a compressed body', () => {
  const json = encode('{"a":"é€😀"}')
  const read = (bytes: Uint8Array, coding: string, limit = 1000): Promise<unknown> => {
    const halves = [bytes.subarray(0, bytes.length / 2), bytes.subarray(bytes.length / 2)]
    return readJsonBody(requestOf(halves, { 'content-encoding': coding }).request, bounds(limit))
  }

  test.each<[string, Uint8Array]>([
    ['gzip', gzipSync(json)],
    [' GZip ', gzipSync(json)],
    ['x-gzip', gzipSync(json)],
    ['deflate', deflateSync(json)],
    ['identity', json],
    ['', json],
  ])('is unpacked: %j', async (coding, bytes) => {
    expect(await read(bytes, coding)).toEqual({ a: 'é€😀' })
  })

  test('is unpacked no further than the limit', async () => {
    const zeros = gzipSync(new Uint8Array(10_000_000))
    expect(zeros.length).toBeLessThan(10_000)
    await expect(read(zeros, 'gzip', 10_000)).rejects.toMatchObject({ code: 'too-large' })
  })

  test('is unpacked after others that are sent at once, however these end', async () => {
    const bomb = gzipSync(new Uint8Array(1_000_000))
    const broken = gzipSync(json).subarray(0, -9)
    const sent = Array.from({ length: 4 }, () => [
      read(bomb, 'gzip'),
      read(broken, 'gzip'),
      read(gzipSync(json), 'gzip'),
    ])
    const ends = await Promise.allSettled(sent.flat())
    const [tooLarge, invalid, whole] = ['too-large', 'invalid-request', undefined]
    expect(ends.map((end) => (end.status === 'rejected' ? end.reason.code : undefined))).toEqual(
      sent.flatMap(() => [tooLarge, invalid, whole]),
    )
  })

  test('is held to the limit as it comes, too', async () => {
    const { request, seen } = requestOf(endless(new Uint8Array(1000)), { 'content-encoding': 'gzip' })
    await expect(readJsonBody(request, bounds(10_000))).rejects.toMatchObject({ code: 'too-large' })
    expect(seen.bytes).toBe(11_000)
  })

  test.each<[string, string, Uint8Array]>([
    ['plain JSON', 'gzip', json],
    ['one that breaks off', 'gzip', gzipSync(json).subarray(0, -9)],
    ['another format', 'deflate', gzipSync(json)],
    ['raw deflate', 'deflate', deflateRawSync(json)],
  ])('is refused where it is %s', async (_, coding, bytes) => {
    const refused = expect(read(bytes, coding)).rejects
    await refused.toMatchObject({ code: 'invalid-request', message: expect.stringContaining(`not valid ${coding}`) })
  })

  test.each(['br', 'zstd', 'gzip, gzip'])('is refused in the coding %s, before it is read', async (coding) => {
    const { request, seen } = requestOf([brotliCompressSync(json)], { 'content-encoding': coding })
    await expect(readJsonBody(request, bounds(1000))).rejects.toMatchObject({
      code: 'unsupported-encoding',
      message: `The request's body has the content-encoding "${coding}", which is not supported. Send it uncompressed, or as gzip or deflate.`,
    })
    expect(seen.bytes).toBe(0)
  })

  test('without a byte is no body', async () => {
    await expect(read(new Uint8Array(), 'gzip')).rejects.toThrow('no body')
  })
})

test('a body that breaks off is a client that left', async () => {
  function* broken(): Generator<Uint8Array> {
    yield encode('{')
    throw Object.assign(new Error('aborted'), { code: 'ECONNRESET' })
  }
  await expect(readJsonBody(requestOf(broken()).request, bounds(100))).rejects.toMatchObject({ code: 'cancelled' })
})

describe('JSON past the bounds', () => {
  const of = (text: string, headers = {}) => readJsonBody(requestOf([encode(text)], headers).request, bounds(100_000))

  test('that has very many values is not parsed', async () => {
    const text = `{"a":[${'{},'.repeat(200)}{}]}`
    const parse = vi.spyOn(JSON, 'parse')
    try {
      await expect(of(text)).rejects.toMatchObject({
        code: 'too-large',
        message: expect.stringContaining('limits.bodyValues'),
      })
      expect(parse).not.toHaveBeenCalled()
    } finally {
      parse.mockRestore()
    }
  })

  test.each([
    ['in a field', `{"a":${'['.repeat(10)}${']'.repeat(10)}}`],
    ['as the body', `${'['.repeat(11)}${']'.repeat(11)}`],
    ['in a list', `{"tools":[${'{"a":'.repeat(9)}1${'}'.repeat(9)}]}`],
  ])('that nests too deeply %s is refused', async (_, text) => {
    await expect(of(text)).rejects.toMatchObject({
      code: 'invalid-request',
      message: expect.stringContaining('10 levels'),
    })
  })

  test('text that looks like values is one', async () => {
    const a = '[{,'.repeat(1000)
    expect(await of(JSON.stringify({ a }))).toEqual({ a })
  })
})

describe('the bytes of all bodies', () => {
  const megabyte = 1024 ** 2

  test('are held until they are let go', () => {
    const bodies = new HeldBytes(2)
    const [one, other] = [bodies.open(), bodies.open()]
    one.take(megabyte)
    other.take(megabyte)
    expect(() => one.take(1)).toThrow(/more than 2 MB, which is the gateway's limit \(limits.bodiesMegabytes\)/)
    other.release()
    one.take(1)
    expect(bodies.held).toBe(megabyte + 1)
    one.release()
    one.release()
    expect(bodies.held).toBe(0)
  })

  test('are those of the body and of what comes out of it, and no more is read than may be held', async () => {
    const packed = gzipSync(Buffer.alloc(20 * megabyte, 32))
    const bodies = new HeldBytes(4)
    const { request } = requestOf([packed], { 'content-encoding': 'gzip' })
    const read = readJsonBody(request, { ...bounds(32 * megabyte), take: bodies.open().take })
    await expect(read).rejects.toMatchObject({ code: 'rate-limit', retryAfter: 1 })
    expect(bodies.held).toBeGreaterThan(packed.length)
    expect(bodies.held).toBeLessThanOrEqual(4 * megabyte)
  })
})
