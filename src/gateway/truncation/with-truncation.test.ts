import { describe, expect, test } from 'vitest'
import { responseMisfits } from '../../../test/support/protocols/responses-schema.ts'
import { AnycallError, type JsonObject } from '../../conversation/index.ts'
import { loadTemplate } from '../../templates/index.ts'
import { statusError } from '../../upstreams/http/upstream-error.ts'
import { createScriptedUpstream, type Play } from '../../upstreams/scripted/scripted.ts'
import type { GenerationRequest, Log, Upstream } from '../../upstreams/upstream.ts'
import { parseConfig } from '../config/config.ts'
import { createGateway } from '../gateway.ts'

/** Messages of about a hundred tokens each, with a number in the beginning. */
const exchanges = ['one', 'two', 'three', 'four'].map((name): JsonObject[] => [
  { role: 'user', content: `${name}? ${'word '.repeat(80)}` },
  { role: 'assistant', content: `${name}! ${'word '.repeat(80)}` },
])
const input = [...exchanges.flat(), { role: 'user', content: 'last?' }]

interface Setting {
  plan: 'native' | 'prompted' | 'templated'
  models: Upstream['models']
  /** Plays for the first requests; after these the upstream answers. */
  plays?: Play[]
}

const requestsOf = {
  native: ['tools', 'messages'],
  prompted: ['messages'],
  templated: ['prompt'],
} as const

const chatml = loadTemplate(
  '{% for message in messages %}<|im_start|>{{ message.role }}\n{{ message.content }}<|im_end|>\n{% endfor %}{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}',
)

function start({ plan, models, plays = [] }: Setting) {
  const asked: string[] = []
  let listed = 0
  const scripted = createScriptedUpstream({
    name: 'a',
    abilities: { requests: requestsOf[plan] },
    play: (index, request) => {
      asked.push(messagesIn(request))
      return plays[index] ?? { pieces: ['Fine.'] }
    },
  })
  const upstream: Upstream = {
    ...scripted,
    ...(plan === 'templated' && { template: async () => chatml }),
    models: (query) => {
      listed++
      return models(query)
    },
  }
  const config = parseConfig(
    { upstreams: { a: { type: 'scripted' } }, models: [{ match: '*', upstream: 'a', plan }] } as unknown,
    { file: 'test', env: {} },
  )
  let notices: string[] = []
  const log: Log = (_, event, { code, message } = {}) => {
    if (event === 'notice') notices.push(`${code}: ${message}`)
  }
  const gateway = createGateway({ config, upstreams: new Map([['a', upstream]]), templates: new Map(), log })
  async function post(body: JsonObject) {
    notices = []
    const sent = JSON.stringify({ model: 'm', input, instructions: 'Be kind.', ...body })
    const response = await gateway.fetch(new Request('http://gateway/v1/responses', { method: 'POST', body: sent }))
    const answer: JsonObject = await response.json()
    if (response.status === 200) expect(responseMisfits(answer)).toEqual([])
    return { status: response.status, notices: notices.join(), answer }
  }
  return { post, asked, listed: () => listed }
}

/** The messages that reached the upstream, by their first words. */
function messagesIn(request: GenerationRequest): string {
  const text = JSON.stringify(request)
  return ['Be kind', 'one?', 'one!', 'two?', 'two!', 'three?', 'three!', 'four?', 'four!', 'last?']
    .filter((mark) => text.includes(mark))
    .join(' ')
}

const whole = 'Be kind one? one! two? two! three? three! four? four! last?'
const withLength = (contextLength: number) => async () => [{ id: 'm', contextLength }]

describe.each(['native', 'prompted', 'templated'] as const)('plan %s', (plan) => {
  test.each<[truncation: JsonObject, length: number, sent: string, notices: RegExp]>([
    [{}, 100, whole, /^$/],
    [{ truncation: 'disabled' }, 100, whole, /^$/],
    [{ truncation: null }, 100, whole, /^$/],
    [{ truncation: 'auto' }, 100_000, whole, /^$/],
    [{ truncation: 'auto' }, 700, 'Be kind two? two! three? three! four? four! last?', /truncated.*2 oldest items/],
    [{ truncation: 'auto', max_output_tokens: 200 }, 700, 'Be kind three? three! four? four! last?', /4 oldest items/],
    // No more than half of the context is kept for the reply.
    [{ truncation: 'auto', max_output_tokens: 100_000 }, 600, 'Be kind four? four! last?', /6 oldest items/],
    [{ truncation: 'auto' }, 10, 'Be kind last?', /8 oldest items/],
  ])('%j, a context of %i tokens', async (fields, length, sent, notices) => {
    const { post, asked } = start({ plan, models: withLength(length) })
    const { status, notices: told, answer } = await post(fields)
    expect({ status, asked }).toEqual({ status: 200, asked: [sent] })
    expect(told).toMatch(notices)
    expect(answer.truncation).toBe(fields.truncation ?? 'disabled')
  })

  test.each<[string, Upstream['models']]>([
    ['lists no length', async () => [{ id: 'm' }]],
    ['lists other models', async () => [{ id: 'other', contextLength: 10 }]],
    ['cannot be asked', () => Promise.reject(new AnycallError('upstream', 'nothing listens there'))],
  ])('an upstream that %s: all is sent, with a notice', async (_, models) => {
    const { post, asked, listed } = start({ plan, models })
    for (const _request of [1, 2]) {
      expect((await post({ truncation: 'auto' })).notices).toMatch(/truncation-unknown/)
    }
    expect(asked).toEqual([whole, whole])
    expect(listed()).toBe(1)
  })

  const tooLong = (prompt: number, maximum: number): Play => {
    const message = `prompt is too long: ${prompt} tokens > ${maximum} maximum`
    const error = statusError({ upstream: 'a', secrets: [] }, 400, JSON.stringify({ error: { message } }))
    return { pieces: [], fault: { type: 'status', error } }
  }

  test('a refusal that tells the length: the rest is sent, and the length is remembered', async () => {
    // Twice as many tokens as are estimated.
    const { post, asked } = start({ plan, models: async () => [], plays: [tooLong(1800, 1000)] })
    const first = await post({ truncation: 'auto' })
    expect(first.status).toBe(200)
    expect(first.notices).toMatch(/items.*1000 tokens/)
    expect(asked[0]).toBe(whole)
    expect(asked[1]).toMatch(/^Be kind three\? .*last\?$/)
    expect((await post({ truncation: 'auto' })).status).toBe(200)
    expect(asked).toHaveLength(3)
  })

  test('refusals do not repeat without end, and no request is sent twice', async () => {
    const { post, asked } = start({ plan, models: async () => [], plays: Array(9).fill(tooLong(5000, 1000)) })
    const { status, answer } = await post({ truncation: 'auto' })
    expect({ status, answer }).toMatchObject({ status: 400, answer: { error: { code: 'context_length_exceeded' } } })
    expect(asked.length).toBeLessThanOrEqual(3)
    expect(new Set(asked).size).toBe(asked.length)
  })

  test('without the field a refusal is an error', async () => {
    const { post, asked } = start({ plan, models: withLength(10), plays: [tooLong(1800, 1000)] })
    expect((await post({})).status).toBe(400)
    expect(asked).toHaveLength(1)
  })
})

test('another value is refused', async () => {
  const { post } = start({ plan: 'prompted', models: withLength(10) })
  expect(await post({ truncation: 'most' })).toMatchObject({
    status: 400,
    answer: { error: { type: 'invalid_request_error', param: 'truncation' } },
  })
})
