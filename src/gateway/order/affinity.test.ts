import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { says, startUpstreamServer, type UpstreamServer } from '../../../test/support/upstream-server.ts'
import type { JsonObject } from '../../conversation/index.ts'
import { anthropicMessages } from '../../protocols/anthropic/index.ts'
import { openaiChat } from '../../protocols/openai-chat/index.ts'
import { createNodeTransport } from '../../upstreams/transport/node-transport.ts'
import { parseConfig } from '../config/config.ts'
import { createUpstreams } from '../config/create/upstreams.ts'
import { createGateway } from '../gateway.ts'
import { affinityKey, sessionOf } from './affinity.ts'

describe('the session', () => {
  const user = (id: string): JsonObject => ({ metadata: { user_id: id } })
  const table: [what: string, body: JsonObject, session: string | undefined][] = [
    ['JSON of Claude Code', user('{"device_id":"d","session_id":"s-12345678"}'), 's-12345678'],
    ['a name of Claude Code', user('user_f00_account__session_0f0e-11aa22bb'), '0f0e-11aa22bb'],
    ['a user alone', user('user-7'), undefined],
    ['JSON without a session', user('{"device_id":"d"}'), undefined],
    ['JSON that is cut', user('{"session_id":"s'), undefined],
    ['a session that is no text', user('{"session_id":7}'), undefined],
    ['metadata that is no object', { metadata: 'x' }, undefined],
  ]
  test.each(table)('in an Anthropic request: %s', (_, fields, session) => {
    const body = { model: 'm', max_tokens: 9, messages: [{ role: 'user', content: 'Hi' }], ...fields }
    expect(anthropicMessages.decode(body).session).toBe(session)
  })

  test.each([
    ['k1', 'k1'],
    ['', undefined],
    [7, undefined],
  ])('in prompt_cache_key %j', (key, session) => {
    const body = { model: 'm', messages: [{ role: 'user', content: 'Hi' }], prompt_cache_key: key }
    expect(openaiChat.decode(body).session).toBe(session)
  })

  test.each<[headers: Record<string, string>, inBody: string | undefined, session: string | undefined]>([
    [{}, undefined, undefined],
    [{}, 'b', 'b'],
    [{ 'x-claude-code-session-id': ' c ' }, 'b', 'c'],
    [{ 'session-id': 'codex', 'x-session-id': 'own' }, 'b', 'own'],
    [{ session_id: 'old' }, undefined, 'old'],
    [{ 'x-session-id': '  ' }, 'b', 'b'],
    [{ 'x-session-id': 'x'.repeat(513) }, 'y'.repeat(513), undefined],
  ])('of the headers %j and the body %j', (headers, inBody, session) => {
    expect(sessionOf((name) => headers[name], inBody)).toBe(session)
  })
})

describe('the key', () => {
  const asks = (text: string, url?: string) => ({
    model: 'm',
    turns: [
      {
        role: 'user' as const,
        parts: [{ type: 'text' as const, text }, ...(url ? [{ type: 'image' as const, url }] : [])],
      },
    ],
  })

  test('depends on the session alone, if there is one', () => {
    const one = affinityKey({ conversation: asks('a'), session: 's' })
    expect(affinityKey({ conversation: asks('b'), session: 's' })).toBe(one)
    expect(affinityKey({ conversation: asks('a'), session: 't' })).not.toBe(one)
  })

  test('differs by text, by image and by length, and is bounded', () => {
    const long = 'x'.repeat(1_000_000)
    const keys = [
      asks('a'),
      asks('b'),
      asks('a', 'https://a'),
      asks('a', 'https://b'),
      asks(long),
      asks(`${long}x`),
    ].map((conversation) => affinityKey({ conversation }))
    expect(new Set(keys).size).toBe(keys.length)
    expect(Math.max(...keys.map((key) => key.length))).toBeLessThan(5000)
  })
})

