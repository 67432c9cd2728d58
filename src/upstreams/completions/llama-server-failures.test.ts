import { describe, expect, it } from 'vitest'
import { sse } from '../../../test/stand-ins/http-stand-in.ts'
import type { LlamaServerOptions } from '../../../test/stand-ins/llama-server.ts'
import { eventually } from '../../../test/support/eventually.ts'
import { contextOf, generated, promptRequest, textOf } from '../../../test/support/upstreams/generation.ts'
import { start } from '../../../test/support/upstreams/llama-server.ts'

describe('a failure', () => {
  it('while the model is loading is waited for', async () => {
    let asked = 0
    const { upstream } = await start({
      write: () => 'Fine.',
      answer: () =>
        ++asked <= 2
          ? {
              type: 'json',
              status: 503,
              body: { error: { code: 503, message: 'Loading model' } },
              headers: { 'retry-after': '0' },
            }
          : undefined,
    })
    // Asked for the props, which have no time to wait for, and then for the completion.
    expect(textOf(await generated(upstream, promptRequest('Hi')))).toBe('Fine.')
  })

  it('names the upstream when nothing listens', async () => {
    const { upstream, server } = await start({}, { retries: 0 })
    await server.close()
    await expect(generated(upstream, promptRequest('Hi'))).rejects.toMatchObject({
      code: 'upstream',
      message: expect.stringMatching(/^Upstream "local": nothing listens at/),
    })
  })

  it('of a prompt that is too long says how long', async () => {
    const { upstream } = await start({ contextLength: 3 })
    await expect(generated(upstream, promptRequest('one two three four'))).rejects.toMatchObject({
      code: 'context-length',
      message: expect.stringContaining('5 tokens > 3 maximum'),
    })
  })

  const answering = (pieces: Iterable<string | { fault: 'cut' } | { fault: 'silence' }>): LlamaServerOptions => ({
    answer: ({ path }) => (path === '/completion' ? { type: 'stream', pieces } : undefined),
  })
  const piece = sse({ index: 0, content: 'a', stop: false })

  it.each([
    ['a cut', [piece, { fault: 'cut' as const }], 'upstream', /"local"/],
    ['an end without a last event', [piece], 'upstream', /"local" was cut/],
    [
      'an error event',
      [piece, sse({ error: { code: 500, message: 'Compute error.', type: 'server_error' } })],
      'upstream',
      /"local".*Compute error/,
    ],
    // Before mid-2025: a separate SSE field.
    ['an error field', [piece, 'error: {"code":500,"message":"Compute error."}\n\n'], 'upstream', /Compute error/],
  ])('in mid-reply is thrown by the stream: %s', async (_, pieces, code, message) => {
    const { upstream } = await start(answering(pieces))
    const stream = await upstream.generate(promptRequest('Hi'), contextOf())
    let text = ''
    const read = async (): Promise<void> => {
      for await (const batch of stream) text += textOf(batch)
    }
    await expect(read()).rejects.toMatchObject({ code, message: expect.stringMatching(message) })
    expect(text).toBe('a')
  })

  it('is told with the beginning of what came when that is no completion', async () => {
    const { upstream } = await start({
      answer: ({ path }) => (path === '/completion' ? { type: 'stream', pieces: ['<html>Welcome</html>'] } : undefined),
    })
    await expect(generated(upstream, promptRequest('Hi'))).rejects.toThrow(
      /not a completion of llama-server.*<html>Welcome/,
    )
  })

  it.each(['the signal aborts', 'the stream is returned'])('is none when %s: the server is left', async (how) => {
    const { upstream, sent } = await start(answering([piece, { fault: 'silence' }]))
    const controller = new AbortController()
    const stream = await upstream.generate(promptRequest('Hi'), contextOf({ signal: controller.signal }))
    const read = async (): Promise<void> => {
      for await (const _ of stream) {
        if (how === 'the stream is returned') break
        controller.abort()
      }
    }
    if (how === 'the stream is returned') await read()
    else await expect(read()).rejects.toMatchObject({ code: 'cancelled' })
    await eventually(() => expect(sent('/completion')[0]?.closedEarly).toBe(true))
  })
})
