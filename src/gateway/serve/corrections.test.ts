import { describe, expect, test } from 'vitest'
import { conversation, playing } from '../../../test/support/gateway/plans.ts'
import {
  AnycallError,
  type Conversation,
  collectReply,
  type ReplyEvent,
  type ReplyStream,
  type Tool,
} from '../../conversation/index.ts'
import type { Piece, Play } from '../../upstreams/scripted/scripted.ts'
import { native } from '../plans/native.ts'
import type { Plan } from '../plans/plan.ts'
import { prompted } from '../plans/prompted.ts'
import { type CorrectionLimits, withCorrections } from './corrections.ts'

const tools: Tool[] = [
  {
    name: 'get_weather',
    description: '',
    schema: {
      type: 'object',
      properties: { city: { type: 'string' }, unit: { enum: ['C', 'F'] } },
      required: ['city'],
    },
  },
]

const limitsOf = (calls: number): CorrectionLimits => ({ calls, formats: 0, holdsText: false })

async function serve(plan: Plan, plays: readonly Play[], times: number) {
  const { generate, context, requests, log } = playing(plan, plays)
  const batches: ReplyEvent[][] = []
  const reply = await withCorrections(conversation({ system: '', tools }), generate, limitsOf(times), context)
  async function* seen() {
    for await (const batch of reply) {
      batches.push(batch)
      yield batch
    }
  }
  const { parts, notices, finish } = await collectReply(seen())
  return { parts, codes: notices.map(({ code }) => code), finish, requests, batches, log }
}

const block = (name: string, json: string) => `<tool_call>\n{"name": "${name}", "arguments": ${json}}\n</tool_call>`
const valid = block('get_weather', '{"city": "Paris"}')
const overloaded = new AnycallError('overloaded', 'busy')
const usage = { inputTokens: 10, outputTokens: 5 }
const made = { type: 'call', name: 'get_weather', arguments: '{"city":"Paris"}', complete: true }

