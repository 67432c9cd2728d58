import { describe, expect, it } from 'vitest'
import type { OciReply } from '../../../test/stand-ins/oci-server.ts'
import { collect, compartment, contextOf, ociForTest } from '../../../test/support/upstreams/oci.ts'
import { chatRequestOf, reply, streamed, text } from '../../../test/support/upstreams/oci-requests.ts'
import type { GenerationRequest, MessagesRequest } from '../upstream.ts'
import { loadOciSdk } from './session.ts'

const messages: MessagesRequest = {
  type: 'messages',
  model: 'meta.llama-3.3-70b-instruct',
  messages: [
    { role: 'system', parts: [{ type: 'text', text: 'Be brief.' }] },
    { role: 'user', parts: [{ type: 'text', text: 'hi' }] },
    { role: 'assistant', parts: [{ type: 'text', text: 'Hello!' }], reasoning: 'greet' },
    { role: 'user', parts: [{ type: 'text', text: 'more' }] },
  ],
  sampling: {},
}

describe('a body', () => {
  it('names compartment and model', async () => {
    const { upstream, server } = await ociForTest([reply])
    await collect(upstream.generate(messages, contextOf()))
    expect(server.requests[0]?.body).toMatchObject({
      compartmentId: compartment,
      servingMode: { servingType: 'ON_DEMAND', modelId: 'meta.llama-3.3-70b-instruct' },
    })
  })

  const endpointId = 'ocid1.generativeaiendpoint.oc1..eeee'
  it.each([
    [
      'mine',
      { mine: { id: 'ocid1.generativeaimodel.oc1..mmmm' } },
      { servingType: 'ON_DEMAND', modelId: 'ocid1.generativeaimodel.oc1..mmmm' },
    ],
    ['mine', { mine: { endpoint: endpointId } }, { servingType: 'DEDICATED', endpointId }],
    [endpointId, {}, { servingType: 'DEDICATED', endpointId }],
    ['constructor', {}, { servingType: 'ON_DEMAND', modelId: 'constructor' }],
  ])('has the serving mode of %s with %o', async (model, models, servingMode) => {
    const { upstream, server } = await ociForTest([reply], { models })
    await collect(upstream.generate({ ...messages, model }, contextOf()))
    expect(server.requests[0]?.body.servingMode).toEqual(servingMode)
  })

  it('of messages in the Generic format', async () => {
    const image = { type: 'image', url: 'data:image/png;base64,AA', detail: 'low' } as const
    const [system, ...turns] = messages.messages
    const request: MessagesRequest = {
      ...messages,
      messages: [
        ...(system ? [system] : []),
        ...turns,
        { role: 'user', parts: [image, { type: 'text', text: 'look' }] },
      ],
      maxTokens: 100,
      sampling: { temperature: 0, topP: 0.5, topK: 4, presencePenalty: 1, frequencyPenalty: 2, seed: 3 },
      reasoning: { enabled: true, effort: 'high' },
    }
    expect(await chatRequestOf(request)).toEqual({
      apiFormat: 'GENERIC',
      messages: [
        { role: 'SYSTEM', content: [text('Be brief.')] },
        { role: 'USER', content: [text('hi')] },
        { role: 'ASSISTANT', content: [text('Hello!')], reasoningContent: 'greet' },
        { role: 'USER', content: [text('more')] },
        {
          role: 'USER',
          content: [{ type: 'IMAGE', imageUrl: { url: 'data:image/png;base64,AA', detail: 'LOW' } }, text('look')],
        },
      ],
      ...streamed,
      maxTokens: 100,
      temperature: 0,
      topP: 0.5,
      topK: 4,
      presencePenalty: 1,
      frequencyPenalty: 2,
      seed: 3,
      reasoningEffort: 'HIGH',
    })
  })

  it('of messages in the Cohere format', async () => {
    expect(await chatRequestOf({ ...messages, model: 'cohere.command-r-plus', maxTokens: 9 })).toEqual({
      apiFormat: 'COHERE',
      preambleOverride: 'Be brief.',
      chatHistory: [
        { role: 'USER', message: 'hi' },
        { role: 'CHATBOT', message: 'Hello!' },
      ],
      message: 'more',
      ...streamed,
      maxTokens: 9,
    })
  })

  it('has what the model definition says', async () => {
    const models = { m: { maxTokensField: 'maxCompletionTokens', maxTokens: 4000, temperature: 0.3 } } as const
    const { upstream, server } = await ociForTest([reply, reply], { models })
    await collect(upstream.generate({ ...messages, model: 'm', maxTokens: 32000 }, contextOf()))
    await collect(upstream.generate({ ...messages, model: 'm', sampling: { temperature: 1 } }, contextOf()))
    expect(server.requests.map(({ body }) => body.chatRequest)).toMatchObject([
      { maxCompletionTokens: 4000, temperature: 0.3 },
      { temperature: 1 },
    ])
    expect(server.requests[1]?.body.chatRequest).not.toHaveProperty('maxCompletionTokens')
  })

  it('is not written for a whole prompt', async () => {
    const { upstream } = await ociForTest([])
    const prompt: GenerationRequest = {
      type: 'prompt',
      model: 'm',
      prompt: 'p',
      stops: [],
      preservedTokens: [],
      sampling: {},
    }
    await expect(upstream.generate(prompt, contextOf())).rejects.toMatchObject({ code: 'internal' })
  })

  it('that asks for no calls may get some all the same', async () => {
    const { upstream } = await ociForTest([{ type: 'reply', pieces: ['a'], calls: [{ name: 'f', parameters: {} }] }])
    const events = await collect(upstream.generate(messages, contextOf()))
    expect(events.map(({ type }) => type)).toEqual(['text', 'call', 'finish', 'usage'])
  })
})

