import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { type AnthropicServerOptions, startAnthropicServer } from '../../../test/stand-ins/anthropic-server.ts'
import type { StandInServer } from '../../../test/stand-ins/http-stand-in.ts'
import {
  fullConversation,
  generateAll,
  messagesRequest,
  toolsRequest,
} from '../../../test/support/upstreams/conversation.ts'
import type { Conversation, JsonObject } from '../../conversation/index.ts'
import { createNodeTransport } from '../transport/node-transport.ts'
import type { Upstream, UpstreamEvent } from '../upstream.ts'
import { createAnthropicUpstream } from './anthropic.ts'

const transport = createNodeTransport()
afterAll(() => transport.close())

let server: StandInServer
afterEach(() => server?.close())

async function start(options: AnthropicServerOptions = {}): Promise<Upstream> {
  server = await startAnthropicServer(options)
  return createAnthropicUpstream({ name: 'claude', url: server.url, transport })
}

const usage: UpstreamEvent = {
  type: 'usage',
  usage: { inputTokens: 44, cachedTokens: 30, cacheWriteTokens: 4, outputTokens: 7 },
}
const stop: UpstreamEvent = { type: 'finish', reason: 'stop' }
/** The `n`-th request that asked for a message. */
const sent = (n: number): JsonObject | undefined => server.requests[n]?.body

