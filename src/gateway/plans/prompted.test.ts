import { describe, expect, test } from 'vitest'
import { conversation, playing } from '../../../test/support/gateway/plans.ts'
import { messagesAt } from '../../../test/support/upstreams/requests.ts'
import {
  AnycallError,
  type CallPart,
  type Conversation,
  collectReply,
  type Reply,
  type Tool,
} from '../../conversation/index.ts'
import { type Dialect, getDialect } from '../../dialects/index.ts'
import type { Play } from '../../upstreams/scripted/scripted.ts'
import type { GenerationRequest, Log } from '../../upstreams/upstream.ts'
import { messagesOf } from '../../upstreams/upstream.ts'
import { withDemandedCall } from '../serve/demanded-call.ts'
import { prompted } from './prompted.ts'

/**
 * One with a trigger, one in JSON, one in tags: the plan does not depend on the dialect, and the laws of src/dialects
 * cover all of them.
 */
const threeDialects = ['toolify', 'hermes', 'qwen3-coder'].flatMap((name) => getDialect(name) ?? [])

const trigger = '<<CALL_0123456789ab>>'

const tools: Tool[] = ['get_weather', 'run'].map((name) => ({
  name,
  description: '',
  schema: { type: 'object', properties: { city: { type: 'string' } } },
}))

interface Served {
  reply: Reply
  /** The requests that the upstream received, in order. */
  requests: GenerationRequest[]
  log: Parameters<Log>[]
}

/** Serves a conversation by an upstream that plays these replies, one for each request. */
async function serve(
  dialect: Dialect,
  plays: readonly Play[],
  more: Partial<Conversation> = {},
  signal: AbortSignal = new AbortController().signal,
): Promise<Served> {
  const asked = conversation({ model: 'client-name', system: '', tools, ...more })
  const { generate, context, requests, log } = playing(prompted, plays, {
    model: 'upstream-name',
    dialect,
    trigger,
    signal,
  })
  const reply = await collectReply(await withDemandedCall(asked, generate, context))
  return { reply, requests, log }
}

/** Calls as the dialect has them written. */
function written(dialect: Dialect, ...names: string[]): string {
  const parts = names.map((name): CallPart => ({ type: 'call', id: 'x', name, arguments: '{"city": "Paris"}' }))
  return dialect.renderAssistant(parts, { trigger })
}

const pieces = (text: string): Play => ({ pieces: text.match(/.{1,5}/gs) ?? [] })

function callsOf({ parts }: Reply): string[] {
  return parts.flatMap((part) => (part.type === 'call' ? [part.name] : []))
}

function textOf({ parts }: Reply): string {
  return parts.map((part) => (part.type === 'text' ? part.text : '')).join('')
}

function codesOf({ notices }: Reply): string[] {
  return notices.map(({ code }) => code)
}

