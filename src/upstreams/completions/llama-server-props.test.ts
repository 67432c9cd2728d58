import { describe, expect, it } from 'vitest'
import { sse } from '../../../test/stand-ins/http-stand-in.ts'
import { refuse } from '../../../test/stand-ins/llama-server.ts'
import { obedientTemplate } from '../../../test/stand-ins/obedient-model.ts'
import { contextOf, generated, promptRequest, textOf } from '../../../test/support/upstreams/generation.ts'
import { start, transport } from '../../../test/support/upstreams/llama-server.ts'
import type { HttpTransport } from '../transport/transport.ts'
import type { Upstream } from '../upstream.ts'

describe('the template', () => {
  const templateOf = (upstream: Upstream) => upstream.template?.('obedient', contextOf())

  it('comes with the special tokens, is asked for once, and stays the same object', async () => {
    const { upstream, sent } = await start()
    const template = await templateOf(upstream)
    expect(template).toMatchObject({
      source: obedientTemplate,
      specialTokens: { bos_token: '<s>', eos_token: '<|im_end|>' },
    })
    expect(await templateOf(upstream)).toBe(template)
    expect(sent('/props')).toHaveLength(1)
    expect(sent('/props')[0]?.query.get('model')).toBe('obedient')
  })

  it('is the one for tools where there are two', async () => {
    const { upstream } = await start({ props: { chat_template_tool_use: '{{ tools }}' } })
    expect(await templateOf(upstream)).toMatchObject({ source: '{{ tools }}', name: 'tool_use' })
  })

  it.each([[undefined], [''], [null]])('is none where the server shows %j', async (chat_template) => {
    const { upstream } = await start({ props: { chat_template: chat_template ?? null } })
    expect(await templateOf(upstream)).toBeUndefined()
  })

  it('that cannot be read is an error that says why; prompts go on', async () => {
    const { upstream } = await start({ props: { chat_template: '{% if %}' }, write: () => 'Fine.' })
    await expect(templateOf(upstream)).rejects.toMatchObject({
      code: 'upstream',
      message: expect.stringMatching(/^The chat template of upstream "local" cannot be used: .*Set another one/),
    })
    expect(textOf(await generated(upstream, promptRequest('Hi')))).toBe('Fine.')
  })

  it('is asked for anew after a failure', async () => {
    let fails = true
    const { upstream, server } = await start(
      {
        answer: ({ path }) =>
          path === '/completion' && fails ? refuse(500, 'out of memory', 'server_error') : undefined,
      },
      { retries: 0 },
    )
    const before = await templateOf(upstream)
    await expect(generated(upstream, promptRequest('Hi'))).rejects.toMatchObject({ code: 'upstream' })
    fails = false
    server.options = { props: { chat_template: 'new' } }
    expect(await templateOf(upstream)).toMatchObject({ source: 'new' })
    expect(before).toMatchObject({ source: obedientTemplate })
  })

  it('is asked for anew when another model answers', async () => {
    let model = 'a.gguf'
    const { upstream, server, sent } = await start({
      answer: ({ path }) =>
        path === '/completion'
          ? { type: 'stream', pieces: [sse({ content: 'x', stop: true, stop_type: 'eos', model })] }
          : undefined,
    })
    await templateOf(upstream)
    await generated(upstream, promptRequest('Hi'))
    await generated(upstream, promptRequest('Hi'))
    expect(sent('/props')).toHaveLength(1)
    model = 'b.gguf'
    server.options = { ...server.options, props: { chat_template: 'of b' } }
    await generated(upstream, promptRequest('Hi'))
    expect(await templateOf(upstream)).toMatchObject({ source: 'of b' })
  })

  it('that nobody can ask for is an error that names the upstream, and is asked for again', async () => {
    let isLoading = true
    const { upstream } = await start({
      answer: () => (isLoading ? refuse(503, 'Loading model', 'unavailable_error') : undefined),
    })
    await expect(templateOf(upstream)).rejects.toMatchObject({
      code: 'overloaded',
      message: expect.stringContaining('"local"'),
    })
    isLoading = false
    expect(await templateOf(upstream)).toMatchObject({ source: obedientTemplate })
  })

  it('is not that of another kind of server', async () => {
    const { upstream } = await start({ answer: () => ({ type: 'json', status: 200, body: '<html>Welcome' }) })
    await expect(templateOf(upstream)).rejects.toThrow(/"local" has no props at its url: it sent "<html>Welcome"/)
  })
})

describe('a router that loads the model first', () => {
  /** The time to the first byte that each path was given. */
  function timed() {
    const limits: [path: string, firstByteMs: number][] = []
    const watching: HttpTransport = (request) => {
      limits.push([new URL(request.url).pathname, request.timeouts.firstByteMs])
      return transport(request)
    }
    return { limits, watching }
  }

  it.each([
    [600_000, 10_000],
    [3_000, 3_000],
  ])('is given the %i ms of a generation on the way to one, and %i ms for its list', async (firstByteMs, listMs) => {
    const { limits, watching } = timed()
    const { upstream } = await start({}, { transport: watching, timeouts: { firstByteMs } })
    await generated(upstream, promptRequest('Hi'))
    await upstream.models()
    expect(limits).toEqual([
      ['/props', firstByteMs],
      ['/tokenize', firstByteMs],
      ['/completion', firstByteMs],
      ['/v1/models', listMs],
    ])
  })

  it('keeps nobody who has left, and answers those who wait on', async () => {
    let answered = (): void => {}
    const loaded = new Promise<void>((resolve) => {
      answered = resolve
    })
    const slow: HttpTransport = async (request) => {
      await loaded
      return transport(request)
    }
    const { upstream, sent } = await start({}, { transport: slow })
    const client = new AbortController()
    const left = generated(upstream, promptRequest('Hi'), contextOf({ signal: client.signal }))
    const waiting = upstream.template?.('obedient', contextOf())
    client.abort()
    await expect(left).rejects.toMatchObject({ code: 'cancelled' })
    answered()
    expect(await waiting).toMatchObject({ source: obedientTemplate })
    expect(sent('/props')).toHaveLength(1)
  })
})

describe('what the server says of a model', () => {
  it.each([
    [{ supports_tools: true, supports_tool_calls: true }, true],
    [{ supports_tools: true, supports_tool_calls: false }, false],
    [{ supports_tools: false }, false],
    [{}, undefined],
    [null, undefined],
  ])('capabilities %j: calls tools: %j', async (chat_template_caps, calls) => {
    const { upstream } = await start({ props: { chat_template_caps } })
    expect(await upstream.callsTools?.('obedient', contextOf())).toBe(calls)
  })

  it('counts tokens as the engine does, markers as the tokens that they are', async () => {
    const { upstream, sent } = await start()
    expect(await upstream.countTokens?.('<|im_start|>one two', 'obedient', contextOf())).toBe(3)
    expect(sent('/tokenize')[0]?.body).toEqual({
      model: 'obedient',
      content: '<|im_start|>one two',
      add_special: false,
      parse_special: true,
    })
  })

  it('lists its model with the context that it has', async () => {
    const { upstream } = await start({ contextLength: 512 })
    expect(await upstream.models()).toEqual([{ id: 'obedient', contextLength: 512 }])
  })
})