describe('what a model refuses is left out, and remembered', () => {
  const userOnly: Partial<Conversation> = { turns: [{ role: 'user', parts: [{ type: 'text', text: 'hi' }] }] }
  const think = { reasoning: { enabled: true, effort: 'high' } }
  const shown = { type: 'adaptive', display: 'summarized' }
  const high: JsonObject = { output_config: { effort: 'high' } }
  const dontThink = (effort: string) => ({ reasoning: { enabled: false, effort } })

  test.each<[string, AnthropicServerOptions['quirks'], Parameters<typeof toolsRequest>, number, JsonObject]>([
    ['thinking with a budget', { adaptiveOnly: true }, [userOnly, think], 2, { thinking: shown, ...high }],
    ['a budget, said shortly', { alwaysThinks: true }, [userOnly, think], 2, { thinking: shown, ...high }],
    [
      'how thinking is shown',
      { adaptiveOnly: true, noDisplay: true },
      [userOnly, think],
      3,
      { thinking: { type: 'adaptive' }, ...high },
    ],
    ['an effort too', { adaptiveOnly: true, noEffort: true }, [userOnly, think], 3, { thinking: shown }],
    [
      'that it does not think, but not the effort',
      { alwaysThinks: true },
      [userOnly, dontThink('xhigh')],
      2,
      { output_config: { effort: 'xhigh' } },
    ],
    [
      'a high effort without thinking',
      { cappedEffort: true },
      [userOnly, dontThink('max')],
      2,
      { thinking: { type: 'disabled' }, ...high },
    ],
    [
      'no high effort without thinking',
      {},
      [userOnly, dontThink('max')],
      1,
      { thinking: { type: 'disabled' }, output_config: { effort: 'max' } },
    ],
    ['all thinking', { noThinking: true }, [userOnly, think], 2, high],
    ['that thinking is switched off', { noThinking: true }, [userOnly, { reasoning: { enabled: false } }], 2, {}],
    ['thinking where a turn goes on from results', {}, [{}, think], 2, high],
    [
      'two kinds of sampling',
      { oneOfTemperatureAndTopP: true },
      [userOnly, { sampling: { temperature: 0.5, topP: 0.5 } }],
      2,
      { temperature: 0.5 },
    ],
    ['more tokens than it writes', { mostTokens: 4096 }, [userOnly], 2, { max_tokens: 4096 }],
  ])('%s', async (_, quirks, args, requests, expected) => {
    const upstream = await start({ quirks: quirks ?? {} })
    for (const round of [0, 1]) {
      expect(await generateAll(upstream, toolsRequest(...args))).toEqual([
        { type: 'text', text: 'Hello.' },
        usage,
        stop,
      ])
      expect(server.requests).toHaveLength(requests + round)
    }
    const { model, messages, system, tools, stream, ...rest } = sent(requests) ?? {}
    expect(rest).toEqual({ max_tokens: 16_384, ...expected })
  })

  const reasons = { type: 'thinking', thinking: 'Two lookups.', signature: '' }
  const forgetful = fullConversation.turns.map((turn) =>
    turn.role === 'assistant' ? { ...turn, parts: turn.parts.filter(({ type }) => type !== 'reasoning') } : turn,
  )
  const disabled = { type: 'disabled' }
  const budgeted = { type: 'enabled', budget_tokens: 16_383 }
  test.each<[string, 'signed' | 'any', Parameters<typeof toolsRequest>, number, JsonObject | undefined, boolean]>([
    ['goes along', 'any', [], 2, undefined, true],
    ['goes along with thinking', 'any', [{}, think], 2, budgeted, true],
    ['is lost: no thinking', 'any', [{ turns: forgetful }], 2, disabled, false],
    ['is lost, thinking wanted: none', 'any', [{ turns: forgetful }, think], 2, disabled, false],
    ['is refused without its signature: no thinking', 'signed', [{}, think], 3, disabled, false],
    ['is not needed where no thinking is wanted', 'any', [{}, { reasoning: { enabled: false } }], 1, disabled, false],
    ['is not needed where nothing was called', 'any', [userOnly, think], 1, budgeted, false],
  ])(
    'reasoning of earlier calls, of a model that wants it back, %s',
    async (_, wanted, args, requests, thinking, goes) => {
      const upstream = await start({ quirks: { wantsReasoning: wanted } })
      for (const round of [0, 1]) {
        await generateAll(upstream, toolsRequest(...args))
        expect(server.requests).toHaveLength(requests + round)
      }
      expect(sent(requests)?.thinking).toEqual(thinking)
      expect(JSON.stringify(sent(requests)?.messages).includes(JSON.stringify(reasons))).toBe(goes)
    },
  )

  test('thinking is asked for again where the turn does not go on from results', async () => {
    const upstream = await start()
    await generateAll(upstream, toolsRequest({}, think))
    await generateAll(upstream, toolsRequest(userOnly, think))
    expect(sent(2)?.thinking).toEqual({ type: 'enabled', budget_tokens: 16_383 })
  })

  test('a forced call, with a notice each time', async () => {
    const upstream = await start({ quirks: { noForcedChoice: true } })
    for (const requests of [2, 3]) {
      const events = await generateAll(upstream, toolsRequest({ toolChoice: { type: 'required' } }))
      expect(events[0]).toMatchObject({ type: 'notice', notice: { code: 'tool-choice-unsupported' } })
      expect(server.requests).toHaveLength(requests)
    }
    expect(await generateAll(upstream, toolsRequest())).toEqual([{ type: 'text', text: 'Hello.' }, usage, stop])
  })

  test('more tokens than the context has room for, this once', async () => {
    const upstream = await start({ quirks: { context: { tokens: 200_000, prompt: 188_240 } } })
    await generateAll(upstream, messagesRequest({ maxTokens: 32_000 }))
    await generateAll(upstream, messagesRequest({ maxTokens: 10 }))
    expect(server.requests.map(({ body }) => body.max_tokens)).toEqual([32_000, 11_760, 10])
  })

  test('other refusals stand', async () => {
    const upstream = await start({ quirks: { context: { tokens: 100, prompt: 200 } } })
    await expect(generateAll(upstream, messagesRequest())).rejects.toMatchObject({
      code: 'context-length',
      message: expect.stringMatching(/^prompt is too long: 200 tokens > 100 maximum.*"claude"/),
    })
    const again = await start()
    const tools = [{ name: 'a b', description: '', schema: {} }]
    await expect(generateAll(again, toolsRequest({ tools }))).rejects.toMatchObject({
      code: 'invalid-request',
      message: expect.stringContaining('tools.0.custom.name'),
    })
    expect(server.requests).toHaveLength(1)
  })
})
