import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { OciReply } from '../../../test/stand-ins/oci-server.ts'
import { eventually } from '../../../test/support/eventually.ts'
import { collect, contextOf, ociForTest } from '../../../test/support/upstreams/oci.ts'
import type { MessagesRequest, UpstreamEvent } from '../upstream.ts'

const request: MessagesRequest = {
  type: 'messages',
  model: 'meta.llama-3.3-70b-instruct',
  messages: [{ role: 'user', parts: [{ type: 'text', text: 'hi' }] }],
  sampling: {},
}
const cohere: MessagesRequest = { ...request, model: 'cohere.command-r-plus' }
const says = (...pieces: string[]): OciReply => ({ type: 'reply', pieces })
const usage: UpstreamEvent = { type: 'usage', usage: { inputTokens: 40, outputTokens: 7 } }
const stop: UpstreamEvent = { type: 'finish', reason: 'stop' }
const fails = (status: number, code = 'SomeCode', message = `is ${status}`): OciReply => ({
  type: 'status',
  status,
  body: { code, message },
  headers: { 'retry-after': '0' },
})

describe.each([
  ['Generic', request],
  ['Cohere', cohere],
])('a reply in the %s format', (_, request) => {
  it('is streamed, with its end and usage', async () => {
    const { upstream } = await ociForTest([says('Hel', 'lo ✓')])
    expect(await collect(upstream.generate(request, contextOf()))).toEqual([
      { type: 'text', text: 'Hello ✓' },
      stop,
      usage,
    ])
  })

  it('comes in pieces as it is written', async () => {
    const { upstream } = await ociForTest([{ type: 'reply', pieces: ['a', 'b', 'c'], delayMs: 20 }])
    const batches: UpstreamEvent[][] = []
    for await (const batch of await upstream.generate(request, contextOf())) batches.push(batch)
    expect(batches.slice(0, 3)).toEqual(['a', 'b', 'c'].map((text) => [{ type: 'text', text }]))
  })

  it.each<[string, Partial<Extract<OciReply, { type: 'reply' }>>]>([
    ['although it is whole', { whole: true }],
    ['whose content type has parameters', { contentType: 'text/event-stream; charset=utf-8' }],
  ])('is read %s', async (_, more) => {
    const { upstream } = await ociForTest([{ type: 'reply', pieces: ['a', 'b'], ...more }])
    expect(await collect(upstream.generate(request, contextOf()))).toEqual([{ type: 'text', text: 'ab' }, stop, usage])
  })

  it('is cancelled by its signal, and by whoever reads no further', async () => {
    const silent: OciReply = { type: 'reply', pieces: ['a', 'b'], fault: { at: 1, what: 'silence' } }
    const { upstream, server } = await ociForTest([silent, silent])
    const controller = new AbortController()
    const read = async (): Promise<void> => {
      for await (const _ of await upstream.generate(request, contextOf({ signal: controller.signal })))
        controller.abort()
    }
    await expect(read()).rejects.toMatchObject({ code: 'cancelled' })
    await eventually(() => expect(server.closedEarly).toBe(1))
    for await (const _ of await upstream.generate(request, contextOf())) break
    await eventually(() => expect(server.closedEarly).toBe(2))
  })

  it('that is cut after its first piece is an error, and not asked for again', async () => {
    const { upstream, server } = await ociForTest(() => ({
      type: 'reply',
      pieces: ['a', 'b'],
      delayMs: 5,
      fault: { at: 1, what: 'cut' },
    }))
    const reading = collect(upstream.generate(request, contextOf()))
    await expect(reading).rejects.toMatchObject({
      code: 'upstream',
      message: expect.stringMatching(/"oci".*(?:cut|broke)/),
    })
    expect(server.requests).toHaveLength(1)
  })

  it('that holds an error of the service is that error', async () => {
    const data = 'data: {"code":"InternalServerError","message":"the model fell over"}\n\n'
    const { upstream } = await ociForTest([
      { type: 'reply', pieces: ['a'], delayMs: 5, fault: { at: 1, what: { data } } },
    ])
    await expect(collect(upstream.generate(request, contextOf()))).rejects.toMatchObject({
      code: 'upstream',
      message: expect.stringMatching(/^Upstream "oci".*InternalServerError: the model fell over/),
    })
  })

  it('goes on over what is none of it', async () => {
    const what = { data: 'data: oops\n\n' }
    const log = vi.fn()
    const { upstream } = await ociForTest([{ type: 'reply', pieces: ['a', 'b'], fault: { at: 1, what } }])
    const events = await collect(upstream.generate(request, contextOf({ log })))
    expect(events[0]).toEqual({ type: 'text', text: 'ab' })
    expect(log).toHaveBeenCalledWith('warn', 'upstream.malformed-event', expect.objectContaining({ upstream: 'oci' }))
  })
})

