import { createHash } from 'node:crypto'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { ExchangeStart } from '../records/index.ts'
import { createScriptedUpstream } from '../upstreams/scripted/scripted.ts'
import type { Log, Upstream } from '../upstreams/upstream.ts'
import { parseConfig } from './config/config.ts'
import { createGateway } from './gateway.ts'

const digest = (key: string) => createHash('sha256').update(key).digest('hex')

interface Line {
  event: string
  fields: Record<string, unknown>
}

/** A gateway whose model says one word, and which knows the keys. */
function gatewayOf(keys: unknown[], config: Record<string, unknown> = {}, upstream?: Upstream) {
  const lines: Line[] = []
  const starts: ExchangeStart[] = []
  const log: Log = (_, event, fields = {}) => void lines.push({ event, fields })
  const model = upstream ?? createScriptedUpstream({ name: 'u', play: () => ({ pieces: ['Hello.'] }) })
  const parsed = parseConfig(
    {
      upstreams: { u: { type: 'scripted' } },
      models: [{ match: ['small', 'large-1', 'large-2'], upstream: 'u', plan: 'prompted' }],
      keys,
      ...config,
    } as unknown,
    { env: {} },
  )
  const onExchange = (start: ExchangeStart) => void starts.push(start)
  const gateway = createGateway({ config: parsed, upstreams: new Map([['u', model]]), log, onExchange })
  onTestFinished(() => gateway.close())
  const send = async (path: string, key: string, body?: object, headers: Record<string, string> = {}) => {
    const response = await gateway.fetch(
      new Request(`http://localhost${path}`, {
        headers: { authorization: `Bearer ${key}`, ...headers },
        ...(body && { method: 'POST', body: JSON.stringify(body) }),
      }),
    )
    const answer = {
      status: response.status,
      retryAfter: response.headers.get('retry-after'),
      body: await response.text(),
    }
    // A whole answer counts as ended with the next timers.
    await new Promise((resolve) => setTimeout(resolve, 1))
    return answer
  }
  const ask = (key: string, name = 'small', more: object = {}) =>
    send('/v1/chat/completions', key, { model: name, messages: [{ role: 'user', content: 'Hi' }], ...more })
  return { gateway, parsed, lines, starts, send, ask }
}

/** A promise, and the function that resolves it. */
function gate(): { opened: Promise<void>; open(): void } {
  let open = (): void => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { opened, open: () => open() }
}