describe.each(threeDialects)('$name: what the choice of tools allows', (dialect) => {
  test('auto: a call', async () => {
    const { reply, requests } = await serve(dialect, [pieces(`Let me see.\n${written(dialect, 'get_weather')}`)])
    expect(reply.parts).toEqual([
      { type: 'text', text: 'Let me see.' },
      {
        type: 'call',
        id: expect.stringMatching(/^toolu_\w{22}$/),
        name: 'get_weather',
        arguments: expect.any(String),
        complete: true,
      },
    ])
    expect(reply.finish.reason).toBe('calls')
    expect(reply.notices).toEqual([])
    expect(requests).toHaveLength(1)
    expect(requests[0]?.model).toBe('upstream-name')
  })

  test('auto: no call', async () => {
    const { reply, requests } = await serve(dialect, [pieces('It rains.')])
    expect(reply.parts).toEqual([{ type: 'text', text: 'It rains.' }])
    expect(requests).toHaveLength(1)
  })

  test.each<[string, Partial<Conversation>, string]>([
    ['none', { toolChoice: { type: 'none' } }, 'call-not-allowed'],
    ['a tool that is not offered', { tools: tools.slice(1) }, 'unknown-tool'],
    ['no tools at all', { tools: [] }, 'unknown-tool'],
  ])('%s: a call is text, with a notice', async (_, more, code) => {
    const text = written(dialect, 'get_weather')
    const { reply, requests } = await serve(dialect, [pieces(text)], more)
    expect(callsOf(reply)).toEqual([])
    expect(textOf(reply)).toContain('get_weather')
    expect(textOf(reply)).toContain('Paris')
    expect(codesOf(reply)).toContain(code)
    expect(reply.finish.reason).toBe('stop')
    expect(requests).toHaveLength(1)
  })

  test('named: only that tool is called', async () => {
    const both = written(dialect, 'run', 'get_weather')
    const { reply } = await serve(dialect, [pieces(both)], { toolChoice: { type: 'named', name: 'get_weather' } })
    expect(callsOf(reply)).toEqual(['get_weather'])
    expect(textOf(reply)).toContain('run')
    expect(codesOf(reply)).toContain('call-not-allowed')
  })

  test('one call a reply: only the first goes out', async () => {
    const both = written(dialect, 'run', 'get_weather')
    const { reply } = await serve(dialect, [pieces(both)], { parallelCalls: false })
    expect(callsOf(reply)).toEqual(['run'])
    expect(codesOf(reply)).toContain('call-not-allowed')
    expect(reply.finish.reason).toBe('calls')
    const several = await serve(dialect, [pieces(both)])
    expect(callsOf(several.reply)).toEqual(['run', 'get_weather'])
  })

  test('two calls have two ids', async () => {
    const { reply } = await serve(dialect, [pieces(written(dialect, 'run', 'run'))])
    const ids = reply.parts.flatMap((part) => (part.type === 'call' ? [part.id] : []))
    expect(new Set(ids).size).toBe(2)
  })
})

describe.each(threeDialects)('$name: a call that is required', (dialect) => {
  const required = { toolChoice: { type: 'required' as const } }

  test('and comes is not asked for again', async () => {
    const text = `Sure.\n${written(dialect, 'run')}`
    const { reply, requests, log } = await serve(dialect, [pieces(text)], required)
    expect(callsOf(reply)).toEqual(['run'])
    expect(textOf(reply)).toBe('Sure.')
    expect(requests).toHaveLength(1)
    expect(log).toEqual([])
  })

  test('and does not come is asked for once more, with the reply before it', async () => {
    const first: Play = { ...pieces('It rains.'), usage: { inputTokens: 10, outputTokens: 4, cachedTokens: 1 } }
    const second: Play = { ...pieces(written(dialect, 'run')), usage: { inputTokens: 20, outputTokens: 6 } }
    const { reply, requests, log } = await serve(dialect, [first, second], required)
    expect(callsOf(reply)).toEqual(['run'])
    // The first reply is not shown; its tokens were paid for.
    expect(textOf(reply)).toBe('')
    expect(reply.finish).toEqual({
      type: 'finish',
      reason: 'calls',
      usage: { inputTokens: 30, outputTokens: 10, cachedTokens: 1 },
    })
    const [asked, again] = requests.map(messagesOf)
    expect(again?.slice(0, -2)).toEqual(asked)
    expect(again?.slice(-2)).toEqual([
      { role: 'assistant', parts: [{ type: 'text', text: 'It rains.' }] },
      {
        role: 'user',
        parts: [{ type: 'text', text: expect.stringMatching(/no tool call.*required.*at least one tool/) }],
      },
    ])
    expect(log).toEqual([['warn', 'required-call-missing', { requestId: 'req_1' }]])
  })

  test('by name is asked for by name', async () => {
    const plays = [pieces(written(dialect, 'run')), pieces(written(dialect, 'get_weather'))]
    const { reply, requests } = await serve(dialect, plays, { toolChoice: { type: 'named', name: 'get_weather' } })
    expect(callsOf(reply)).toEqual(['get_weather'])
    expect(JSON.stringify(messagesAt(requests, 1).at(-1))).toContain('call the tool `get_weather`')
  })

  test('and never comes: the first reply goes out with a notice, and both are counted', async () => {
    const first: Play = { ...pieces('It rains.'), usage: { inputTokens: 10, outputTokens: 4 } }
    const second: Play = { ...pieces('It still rains.'), usage: { inputTokens: 20, outputTokens: 6 } }
    const { reply, requests } = await serve(dialect, [first, second], required)
    expect(textOf(reply)).toBe('It rains.')
    expect(codesOf(reply)).toEqual(['required-call-missing'])
    expect(reply.finish).toEqual({ type: 'finish', reason: 'stop', usage: { inputTokens: 30, outputTokens: 10 } })
    expect(requests).toHaveLength(2)
  })

  test('when asking once more fails, the first reply is still returned', async () => {
    const error = new AnycallError('context-length', 'prompt is too long')
    const failing: Play = { pieces: [], fault: { type: 'status', error } }
    const { reply, log } = await serve(dialect, [pieces('It rains.'), failing], { toolChoice: { type: 'required' } })
    expect(textOf(reply)).toBe('It rains.')
    expect(codesOf(reply)).toEqual(['required-call-missing'])
    expect(log.map(([, event]) => event)).toEqual(['required-call-missing', 'required-call-failed'])
  })

  test('of a reply without any text is asked for at the end of the user’s own message', async () => {
    const plays = [{ pieces: [] }, pieces(written(dialect, 'run'))]
    const { requests } = await serve(dialect, plays, required)
    const roles = messagesAt(requests, 1).map(({ role }) => role)
    expect(roles).toEqual(['system', 'user'])
    const last = messagesAt(requests, 1)
      .at(-1)
      ?.parts.map((part) => (part.type === 'text' ? part.text : ''))
    // Parts that reach a server as one string must not run into the question.
    expect(last?.join('')).toMatch(/^Weather in Paris\?\s+Your reply has no tool call/)
    expect(messagesAt(requests, 0).at(-1)?.parts).toHaveLength(1)
  })

  test('that breaks off is a call that came', async () => {
    const text = written(dialect, 'run')
    const play: Play = { ...pieces(text.slice(0, text.indexOf('Paris') + 3)), finish: 'length' }
    const { reply, requests } = await serve(dialect, [play], required)
    expect(reply.parts.at(-1)).toMatchObject({ type: 'call', name: 'run', complete: false })
    expect(reply.finish.reason).toBe('length')
    expect(requests).toHaveLength(1)
  })

  test('of an upstream that fails is not asked for', async () => {
    const error = new AnycallError('overloaded', 'busy')
    await expect(serve(dialect, [{ pieces: [], fault: { type: 'status', error } }], required)).rejects.toBe(error)
  })
})