describe('a call that is not valid', () => {
  const faults: [what: string, text: string, said: RegExp][] = [
    ['an argument that the schema does not allow', block('get_weather', '{"city": "Paris", "unit": "K"}'), /unit/],
    ['an argument that is missing', block('get_weather', '{"unit": "C"}'), /city/],
    ['a tool that is not offered', block('get_wether_now', '{"city": "Paris"}'), /get_wether_now.*not among the tools/],
    [
      'one that breaks off',
      '<tool_call>\n{"name": "get_weather", "arguments": {"city": "Par',
      /broke off|incomplete|end/,
    ],
  ]
  test.each(faults)('%s is sent back, and nothing of it goes out', async (_, text, said) => {
    const plays: Play[] = [
      { pieces: ['Let me see.\n', text], usage },
      { pieces: [valid], usage },
    ]
    const { parts, codes, finish, requests, log } = await serve(prompted, plays, 1)
    expect(parts).toMatchObject([{ type: 'text', text: 'Let me see.' }, made])
    expect(parts).toHaveLength(2)
    expect(codes).toEqual(['call-sent-back'])
    expect(finish).toMatchObject({ reason: 'calls', usage: { inputTokens: 20, outputTokens: 10 } })
    expect(requests).toHaveLength(2)
    expect(JSON.stringify(requests[1])).toMatch(said)
    expect(log.map(([, event]) => event)).toEqual(['call-sent-back'])
  })

  test('is sent back to an upstream that calls by itself with its own id', async () => {
    const call = (id: string, json: string): Piece => ({
      type: 'call',
      index: 0,
      id,
      name: 'get_weather',
      arguments: json,
    })
    const plays: Play[] = [{ pieces: [call('a', '{"unit":"K"}')] }, { pieces: [call('b', '{"city":"Paris"}')] }]
    const { parts, requests } = await serve(native, plays, 1)
    expect(parts).toEqual([{ ...made, id: 'b' }])
    const [, second] = requests
    const turns = second?.type === 'tools' ? second.conversation.turns : []
    expect(turns.at(-2)).toMatchObject({ role: 'assistant', parts: [{ type: 'call', id: 'a' }] })
    expect(turns.at(-1)).toMatchObject({ role: 'user', parts: [{ type: 'result', callId: 'a', isError: true }] })
  })

  test('takes the valid ones beside it along: each has its answer', async () => {
    const plays: Play[] = [{ pieces: [`${valid}\n${block('get_weather', '{}')}`] }, { pieces: [`${valid}\n${valid}`] }]
    const { parts, requests } = await serve(prompted, plays, 1)
    expect(parts).toMatchObject([made, made])
    expect(JSON.stringify(requests[1])).toContain('another call of the same reply was not valid')
  })

  test('goes out after so many times, as it is', async () => {
    const play: Play = { pieces: [block('get_weather', '{"city": 1, "unit": "K"}')] }
    const { parts, codes, requests } = await serve(prompted, [play, play, play], 2)
    expect(requests).toHaveLength(3)
    expect(parts).toMatchObject([{ type: 'call', complete: true }])
    expect(codes.filter((code) => code === 'call-sent-back')).toHaveLength(2)
  })

  const failures: [what: string, play: Play][] = [
    ['an upstream that is overloaded', { pieces: [], fault: { type: 'status', error: overloaded } }],
    ['a reply that breaks off', { pieces: [valid], fault: { type: 'cut', afterPieces: 1 } }],
  ]
  test.each(failures)('goes out as it is, and is paid for once, where sending it back meets %s', async (_, failing) => {
    const plays: Play[] = [{ pieces: ['Let me see.\n', block('get_weather', '{"unit": "C"}')], usage }, failing]
    const { parts, codes, finish, log } = await serve(prompted, plays, 2)
    expect(parts).toEqual([
      { type: 'text', text: 'Let me see.' },
      { ...made, id: expect.any(String), arguments: '{"unit":"C"}' },
    ])
    expect(codes).toEqual(['call-sent-back', 'correction-failed'])
    expect(finish).toEqual({ type: 'finish', reason: 'calls', usage })
    expect(log.map(([level, event]) => [level, event])).toEqual([
      ['info', 'call-sent-back'],
      ['warn', 'correction-failed'],
    ])
  })

  test('is given to nobody who is gone', async () => {
    const client = new AbortController()
    const play: Play = { pieces: [block('get_weather', '{}')] }
    const { generate, context } = playing(prompted, [play, play], { signal: client.signal })
    const leaving = async (asked: Conversation): Promise<ReplyStream> => {
      if (asked.turns.length > 1) client.abort(overloaded)
      return generate(asked)
    }
    const reply = await withCorrections(conversation({ system: '', tools }), leaving, limitsOf(1), context)
    await expect(collectReply(reply)).rejects.toBe(overloaded)
  })

  test('that the token limit cut is not the model’s fault', async () => {
    const cut: Play = { pieces: ['<tool_call>\n{"name": "get_weather", "arguments": {"city": "Par'], finish: 'length' }
    const { parts, finish, requests } = await serve(prompted, [cut], 3)
    expect(requests).toHaveLength(1)
    expect(parts).toMatchObject([{ type: 'call', complete: false }])
    expect(finish.reason).toBe('length')
  })

  test('goes out at once where nothing is configured', async () => {
    const { requests, codes } = await serve(prompted, [{ pieces: [block('get_weather', '{"unit": "K"}')] }], 0)
    expect(requests).toHaveLength(1)
    expect(codes).toEqual([])
  })
})

test('text before the first call is not held back', async () => {
  const plays: Play[] = [{ pieces: ['One ', 'two ', 'three.\n', valid] }]
  const { batches } = await serve(prompted, plays, 1)
  expect(batches.slice(0, 2)).toEqual([[{ type: 'text', text: 'One' }], [{ type: 'text', text: ' two' }]])
})