describe('the end of a reply', () => {
  it.each<['Generic' | 'Cohere', string, UpstreamEvent]>([
    ['Generic', 'stop', stop],
    ['Generic', 'STOP', stop],
    ['Generic', 'length', { type: 'finish', reason: 'length' }],
    ['Generic', 'MAX_TOKENS', { type: 'finish', reason: 'length' }],
    ['Generic', 'content_filter', { type: 'finish', reason: 'content-filter' }],
    ['Cohere', 'COMPLETE', stop],
    ['Cohere', 'MAX_TOKENS', { type: 'finish', reason: 'length' }],
    ['Cohere', 'ERROR_TOXIC', { type: 'finish', reason: 'content-filter' }],
  ])('in the %s format: %s', async (format, finishReason, finish) => {
    const { upstream } = await ociForTest([{ type: 'reply', pieces: ['a'], finishReason }])
    expect(await collect(upstream.generate(format === 'Generic' ? request : cohere, contextOf()))).toEqual([
      { type: 'text', text: 'a' },
      finish,
      usage,
    ])
  })

  it('may be a failure, which says why', async () => {
    const errorMessage = 'context window exceeded'
    const { upstream } = await ociForTest([{ type: 'reply', pieces: ['a'], finishReason: 'ERROR_LIMIT', errorMessage }])
    await expect(collect(upstream.generate(cohere, contextOf()))).rejects.toMatchObject({
      code: 'upstream',
      message: expect.stringContaining('ERROR_LIMIT: context window exceeded'),
    })
  })

  it('has the cached and the reasoning tokens where the service counts them', async () => {
    const counted = {
      promptTokens: 9,
      completionTokens: 8,
      promptTokensDetails: { cachedTokens: 5 },
      completionTokensDetails: { reasoningTokens: 3 },
    }
    const { upstream } = await ociForTest([{ type: 'reply', pieces: ['a'], reasoning: 'hm', usage: counted }])
    const events = await collect(upstream.generate(request, contextOf()))
    expect(events[0]).toEqual({ type: 'reasoning', text: 'hm' })
    expect(events.at(-1)).toEqual({
      type: 'usage',
      usage: { inputTokens: 9, outputTokens: 8, cachedTokens: 5, reasoningTokens: 3 },
    })
  })
})

describe('a failure before the first event', () => {
  it.each<[string, OciReply]>([
    ['429', fails(429, 'TooManyRequests')],
    ['500', fails(500, 'InternalServerError')],
    ['503', fails(503)],
    ['a cut', { type: 'reply', pieces: ['a'], fault: { at: 0, what: 'cut' } }],
  ])('is tried again: %s', async (_, failure) => {
    const { upstream, server } = await ociForTest([failure, says('a')])
    expect(await collect(upstream.generate(request, contextOf()))).toEqual([{ type: 'text', text: 'a' }, stop, usage])
    expect(server.requests).toHaveLength(2)
  })

  it.each([
    [400, 'invalid-request', 1],
    [401, 'authentication', 1],
    [404, 'not-found', 1],
    [429, 'rate-limit', 3],
    [500, 'upstream', 3],
  ])(
    '%i is an error of kind %s after %i requests, with the code and the id of the request',
    async (status, kind, n) => {
      const { upstream, server } = await ociForTest(() => fails(status, 'SomeCode', 'is bad'))
      await expect(upstream.generate(request, contextOf())).rejects.toMatchObject({
        code: kind,
        message: expect.stringMatching(
          new RegExp(
            `^Upstream "oci" answered ${status} and said "SomeCode: is bad \\(opc-request-id opc-of-the-server/1\\)"`,
          ),
        ),
      })
      expect(server.requests).toHaveLength(n)
    },
  )

  it('passes a long Retry-After on', async () => {
    const reply: OciReply = { type: 'status', status: 429, body: {}, headers: { 'retry-after': '60' } }
    const { upstream } = await ociForTest([reply])
    await expect(upstream.generate(request, contextOf())).rejects.toMatchObject({ code: 'rate-limit', retryAfter: 60 })
  })

  it("shows the words of the model's own server, which come as JSON in JSON", async () => {
    const { upstream } = await ociForTest([fails(400, '400', '{"message":"invalid request: no turn"}')])
    await expect(upstream.generate(cohere, contextOf())).rejects.toMatchObject({
      message: expect.stringContaining('"400: invalid request: no turn (opc-request-id'),
    })
  })

  it('is told with the beginning of what came when that is garbage', async () => {
    const { upstream, server } = await ociForTest([
      { type: 'status', status: 200, body: '<html>Welcome to nginx</html>' },
    ])
    await expect(upstream.generate(request, contextOf())).rejects.toMatchObject({
      code: 'upstream',
      message: expect.stringMatching(/^Upstream "oci" .*<html>Welcome to nginx/),
    })
    expect(server.requests).toHaveLength(1)
  })

  it('names the address where nothing listens', async () => {
    const { upstream, server } = await ociForTest([], { retries: 0, endpoint: 'http://127.0.0.1:9' })
    await expect(upstream.generate(request, contextOf())).rejects.toMatchObject({
      code: 'upstream',
      message: expect.stringMatching(
        /^Upstream "oci": nothing listens at http:\/\/127\.0\.0\.1:9\/20231130\/actions\/chat/,
      ),
    })
    expect(server.requests).toHaveLength(0)
  })

  it('may be that nothing comes', async () => {
    const timeouts = { firstByteMs: 50 }
    const { upstream, server } = await ociForTest([{ type: 'silence' }], { timeouts, retries: 0 })
    await expect(upstream.generate(request, contextOf())).rejects.toMatchObject({ code: 'timeout' })
    await eventually(() => expect(server.closedEarly).toBe(1))
  })

  it('is not printed by the SDK', async () => {
    const printed = [vi.spyOn(console, 'warn'), vi.spyOn(console, 'error'), vi.spyOn(console, 'info')]
    onTestFinished(() => {
      vi.restoreAllMocks()
    })
    const { upstream } = await ociForTest([fails(500), says('a')])
    await collect(upstream.generate(request, contextOf()))
    for (const print of printed) expect(print).not.toHaveBeenCalled()
  })

  it('is no other than cancelled where the client has left', async () => {
    const { upstream, server } = await ociForTest([says('a')])
    const signal = AbortSignal.abort()
    await expect(upstream.generate(request, contextOf({ signal }))).rejects.toMatchObject({ code: 'cancelled' })
    expect(server.requests).toHaveLength(0)
  })
})
