import { describe, expect, it, vi } from 'vitest'
import type { StandInAnswer, StandInRequest } from '../../../test/stand-ins/http-stand-in.ts'
import { anyText, engines, sglang, startEngine, vllm } from '../../../test/support/upstreams/completions.ts'
import { contextOf, generated, promptRequest, textOf } from '../../../test/support/upstreams/generation.ts'
import type { JsonObject } from '../../conversation/index.ts'

const fullRequest = promptRequest('<s>one two', {
  maxTokens: 50,
  stops: ['<|im_end|>'],
  preservedTokens: ['<tool_call>'],
  sampling: { temperature: 0, topP: 0.5, topK: 4, presencePenalty: 1, frequencyPenalty: 2, seed: 3 },
  constraint: anyText,
})
const saidFields: JsonObject = {
  model: 'obedient',
  max_tokens: 50,
  stream: true,
  stream_options: { include_usage: true },
  temperature: 0,
  top_p: 0.5,
  top_k: 4,
  presence_penalty: 1,
  frequency_penalty: 2,
  seed: 3,
  stop: ['<|im_end|>'],
  skip_special_tokens: false,
}

describe('a prompt', () => {
  it('goes to vLLM as it is, with its own first token only', async () => {
    const { server, upstream, sent } = await startEngine(vllm)
    await generated(upstream, fullRequest)
    expect(sent('/v1/completions').map(({ body }) => body)).toEqual([
      {
        ...saidFields,
        prompt: '<s>one two',
        add_special_tokens: false,
        spaces_between_special_tokens: false,
        structured_outputs: { structural_tag: '{"type":"structural_tag","format":{"type":"any_text"}}' },
      },
    ])
    expect(server.prompts).toEqual(['<s>one two'])
    expect(sent('/tokenize')).toEqual([])
  })

  it('goes to SGLang as tokens, since a text would get a first token more', async () => {
    const { server, upstream, sent } = await startEngine(sglang)
    await generated(upstream, fullRequest)
    expect(sent('/v1/completions').map(({ body }) => body)).toEqual([
      {
        ...saidFields,
        prompt: expect.arrayContaining([expect.any(Number)]),
        response_format: { type: 'structural_tag', format: { type: 'any_text' } },
      },
    ])
    expect(sent('/tokenize')[0]?.body).toEqual({ model: 'obedient', prompt: '<s>one two', add_special_tokens: false })
    expect(server.prompts).toEqual(['<s>one two'])
  })

  it('goes to an SGLang that counts no tokens as text', async () => {
    const { upstream, sent } = await startEngine(sglang, {
      answer: ({ path }) =>
        path === '/tokenize' ? { type: 'json', status: 404, body: { detail: 'Not Found' } } : undefined,
    })
    await generated(upstream, promptRequest('one two', { maxTokens: 5 }))
    expect(sent('/v1/completions')[0]?.body).toMatchObject({ prompt: 'one two', max_tokens: 5 })
  })
})

describe.each(engines)('$name: the room for a reply', (engine) => {
  const reserve = engine.name === 'sglang' ? 1 : 0

  it('is all that the prompt leaves, where the request sets no bound', async () => {
    const { upstream, sent } = await startEngine(engine, { contextLength: 100 })
    await generated(upstream, promptRequest('one two'))
    expect(sent('/v1/completions').map(({ body }) => body.max_tokens)).toEqual([98 - reserve])
  })

  it('is all that the prompt leaves, where the request asks for more', async () => {
    const { upstream, sent } = await startEngine(engine, { contextLength: 100 })
    const log = vi.fn()
    expect(textOf(await generated(upstream, promptRequest('one two', { maxTokens: 32000 }), contextOf({ log })))).toBe(
      'Hello! You said: ',
    )
    expect(sent('/v1/completions').at(-1)?.body.max_tokens).toBe(98 - reserve)
  })

  const uncounted = ({ path }: StandInRequest): StandInAnswer | undefined =>
    path === '/tokenize' ? engine.refuse('Not Found', 404) : undefined

  it('is a bound of our own, where the server counts no tokens', async () => {
    const { upstream, sent } = await startEngine(engine, { contextLength: 20_000, answer: uncounted })
    await generated(upstream, promptRequest('one two'))
    expect(sent('/v1/completions').map(({ body }) => body.max_tokens)).toEqual([8192])
  })

  it('is what a refusal says once, where the server counts no tokens', async () => {
    const { upstream, sent } = await startEngine(engine, { contextLength: 100, answer: uncounted })
    const long = generated(upstream, promptRequest('one two three', { maxTokens: 99 }))
    // vLLM counts only one token more than there is room for: its number is not sufficient.
    if (engine.name === 'vllm') await expect(long).rejects.toMatchObject({ code: 'context-length' })
    else await long
    const said = engine.name === 'vllm' ? 98 : 95
    expect(sent('/v1/completions').map(({ body }) => body.max_tokens)).toEqual([99, said])
  })

  it('is none for a prompt that is too long', async () => {
    const { upstream } = await startEngine(engine, { contextLength: 3 })
    await expect(generated(upstream, promptRequest('one two three four'))).rejects.toMatchObject({
      code: 'context-length',
      message: expect.stringContaining('upstream "local" answered 400'),
    })
  })

  it('counts tokens', async () => {
    const { upstream } = await startEngine(engine)
    expect(await upstream.countTokens?.('<|im_start|>one two', 'obedient', contextOf())).toBe(3)
  })

  it('cannot be counted by a server without /tokenize', async () => {
    const { upstream } = await startEngine(engine, { answer: () => engine.refuse('Not Found', 404) })
    await expect(upstream.countTokens?.('one', 'obedient', contextOf())).rejects.toMatchObject({ code: 'not-found' })
  })
})
