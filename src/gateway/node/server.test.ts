import { once } from 'node:events'
import { connect } from 'node:net'
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { eventually } from '../../../test/support/eventually.ts'
import type { EventStreamBody, GatewayRequest, GatewayResponse } from '../http/http.ts'
import { listen, type RunningServer } from './server.ts'

afterEach(() => {
  vi.useRealTimers()
})

type Handle = (request: GatewayRequest) => Promise<GatewayResponse>

async function serving(handle: Handle, close = async () => {}): Promise<RunningServer> {
  const server = await listen({ handle, close, requiresKey: false }, { port: 0 })
  onTestFinished(() => server.close())
  return server
}

const text = (body: string): GatewayResponse => ({ status: 200, headers: { 'content-type': 'text/plain' }, body })

function stream(chunks: AsyncIterable<string>, more: Partial<EventStreamBody> = {}): GatewayResponse {
  const signal = new AbortController().signal
  return {
    status: 200,
    headers: { 'content-type': 'text/event-stream' },
    body: { chunks, ping: () => 'ping;', pingMs: 60_000, signal, ...more },
  }
}

describe('a request', () => {
  test('reaches the gateway as it came', async () => {
    const seen: unknown[] = []
    const server = await serving(async (request) => {
      let body = ''
      for await (const chunk of request.body ?? []) body += Buffer.from(chunk).toString()
      seen.push([request.method, request.path, request.header('x-a'), request.header('x-b'), body])
      return text('ok')
    })
    const headers: [string, string][] = [
      ['X-A', 'one'],
      ['x-a', 'two'],
    ]
    const response = await fetch(`${server.url}/a%20b?c=d?e`, { method: 'PUT', headers, body: 'hello' })
    expect(await response.text()).toBe('ok')
    expect(response.headers.get('content-length')).toBe('2')
    expect(seen).toEqual([['PUT', '/a%20b', 'one, two', undefined, 'hello']])
  })

  test.each([
    ['http://other.test:81/a%20b?c=d', '/a%20b', 'other.test:81'],
    ['HTTPS://other.test?c=d', '/', 'other.test'],
    ['http://other.test', '/', 'other.test'],
    ['/http://other.test/a', '/http://other.test/a', 'here.test'],
    ['*', '*', 'here.test'],
  ])('for %s reaches the gateway as one for %s at %s', async (target, path, host) => {
    const server = await serving(async (request) => text(`[${request.path} ${request.header('host')}]`))
    const socket = connect(server.port, '127.0.0.1')
    socket.write(`OPTIONS ${target} HTTP/1.1\r\nhost: here.test\r\nconnection: close\r\n\r\n`)
    let seen = ''
    for await (const data of socket) seen += String(data)
    expect(seen).toContain(`[${path} ${host}]`)
  })

  test('for the head of something has no body', async () => {
    const server = await serving(async () => text('hello'))
    const response = await fetch(server.url, { method: 'HEAD' })
    expect([response.status, response.headers.get('content-length'), await response.text()]).toEqual([200, '5', ''])
  })

  test('whose body nobody read leaves the connection to the next', async () => {
    const server = await serving(async (request) => text(request.path))
    for (const path of ['/a', '/b']) {
      expect(await (await fetch(server.url + path, { method: 'POST', body: 'x'.repeat(300_000) })).text()).toBe(path)
    }
  })

  test('that breaks the gateway costs its connection, not the server', async () => {
    const server = await serving(async ({ path }) => {
      if (path === '/broken') throw new Error('broken')
      return text('ok')
    })
    await expect(fetch(`${server.url}/broken`)).rejects.toThrow()
    expect(await (await fetch(server.url)).text()).toBe('ok')
  })
})

