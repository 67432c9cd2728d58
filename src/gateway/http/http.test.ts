import { afterEach, describe, expect, test, vi } from 'vitest'
import { type EventStreamBody, fromWebRequest, toWebResponse } from './http.ts'

afterEach(() => {
  vi.useRealTimers()
})

const never = new AbortController().signal

/** A stream of these chunks; the last may be a promise that stays open. */
function streamOf(chunks: Iterable<string | Promise<string>>) {
  const seen = { made: 0, isLeft: false, left: 0 }
  async function* make(): AsyncGenerator<string> {
    try {
      for (const chunk of chunks) {
        seen.made++
        yield await chunk
      }
    } finally {
      seen.isLeft = true
    }
  }
  const body: EventStreamBody = { chunks: make(), ping: () => ': ping\n\n', pingMs: 1000, signal: never }
  const response = toWebResponse({ status: 200, headers: { 'x-a': 'b' }, body }, () => {
    seen.left++
  })
  return { response, seen }
}

describe('a response', () => {
  test('with a text', async () => {
    const response = toWebResponse({ status: 404, headers: { 'x-a': 'b' }, body: '{"a":1}' }, () => {})
    expect([response.status, response.headers.get('x-a'), await response.text()]).toEqual([404, 'b', '{"a":1}'])
  })

  test('with nothing', async () => {
    const response = toWebResponse({ status: 204, headers: {}, body: '' }, () => {})
    expect(response.body).toBeNull()
  })

  test('with a stream', async () => {
    const { response, seen } = streamOf(['data: é\n\n', 'data: 2\n\n'])
    expect([response.status, response.headers.get('x-a')]).toEqual([200, 'b'])
    expect(await response.text()).toBe('data: é\n\ndata: 2\n\n')
    expect(seen).toMatchObject({ isLeft: true, left: 0 })
  })
})

test('a stream is made as it is read', async () => {
  function* endless(): Generator<string> {
    for (let n = 0; ; n++) yield `${n},`
  }
  const { response, seen } = streamOf(endless())
  const reader = response.body?.getReader()
  for (let n = 0; n < 3; n++) await reader?.read()
  for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate)
  expect(seen.made).toBeLessThan(6)
  await reader?.cancel()
  expect(seen).toMatchObject({ isLeft: true, left: 1 })
})

test('a reader that cancels while nothing comes is told to whoever makes the stream', async () => {
  let release: (text: string) => void = () => {}
  const { response, seen } = streamOf([
    'first',
    new Promise<string>((resolve) => {
      release = resolve
    }),
  ])
  const reader = response.body?.getReader()
  await reader?.read()
  const cancelled = reader?.cancel()
  expect(seen.left).toBe(1)
  // The upstream call ends when the upstream receives the signal.
  release('second')
  await cancelled
  expect(seen.isLeft).toBe(true)
})

test('pings keep a silent stream open', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  let release: (text: string) => void = () => {}
  const { response } = streamOf([
    'first;',
    new Promise<string>((resolve) => {
      release = resolve
    }),
  ])
  const text = response.text()
  await new Promise(setImmediate)
  vi.advanceTimersByTime(2000)
  release('last;')
  expect(await text).toBe('first;: ping\n\n: ping\n\nlast;')
  expect(vi.getTimerCount()).toBe(0)
})

describe('a request', () => {
  test('is read as the gateway needs it', async () => {
    const web = new Request('http://localhost/v1/messages%2F?beta=true', {
      method: 'POST',
      headers: { 'X-Api-Key': 'k' },
      body: 'hello',
    })
    const request = fromWebRequest(web, never)
    expect([request.method, request.path]).toEqual(['POST', '/v1/messages%2F'])
    expect([request.header('x-api-key'), request.header('accept')]).toEqual(['k', undefined])
    let body = ''
    for await (const chunk of request.body ?? []) body += new TextDecoder().decode(chunk)
    expect(body).toBe('hello')
  })

  test('without a body has none', () => {
    expect(fromWebRequest(new Request('http://localhost/'), never).body).toBeUndefined()
  })

  test('that is left in its body cancels the rest', async () => {
    let isCancelled = false
    const body = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(new Uint8Array(10)),
      cancel: () => {
        isCancelled = true
      },
    })
    const init: RequestInit & { duplex: 'half' } = { method: 'POST', body, duplex: 'half' }
    const request = fromWebRequest(new Request('http://localhost/', init), never)
    for await (const _ of request.body ?? []) break
    expect(isCancelled).toBe(true)
  })

  test.each(['its own signal', 'its reader'])('ends by %s', (way) => {
    const client = new AbortController()
    const left = new AbortController()
    const request = fromWebRequest(new Request('http://localhost/', { signal: client.signal }), left.signal)
    const told: string[] = []
    request.onGone(() => told.push('gone'))
    request.onGone(() => told.push('taken back'))()
    expect(told).toEqual([])
    if (way === 'its reader') left.abort()
    else client.abort()
    expect(told).toEqual(['gone'])
    request.onGone(() => told.push('gone before'))
    expect(told).toEqual(['gone', 'gone before'])
  })
})
