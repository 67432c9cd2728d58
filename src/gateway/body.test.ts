import { describe, expect, test } from 'vitest'
import { readJsonBody } from './body.ts'
import type { GatewayRequest } from './http.ts'

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

function* endless(chunk: Uint8Array): Generator<Uint8Array> {
  for (;;) yield chunk
}

const encode = (text: string): Uint8Array => new TextEncoder().encode(text)

describe('a body past the limit', () => {
  test('is read no further than one chunk over it', async () => {
    const { request, seen } = requestOf(endless(new Uint8Array(1000)))
    await expect(readJsonBody(request, 10_000)).rejects.toMatchObject({ kind: 'too-large' })
    expect(seen).toEqual({ bytes: 11_000, isLeft: true })
  })

  test('is not read at all when it says so itself', async () => {
    const { request, seen } = requestOf([encode('{}')], { 'content-length': '10001' })
    await expect(readJsonBody(request, 10_000)).rejects.toMatchObject({ kind: 'too-large' })
    expect(seen.bytes).toBe(0)
  })

  test('a length that is no number announces nothing', async () => {
    const { request } = requestOf([encode('{}')], { 'content-length': 'many' })
    expect(await readJsonBody(request, 10_000)).toEqual({})
  })

  test.each([
    [0.5 * 1024 ** 2, '0.5 MB'],
    [1049, '0.001 MB'],
    [32 * 1024 ** 2, '32 MB'],
  ])('the limit of %d bytes is told as %s', async (limit, shown) => {
    const { request } = requestOf([new Uint8Array(limit + 1)])
    await expect(readJsonBody(request, limit)).rejects.toThrow(shown)
  })
})

test('a body of exactly the limit is read', async () => {
  const { request } = requestOf([encode('{"a":'), encode('1}')])
  expect(await readJsonBody(request, 7)).toEqual({ a: 1 })
})

test('a character may stand across chunks', async () => {
  const bytes = encode('{"a":"é€😀"}')
  const { request } = requestOf(Array.from(bytes, (byte) => Uint8Array.of(byte)))
  expect(await readJsonBody(request, 100)).toEqual({ a: 'é€😀' })
})

test.each([
  ['no body at all', [], /no body/],
  ['empty chunks', [new Uint8Array()], /no body/],
  ['no JSON', [encode('{')], /not valid JSON/],
  ['no UTF-8', [Uint8Array.of(0x22, 0xff, 0x22)], /UTF-8/],
])('%s', async (_, chunks, message) => {
  await expect(readJsonBody(requestOf(chunks).request, 100)).rejects.toMatchObject({ kind: 'invalid-request' })
  await expect(readJsonBody(requestOf(chunks).request, 100)).rejects.toThrow(message)
})

test('a body that breaks off is a client that left', async () => {
  function* broken(): Generator<Uint8Array> {
    yield encode('{')
    throw Object.assign(new Error('aborted'), { code: 'ECONNRESET' })
  }
  await expect(readJsonBody(requestOf(broken()).request, 100)).rejects.toMatchObject({ kind: 'cancelled' })
})