test('what the client said about the reply goes to the upstream; stop sequences do not', async () => {
  const [dialect] = threeDialects
  if (!dialect) throw new Error('no dialect')
  const { requests } = await serve(dialect, [pieces('x')], {
    maxTokens: 7,
    sampling: { temperature: 0.5, topK: 3 },
    reasoning: { enabled: true, effort: 'low' },
    stopSequences: ['</invoke>'],
  })
  expect(requests[0]).toMatchObject({
    maxTokens: 7,
    sampling: { temperature: 0.5, topK: 3 },
    reasoning: { effort: 'low' },
  })
  expect(JSON.stringify(requests[0])).not.toContain('stopSequences')
})

describe.each(threeDialects)('$name: stop sequences', (dialect) => {
  test('end a reply in its text', async () => {
    const { reply } = await serve(dialect, [pieces('One. Two. END Three.')], { stopSequences: ['END'] })
    expect(textOf(reply)).toBe('One. Two. ')
    expect(reply.finish).toMatchObject({ reason: 'stop-sequence', stopSequence: 'END' })
  })

  test('do not look into calls', async () => {
    const { reply } = await serve(dialect, [pieces(`Look.\n${written(dialect, 'get_weather')}`)], {
      stopSequences: ['Paris', '</invoke>', '</TOOL_CALL>', 'get_weather', 'CALL'],
    })
    expect(callsOf(reply)).toEqual(['get_weather'])
    expect(reply.finish.reason).toBe('calls')
  })

  test('before a call keep it from being made', async () => {
    const { reply } = await serve(dialect, [pieces(`Look. STOP\n${written(dialect, 'run')}`)], {
      stopSequences: ['STOP'],
    })
    expect(callsOf(reply)).toEqual([])
    expect(textOf(reply)).toBe('Look. ')
  })
})
