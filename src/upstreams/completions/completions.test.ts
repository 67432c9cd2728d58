import { describe, expect, it, onTestFinished } from 'vitest'
import { engines, onCompletions, startEngine } from '../../../test/support/upstreams/completions.ts'
import { generated, otherThanText, promptRequest, textOf } from '../../../test/support/upstreams/generation.ts'
import { createNodeTransport } from '../transport/node-transport.ts'
import type { ChatMessage } from '../upstream.ts'

describe.each(engines)('$name: a reply', (engine) => {
  it('comes as text with its markers, a finish and usage', async () => {
    const { upstream } = await startEngine(engine, { write: () => '<tool_call>x ✓</tool_call>' })
    const events = await generated(upstream, promptRequest('one two', { maxTokens: 50 }))
    expect(textOf(events)).toBe('<tool_call>x ✓</tool_call>')
    expect(otherThanText(events)).toEqual([
      { type: 'finish', reason: 'stop' },
      { type: 'usage', usage: { inputTokens: 2, outputTokens: 5, cachedTokens: 1 } },
    ])
  })

  it.each([
    ['a stop of the prompt', { stops: [' two'] }, 'one', 'stop'],
    ['the token limit', { maxTokens: 1 }, 'one', 'length'],
  ])('ends at %s', async (_, more, text, reason) => {
    const { upstream } = await startEngine(engine, { write: () => 'one two three' })
    const events = await generated(upstream, promptRequest('Hi', { maxTokens: 50, ...more }))
    expect(textOf(events)).toBe(text)
    expect(events).toContainEqual({ type: 'finish', reason })
  })

  it('may come whole', async () => {
    const body = {
      choices: [{ index: 0, text: 'whole', finish_reason: 'length' }],
      usage: { prompt_tokens: 2, completion_tokens: 1 },
    }
    const { upstream } = await startEngine(engine, {
      answer: onCompletions(() => ({ type: 'json', status: 200, body })),
    })
    expect(await generated(upstream, promptRequest('Hi'))).toEqual([
      { type: 'text', text: 'whole' },
      { type: 'finish', reason: 'length' },
      { type: 'usage', usage: { inputTokens: 2, outputTokens: 1 } },
    ])
  })
})

describe.each(engines)('$name: its other API', (engine) => {
  it('lists models with the context that they have', async () => {
    const { upstream } = await startEngine(engine, { contextLength: 512 })
    expect(await upstream.models()).toEqual([{ id: 'obedient', contextLength: 512 }])
  })

  it.each(['', '/v1', '/v1/', '/v1/completions', '/v1/chat/completions'])(
    'is reached by a url that ends in %j',
    async (end) => {
      const { server, sent } = await startEngine(engine)
      const transport = createNodeTransport()
      onTestFinished(() => transport.close())
      const upstream = engine.create({ name: 'local', url: server.url + end, transport })
      await generated(upstream, promptRequest('Hi'))
      const parts = [{ type: 'text' as const, text: 'Hi' }]
      const messages = [{ role: 'user' as const, parts }]
      await generated(upstream, { type: 'messages', model: 'obedient', messages, sampling: {} })
      expect([sent('/v1/completions').length, sent('/v1/chat/completions').length]).toEqual([1, 1])
    },
  )

  it('takes tools', async () => {
    const { upstream, sent } = await startEngine(engine)
    const events = await generated(upstream, {
      type: 'tools',
      model: 'obedient',
      conversation: {
        model: 'obedient',
        system: '',
        turns: [{ role: 'user', parts: [{ type: 'text', text: 'Hi' }] }],
        tools: [{ name: 'get_time', description: '', schema: {} }],
        toolChoice: { type: 'named', name: 'get_time' },
        parallelCalls: true,
        stopSequences: [],
        sampling: {},
      },
      sampling: {},
    })
    expect(sent('/v1/chat/completions')[0]?.body.tool_choice).toEqual({
      type: 'function',
      function: { name: 'get_time' },
    })
    expect(events.find(({ type }) => type === 'call')).toMatchObject({ index: 0, name: 'get_time' })
  })

  it('is told in both ways that the model is not to think', async () => {
    const { upstream, sent } = await startEngine(engine)
    const messages: ChatMessage[] = [{ role: 'user', parts: [{ type: 'text', text: 'Hi' }] }]
    for (const reasoning of [{ enabled: false }, { enabled: true }, undefined]) {
      await generated(upstream, {
        type: 'messages',
        model: 'obedient',
        messages,
        sampling: {},
        ...(reasoning && { reasoning }),
      })
    }
    expect(sent('/v1/chat/completions').map(({ body }) => [body.reasoning_effort, body.chat_template_kwargs])).toEqual([
      ['none', { enable_thinking: false, thinking: false }],
      [undefined, undefined],
      [undefined, undefined],
    ])
  })

  it('shows no template: that is configured', async () => {
    const { upstream } = await startEngine(engine)
    expect(upstream.template).toBeUndefined()
  })
})