describe('requests that a client sends before the first is answered', () => {
  const get = (path: string): string => `GET ${path} HTTP/1.1\r\nhost: localhost\r\n\r\n`

  test('are begun in turn, and answered in order', async () => {
    const begun: string[] = []
    const answers: (() => void)[] = []
    const server = await serving(async ({ path }) => {
      begun.push(path)
      await new Promise<void>((resolve) => answers.push(resolve))
      return text(`[${path}]`)
    })
    const socket = connect(server.port, '127.0.0.1')
    let seen = ''
    socket.on('data', (data) => {
      seen += String(data)
    })
    socket.write(get('/a') + get('/b') + get('/c'))
    for (const [n, path] of ['/a', '/b', '/c'].entries()) {
      await eventually(() => expect(begun.at(-1)).toBe(path))
      expect(begun).toHaveLength(n + 1)
      answers[n]?.()
      await eventually(() => expect(seen.endsWith(`[${path}]`)).toBe(true))
    }
    socket.destroy()
  })

  test('are not begun once it is gone', async () => {
    const begun: string[] = []
    const gone: string[] = []
    let answer: () => void = () => {}
    const server = await serving(async (request) => {
      begun.push(request.path)
      request.onGone(() => gone.push(request.path))
      await new Promise<void>((resolve) => {
        answer = resolve
      })
      return text('late')
    })
    const socket = connect(server.port, '127.0.0.1')
    socket.write(get('/a') + get('/b').repeat(50))
    await eventually(() => expect(begun).toEqual(['/a']))
    socket.destroy()
    await eventually(() => expect(gone).toEqual(['/a']))
    answer()
    for (let turn = 0; turn < 10; turn++) await new Promise(setImmediate)
    expect(begun).toEqual(['/a'])
  })

  test('end the connection where they are more than any client sends', async () => {
    const gone: string[] = []
    const server = await serving(async (request) => {
      request.onGone(() => gone.push(request.path))
      return request.path === '/quick' ? text('ok') : new Promise(() => {})
    })
    const socket = connect(server.port, '127.0.0.1')
    // Answered requests no longer wait.
    socket.write(get('/quick').repeat(90))
    let seen = ''
    while (seen.split('200 OK').length <= 90) seen += String(await once(socket, 'data'))
    socket.write(get('/a') + get('/b').repeat(100))
    for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate)
    expect(gone).toEqual([])
    socket.on('error', () => {})
    socket.write(get('/c'))
    await once(socket, 'close')
    await eventually(() => expect(gone).toEqual(['/a']))
  })
})

test('a response that cannot be sent is over as well', async () => {
  const sent = vi.fn()
  const server = await serving(async () => ({ ...text('ok'), headers: { 'x-line': 'a\nb' }, sent }))
  await expect(fetch(server.url)).rejects.toThrow()
  expect(sent).toHaveBeenCalledOnce()
})