describe('the format of a model', () => {
  const ocid = 'ocid1.generativeaimodel.oc1..mmmm'

  it.each([
    ['cohere.command-r-plus', {}, true],
    ['meta.llama-3.3-70b-instruct', {}, false],
    ['xai.grok-4', {}, false],
    [ocid, {}, undefined],
    ['mine', { mine: { id: 'cohere.command-r-plus' } }, true],
    ['mine', { mine: { id: ocid, format: 'cohere' } }, true],
    ['cohere.x', { 'cohere.x': { format: 'generic' } }, false],
    ['cohere.command-a-reasoning-08-2025', {}, true],
  ] as const)('%s with %o calls tools by itself: %s', async (model, models, callsTools) => {
    const { upstream } = await ociForTest([], { models })
    expect(await upstream.callsTools?.(model, contextOf())).toBe(callsTools)
    expect(await upstream.models()).toEqual(Object.keys(models).map((id) => ({ id })))
  })

  it.each([
    ['COHERE', ['GENERIC', 'COHERE', 'COHERE']],
    ['COHEREV2', ['GENERIC', 'COHERE', 'COHEREV2', 'COHEREV2']],
  ])('is found out from the service where nothing tells it, and remembered: %s', async (format, asked) => {
    const { upstream, server } = await ociForTest(() => reply, {}, { [ocid]: format })
    const request = { ...messages, model: ocid }
    for (let n = 0; n < 2; n++) await collect(upstream.generate(request, contextOf()))
    expect(server.requests.map(({ body }) => body.chatRequest)).toMatchObject(asked.map((apiFormat) => ({ apiFormat })))
    expect(await upstream.callsTools?.(ocid, contextOf())).toBe(true)
  })

  it('is not guessed against the configuration, nor for ever', async () => {
    const fixed = await ociForTest([reply], { models: { [ocid]: { format: 'generic' } } }, { [ocid]: 'COHERE' })
    await expect(fixed.upstream.generate({ ...messages, model: ocid }, contextOf())).rejects.toThrow(/correct format/)
    expect(fixed.server.requests).toHaveLength(1)
    const neither = await ociForTest([reply], {}, { [ocid]: 'COHEREV9' })
    await expect(neither.upstream.generate({ ...messages, model: ocid }, contextOf())).rejects.toThrow(/correct format/)
    expect(neither.server.requests).toHaveLength(3)
  })
})

describe('what the service refuses', () => {
  const refuses = (message: string): OciReply => ({ type: 'status', status: 400, body: { code: '400', message } })

  it('is left out where it can be spared: usage, from then on', async () => {
    const { upstream, server } = await ociForTest([refuses('unrecognized field streamOptions'), reply, reply])
    for (let n = 0; n < 2; n++) await collect(upstream.generate(messages, contextOf()))
    expect(server.requests.map(({ body }) => JSON.stringify(body).includes('streamOptions'))).toEqual([
      true,
      false,
      false,
    ])
  })

  it.each([
    'maxTokens must be less than or equal to 4000',
    '{"message":"too many tokens: max tokens must be less than or equal to 4000, the maximum output for this model"}',
  ])('is lowered where it says to what: the most tokens, from then on: %s', async (said) => {
    const { upstream, server } = await ociForTest([refuses(said), reply, reply])
    for (let n = 0; n < 2; n++) await collect(upstream.generate({ ...messages, maxTokens: 32000 }, contextOf()))
    expect(server.requests.map(({ body }) => body.chatRequest)).toMatchObject(
      [32000, 4000, 4000].map((maxTokens) => ({ maxTokens })),
    )
  })

  it.each([
    'too many tokens: total number of tokens in the prompt cannot exceed 4081 - received 4292. Try using a shorter prompt',
    'The input token count (4292) exceeds the maximum number of tokens allowed (4081).',
    "This model's maximum prompt length is 4081 but the request contains 4292 tokens.",
  ])('is a prompt that is too long, in the words that clients look for: %s', async (said) => {
    const { upstream, server } = await ociForTest([refuses(JSON.stringify({ message: said }))])
    await expect(upstream.generate({ ...messages, maxTokens: 32000 }, contextOf())).rejects.toMatchObject({
      code: 'context-length',
      message: expect.stringMatching(/^prompt is too long: 4292 tokens > 4081 maximum/),
    })
    expect(server.requests).toHaveLength(1)
  })
})

describe('the SDK', () => {
  it('that is missing is said to be, with what installs it', async () => {
    const load = async (): Promise<void> => {
      throw Object.assign(new Error('Cannot find package'), { code: 'ERR_MODULE_NOT_FOUND' })
    }
    await expect(loadOciSdk('oci', load)).rejects.toMatchObject({
      code: 'upstream',
      message: `Upstream "oci" needs OCI's SDK, which is not installed. Install it next to anycall: npm install oci-common`,
    })
  })

  it('that is broken is not said to be missing', async () => {
    const load = (): Promise<void> => Promise.reject(new SyntaxError('bad'))
    await expect(loadOciSdk('oci', load)).rejects.toThrow('bad')
  })
})