describe('requests to upstreams', () => {
  const transport = createNodeTransport()
  afterAll(() => transport.close())
  const servers: UpstreamServer[] = []
  afterEach(() => Promise.all(servers.splice(0).map((server) => server.close())))

  async function gatewayOf(count: number, settings: JsonObject = {}) {
    for (let n = 0; n < count; n++) servers.push(await startUpstreamServer(() => says('Hello.')))
    const upstreams = Object.fromEntries(
      servers.map(({ url }, n) => [`u${n}`, { type: 'openai-chat', url, ...settings }]),
    )
    const rule = { match: '*', plan: 'native', upstream: Object.keys(upstreams).map((name) => ({ name, weight: 1 })) }
    const config = parseConfig({ upstreams, models: [rule] } as unknown, { env: {} })
    const gateway = createGateway({ config, upstreams: createUpstreams(config, { transport }) })
    return async (text: string, more: JsonObject = {}, headers: Record<string, string> = {}) => {
      const body = JSON.stringify({ model: 'm', messages: [{ role: 'user', content: text }], ...more })
      const answer = await gateway.fetch(
        new Request('http://localhost/v1/chat/completions', { method: 'POST', body, headers }),
      )
      expect(answer.status).toBe(200)
    }
  }

  test('go to one of them for one session, and to all for many', async () => {
    const ask = await gatewayOf(3)
    for (let n = 0; n < 6; n++) await ask(`question ${n}`, { prompt_cache_key: 'one' })
    expect(servers.map(({ requests }) => requests.length).sort()).toEqual([0, 0, 6])
    for (let n = 0; n < 6; n++) await ask(`question ${n}`, {}, { 'x-session-id': 'two' })
    expect(servers.map(({ requests }) => requests.length).filter((count) => count % 6 !== 0)).toEqual([])
    for (let n = 0; n < 30; n++) await ask('the same question', { prompt_cache_key: `session ${n}` })
    for (const { requests } of servers) expect(requests.length).toBeGreaterThan(0)
  })

  test.each<[settings: JsonObject, passed: Record<string, string | undefined>]>([
    [{}, { 'session-id': 's', 'x-claude-code-session-id': 'c', 'x-team': undefined, authorization: undefined }],
    [{ passHeaders: [] }, { 'session-id': undefined, 'x-team': undefined }],
    [{ passHeaders: ['X-Team'] }, { 'session-id': undefined, 'x-team': 't' }],
    [{ passHeaders: ['x-team'], headers: { 'X-Team': 'own' } }, { 'x-team': 'own' }],
    [{ passHeaders: ['x-long'] }, { 'x-long': undefined }],
    [{ sessionHeader: 'X-Session-Id' }, { 'x-session-id': 'c', 'session-id': 's' }],
    [{ sessionHeader: 'session-id' }, { 'session-id': 's', 'x-session-id': undefined }],
    [
      { sessionHeader: 'session-id', passHeaders: [] },
      { 'session-id': 'c', 'x-claude-code-session-id': undefined },
    ],
  ])('carry the headers of %j', async (settings, passed) => {
    const ask = await gatewayOf(1, settings)
    const headers = { 'session-id': 's', 'x-claude-code-session-id': 'c', 'x-team': 't', 'x-long': 'x'.repeat(2000) }
    await ask('Hi', {}, { ...headers, authorization: 'Bearer client' })
    expect(servers[0]?.requests[0]?.headers).toMatchObject(
      Object.fromEntries(Object.entries(passed).filter(([, value]) => value !== undefined)),
    )
    for (const [name, value] of Object.entries(passed)) expect(servers[0]?.requests[0]?.headers[name]).toBe(value)
  })

  test.each<[body: JsonObject, headers: Record<string, string>, sent: string | undefined]>([
    [{ prompt_cache_key: 'one' }, {}, 'one'],
    [{ prompt_cache_key: 'one' }, { 'x-session-affinity': 'two' }, 'two'],
    [{}, {}, undefined],
    [{ prompt_cache_key: 'zwölf' }, {}, undefined],
    [{ prompt_cache_key: 'one\r\nx-admin: 1' }, {}, undefined],
  ])('carry the session of the body %j and the headers %j in one header', async (body, headers, sent) => {
    const ask = await gatewayOf(1, { sessionHeader: 'x-smg-routing-key' })
    await ask('Hi', body, headers)
    expect(servers[0]?.requests[0]?.headers['x-smg-routing-key']).toBe(sent)
  })

  test.each(['authorization', 'Cookie', 'x-api-key', 'content-length', 'host', 'proxy-authorization', 'a b', ''])(
    'cannot be given the header %j',
    (name) => {
      const upstreams = { a: { type: 'openai-chat', url: 'http://127.0.0.1:1/v1', passHeaders: [name] } }
      expect(() => parseConfig({ upstreams } as unknown, { env: {} })).toThrow('passHeaders')
      const other = { a: { type: 'openai-chat', url: 'http://127.0.0.1:1/v1', sessionHeader: name } }
      expect(() => parseConfig({ upstreams: other } as unknown, { env: {} })).toThrow('sessionHeader')
    },
  )
})