describe('a stream', () => {
  test('goes out as it is made', async () => {
    let next: (text: string) => void = () => {}
    async function* chunks(): AsyncGenerator<string> {
      yield 'first;'
      yield await new Promise<string>((resolve) => {
        next = resolve
      })
    }
    const server = await serving(async () => stream(chunks()))
    const reader = (await fetch(server.url)).body?.pipeThrough(new TextDecoderStream()).getReader()
    expect(await reader?.read()).toEqual({ done: false, value: 'first;' })
    next('second;')
    expect(await reader?.read()).toEqual({ done: false, value: 'second;' })
    expect((await reader?.read())?.done).toBe(true)
  })

  test('that is silent has pings, one that is not has none', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    let next: (text: string) => void = () => {}
    async function* chunks(): AsyncGenerator<string> {
      for (let n = 0; n < 3; n++) {
        yield `${n};`
        // Within the time of a ping.
        vi.advanceTimersByTime(600)
      }
      yield await new Promise<string>((resolve) => {
        next = resolve
      })
    }
    const server = await serving(async () => stream(chunks(), { pingMs: 1000 }))
    const pieces = (await fetch(server.url)).body?.pipeThrough(new TextDecoderStream())
    let seen = ''
    for await (const piece of pieces ?? []) {
      seen += piece
      if (seen.endsWith('2;')) vi.advanceTimersByTime(3000)
      if (seen.endsWith('ping;')) next('end;')
    }
    expect(seen).toMatch(/^0;1;2;(ping;)+end;$/)
    expect(vi.getTimerCount()).toBe(0)
  })

  test('whose client leaves is made no further', async () => {
    let isLeft = false
    let made = 0
    const client = new AbortController()
    async function* chunks(): AsyncGenerator<string> {
      try {
        for (;;) {
          made++
          yield 'x'.repeat(10_000)
          await new Promise(setImmediate)
        }
      } finally {
        isLeft = true
      }
    }
    const server = await serving(async (request) => {
      request.onGone(() => client.abort())
      return stream(chunks(), { signal: client.signal })
    })
    const reader = (await fetch(server.url)).body?.getReader()
    await reader?.read()
    await reader?.cancel()
    await eventually(() => expect(isLeft).toBe(true))
    expect(client.signal.aborted).toBe(true)
    const before = made
    for (let turn = 0; turn < 10; turn++) await new Promise(setImmediate)
    expect(made).toBe(before)
  })

  test('that breaks in the middle cuts the connection, so that nobody takes it for whole', async () => {
    async function* chunks(): AsyncGenerator<string> {
      yield 'first;'
      throw new Error('broken')
    }
    const server = await serving(async () => stream(chunks()))
    await expect(fetch(server.url).then((response) => response.text())).rejects.toThrow()
  })
})

describe('closing', () => {
  async function* open(): AsyncGenerator<string> {
    yield 'first;'
    await new Promise(() => {})
  }

  test('cuts what still runs when the grace is over', async () => {
    const server = await serving(async () => stream(open()))
    const response = await fetch(server.url)
    const rest = response.text()
    await server.close(1)
    await expect(rest).rejects.toThrow()
    await expect(fetch(server.url)).rejects.toThrow()
  })

  test('has the gateway tell the clients when the grace is over', async () => {
    let stop: () => void = () => {}
    async function* until(stopped: Promise<void>): AsyncGenerator<string> {
      yield 'first;'
      await stopped
      yield 'stopped;'
    }
    const stopped = new Promise<void>((resolve) => {
      stop = resolve
    })
    const server = await serving(
      async () => stream(until(stopped)),
      async () => stop(),
    )
    const response = await fetch(server.url)
    const rest = response.text()
    await server.close(1)
    expect(await rest).toBe('first;stopped;')
  })

  test('lets what runs come to its end within the grace', async () => {
    let finish: () => void = () => {}
    async function* slow(): AsyncGenerator<string> {
      yield 'first;'
      await new Promise<void>((resolve) => {
        finish = resolve
      })
      yield 'last;'
    }
    const server = await serving(async () => stream(slow()))
    const response = await fetch(server.url)
    const closed = server.close(10_000)
    finish()
    expect(await response.text()).toBe('first;last;')
    await closed
  })

  test('does not wait for connections that nobody uses', async () => {
    const server = await serving(async () => text('ok'))
    const socket = connect(server.port, '127.0.0.1')
    socket.write('GET / HTTP/1.1\r\nhost: localhost\r\n\r\n')
    await once(socket, 'data')
    const ended = once(socket, 'close')
    await server.close(10_000)
    await ended
  })

  test('does not wait for connections that are opened in advance, and not yet used', async () => {
    let gone: () => void = () => {}
    const isGone = new Promise<void>((resolve) => {
      gone = resolve
    })
    // The handler's answer proves that both connections have been accepted.
    const server = await serving(async () => text('ok'))
    const unused = connect(server.port, '127.0.0.1')
    unused.on('error', () => {}).once('close', gone)
    await once(unused, 'connect')
    await (await fetch(server.url)).text()
    // Longer than a test may take: closing that waits for the grace fails.
    await server.close(600_000)
    await isGone
  })
})
