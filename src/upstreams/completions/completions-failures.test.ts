import { describe, expect, it } from 'vitest'
import { sse } from '../../../test/stand-ins/http-stand-in.ts'
import { eventually } from '../../../test/support/eventually.ts'
import { anyText, engines, onCompletions, startEngine } from '../../../test/support/upstreams/completions.ts'
import { contextOf, generated, promptRequest, textOf } from '../../../test/support/upstreams/generation.ts'
import type { Constraint } from '../upstream.ts'

describe.each(engines)('$name: a structural tag that the engine refuses', (engine) => {
  it('is left out, with a notice, and not sent again', async () => {
    const { upstream, sent } = await startEngine(engine, { write: () => 'Fine.' })
    const broken: Constraint = {
      type: 'structural-tag',
      tag: { tag: { type: 'structural_tag', format: {} }, widened: [] },
    }
    // A value that the stand-in does not accept as a tag.
    Object.assign(broken.tag.tag, { format: 'none' })
    for (const _ of [1, 2]) {
      const events = await generated(upstream, promptRequest('Hi', { constraint: broken }))
      expect(events[0]).toMatchObject({ type: 'notice', notice: { code: 'constraint-refused' } })
      expect(textOf(events)).toBe('Fine.')
    }
    const constrained = sent('/v1/completions').map(
      ({ body }) => 'structured_outputs' in body || 'response_format' in body,
    )
    expect(constrained).toEqual([true, false, false])
  })

  it('may be refused within the stream, before any text', async () => {
    const error = {
      object: 'error',
      message: 'Failed to compile structural_tag grammar: x',
      type: 'BadRequest',
      code: 400,
    }
    const { upstream } = await startEngine(engine, {
      write: () => 'Fine.',
      answer: onCompletions(({ body }) =>
        'structured_outputs' in body || 'response_format' in body
          ? { type: 'stream', pieces: [sse({ error }), 'data: [DONE]\n\n'] }
          : undefined,
      ),
    })
    const events = await generated(upstream, promptRequest('Hi', { constraint: anyText }))
    expect(events[0]).toMatchObject({ notice: { message: expect.stringContaining('Failed to compile') } })
    expect(textOf(events)).toBe('Fine.')
  })
})

describe.each(engines)('$name: a failure', (engine) => {
  const chunk = (text: string, finish: string | null = null): string =>
    sse({ object: 'text_completion', choices: [{ index: 0, text, finish_reason: finish }] })

  it('before the first event is tried again', async () => {
    let asked = 0
    const { upstream } = await startEngine(engine, {
      write: () => 'Fine.',
      answer: onCompletions(() =>
        ++asked === 1 ? { type: 'json', status: 503, body: 'loading', headers: { 'retry-after': '0' } } : undefined,
      ),
    })
    expect(textOf(await generated(upstream, promptRequest('Hi')))).toBe('Fine.')
  })

  it('names the upstream when nothing listens', async () => {
    const { upstream, server } = await startEngine(engine, {}, { retries: 0 })
    await server.close()
    await expect(generated(upstream, promptRequest('Hi'))).rejects.toThrow(/^Upstream "local": nothing listens at/)
  })

  it('of a model that is not there says so', async () => {
    const { upstream } = await startEngine(engine, {
      answer: () => engine.refuse('The model `other` does not exist.', 404),
    })
    await expect(generated(upstream, promptRequest('Hi'))).rejects.toMatchObject({
      code: 'not-found',
      message: expect.stringContaining('The model `other` does not exist.'),
    })
  })

  it.each([
    ['a cut', [chunk('a'), { fault: 'cut' as const }], /"local"/],
    ['an end without a finish reason', [chunk('a')], /was cut/],
    ['an error chunk', [chunk('a'), sse({ error: { message: 'CUDA error', code: 500 } })], /CUDA error/],
    ['a generation that was given up', [chunk('a'), chunk('', 'abort')], /gave up .*"abort"/],
  ])('in mid-reply is thrown by the stream: %s', async (_, pieces, message) => {
    const { upstream } = await startEngine(engine, { answer: onCompletions(() => ({ type: 'stream', pieces })) })
    const stream = await upstream.generate(promptRequest('Hi'), contextOf())
    let text = ''
    const read = async (): Promise<void> => {
      for await (const batch of stream) text += textOf(batch)
    }
    await expect(read()).rejects.toMatchObject({ code: 'upstream', message: expect.stringMatching(message) })
    expect(text).toBe('a')
  })

  it('is told with the beginning of what came when that is garbage', async () => {
    const { upstream } = await startEngine(engine, {
      answer: onCompletions(() => ({ type: 'stream', pieces: ['<html>Welcome</html>'] })),
    })
    await expect(generated(upstream, promptRequest('Hi'))).rejects.toThrow(/not a text completion.*<html>Welcome/)
  })

  it('is none when the signal aborts: the server is left', async () => {
    const { upstream, sent } = await startEngine(engine, {
      answer: onCompletions(() => ({ type: 'stream', pieces: [chunk('a'), { fault: 'silence' }] })),
    })
    const controller = new AbortController()
    const stream = await upstream.generate(promptRequest('Hi'), contextOf({ signal: controller.signal }))
    const read = (async () => {
      for await (const _ of stream) controller.abort()
    })()
    await expect(read).rejects.toMatchObject({ code: 'cancelled' })
    await eventually(() => expect(sent('/v1/completions')[0]?.closedEarly).toBe(true))
  })
})