describe('a named key', () => {
  test('is known by itself and by its digest, and its name is in the log, in records and in hooks', async () => {
    const keys = [{ name: 'team-a', key: 'key-a' }, { name: 'team-b', sha256: digest('key-b') }, 'plain']
    const { ask, send, lines, starts } = gatewayOf(keys, { records: { adminKey: 'admin-key' } })
    for (const [key, status] of [
      ['key-a', 200],
      ['key-b', 200],
      ['plain', 200],
      ['key-c', 401],
      [digest('key-b'), 401],
    ] as const)
      expect((await ask(key)).status).toBe(status)
    const requests = lines.filter(({ event }) => event === 'request')
    expect(requests.map(({ fields }) => fields.keyName)).toEqual(['team-a', 'team-b', undefined, undefined, undefined])
    expect(starts.map(({ keyName }) => keyName)).toEqual(['team-a', 'team-b', undefined])
    const [first] = starts
    const record = await send(`/inspector/api/exchanges/${first?.id}`, 'admin-key', undefined, { host: 'localhost' })
    expect(JSON.parse(record.body)).toMatchObject({ record: { client: { keyName: 'team-a' } } })
    expect(JSON.stringify([lines, record])).not.toMatch(/key-[ab]"/)
  })
})

describe('a key with models', () => {
  const keys = [{ name: 'team-a', key: 'a', models: ['large-*'] }, 'all']

  test('may use those, and is refused others in the form of the client', async () => {
    const { ask, send } = gatewayOf(keys)
    expect((await ask('a', 'large-1')).status).toBe(200)
    const message = 'The key "team-a" may not use the model "small". It may use: large-*.'
    for (const name of ['small', 'no-such-model']) {
      const { status, body } = await ask('a', name)
      expect([status, JSON.parse(body)]).toEqual([
        403,
        {
          error: { message: message.replace('small', name), type: 'invalid_request_error', param: 'model', code: null },
        },
      ])
    }
    const anthropic = { model: 'small', max_tokens: 9, messages: [{ role: 'user', content: 'Hi' }] }
    const refused = await send('/v1/messages', 'a', anthropic)
    expect([refused.status, JSON.parse(refused.body)]).toMatchObject([
      403,
      { error: { type: 'permission_error', message } },
    ])
    const counted = await send('/v1/messages/count_tokens', 'a', anthropic)
    expect(counted.status).toBe(403)
    const embedded = await send('/v1/embeddings', 'a', { model: 'small', input: 'x' })
    expect(embedded.status).toBe(403)
    expect((await send('/v1/models/small', 'a')).status).toBe(403)
    expect((await send('/v1/models/large-2', 'a')).status).toBe(200)
  })

  test('sees no others in lists', async () => {
    const { send } = gatewayOf(keys)
    const idsFor = async (key: string): Promise<string[]> =>
      JSON.parse((await send('/v1/models', key)).body).data.map(({ id }: { id: string }) => id)
    expect(await idsFor('a')).toEqual(['large-1', 'large-2'])
    expect(await idsFor('all')).toEqual(['small', 'large-1', 'large-2'])
    const claude = await send('/v1/models', 'a', undefined, { 'anthropic-version': '2023-06-01' })
    expect(claude.body).not.toContain('small')
    expect((await send('/api/tags', 'a')).body).not.toContain('small')
    expect((await send('/v1beta/models', 'a')).body).not.toContain('small')
  })

  test('may use a model by the name that Claude Code sees', async () => {
    const { ask } = gatewayOf(keys)
    expect((await ask('a', 'anthropic/large-1')).status).toBe(200)
    expect((await ask('a', 'anthropic/small')).status).toBe(403)
  })
})

describe('a key with limits', () => {
  test('gets 429 in the form of the client beyond its requests a minute; other keys are served on', async () => {
    const { ask, send, lines } = gatewayOf([{ name: 'team-a', key: 'a', limits: { requestsPerMinute: 2 } }, 'b'])
    expect((await ask('a')).status).toBe(200)
    expect((await ask('a', 'small', { stream: true })).status).toBe(200)
    const { status, retryAfter, body } = await ask('a')
    expect([status, JSON.parse(body)]).toMatchObject([429, { error: { type: 'rate_limit_error' } }])
    expect(body).toContain('has 2 requests a minute, which are used up (limits.requestsPerMinute of the key)')
    expect(Number(retryAfter)).toBeGreaterThan(0)
    expect(Number(retryAfter)).toBeLessThanOrEqual(30)
    const anthropic = { model: 'small', max_tokens: 9, messages: [{ role: 'user', content: 'Hi' }] }
    const refused = await send('/v1/messages', 'a', anthropic)
    expect([refused.status, JSON.parse(refused.body)]).toMatchObject([429, { error: { type: 'rate_limit_error' } }])
    expect(lines.at(-1)?.fields).toMatchObject({ keyName: 'team-a', status: 429, error: { kind: 'rate-limit' } })
    // Lists and counts are no requests to a model.
    expect((await send('/v1/models', 'a')).status).toBe(200)
    expect((await send('/v1/messages/count_tokens', 'a', anthropic)).status).toBe(200)
    expect((await ask('b')).status).toBe(200)
  })

  test('is refused once its tokens are used up', async () => {
    const usage = { inputTokens: 60, outputTokens: 50 }
    const upstream = createScriptedUpstream({ name: 'u', play: () => ({ pieces: ['Hello.'], usage }) })
    const { ask } = gatewayOf([{ name: 'a', key: 'a', limits: { tokensPerMinute: 200 } }], {}, upstream)
    const statuses: number[] = []
    for (let n = 0; n < 3; n++) statuses.push((await ask('a')).status)
    // The second begins below the limit, and goes beyond it.
    expect(statuses).toEqual([200, 200, 429])
  })

  test('has its limit of requests at once', async () => {
    const reached = gate()
    const held = gate()
    const scripted = createScriptedUpstream({ name: 'u', play: () => ({ pieces: ['Hello.'] }) })
    const upstream: Upstream = {
      ...scripted,
      generate: async (request, context) => {
        reached.open()
        await held.opened
        return scripted.generate(request, context)
      },
    }
    const { ask } = gatewayOf([{ name: 'a', key: 'a', limits: { concurrentRequests: 1 } }], {}, upstream)
    const first = ask('a')
    // Digests are made beside this thread: without it, the second request may be the first to be admitted.
    await reached.opened
    const second = await ask('a')
    expect([second.status, second.retryAfter]).toEqual([429, '1'])
    held.open()
    expect((await first).status).toBe(200)
    expect((await ask('a')).status).toBe(200)
  })

  test('keeps its counts when the configuration is loaded again', async () => {
    const { gateway, parsed, ask } = gatewayOf([{ name: 'a', key: 'a', limits: { requestsPerMinute: 2 } }])
    expect((await ask('a')).status).toBe(200)
    const lowered = { ...parsed, keys: [{ name: 'a', key: 'a', limits: { requestsPerMinute: 1 } }] }
    gateway.reload({ config: lowered, upstreams: new Map([['u', createScriptedUpstream({ name: 'u' })]]) })
    expect((await ask('a')).status).toBe(200)
    expect((await ask('a')).status).toBe(429)
  })
})
