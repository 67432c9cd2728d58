import { expect, onTestFinished, test } from 'vitest'
import type { ExchangeList, ExchangeView, LiveEvent, ReplayResult, SessionTree } from '../records/index.ts'
import { createScriptedUpstream } from '../upstreams/scripted/scripted.ts'
import { parseConfig } from './config/config.ts'
import { createGateway, type Gateway } from './gateway.ts'
import type { GatewayOptions } from './options.ts'

const call = '<tool_call>\n{"name": "get_weather", "arguments": {"city": "Oslo"}}\n</tool_call>'
const tools = [
  {
    name: 'get_weather',
    input_schema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  },
]
const user = (content: string) => ({ role: 'user', content })

function gatewayOf(
  pieces: readonly string[],
  config: Record<string, unknown> = {},
  hooks: Partial<GatewayOptions> = {},
): Gateway {
  const parsed = parseConfig(
    {
      upstreams: { u: { type: 'openai-chat', url: 'http://127.0.0.1:9/v1', key: 'upstream-key' } },
      models: [{ match: '*', upstream: 'u', plan: 'prompted', dialect: 'hermes' }],
      records: {},
      ...config,
    } as unknown,
    { file: 'test', env: {} },
  )
  const upstream = createScriptedUpstream({ name: 'u', play: () => ({ pieces }) })
  const gateway = createGateway({ config: parsed, upstreams: new Map([['u', upstream]]), ...hooks } as GatewayOptions)
  onTestFinished(() => gateway.close())
  return gateway
}

async function ask(gateway: Gateway, messages: unknown[], more: Record<string, unknown> = {}, headers = {}) {
  const response = await gateway.fetch(
    new Request('http://127.0.0.1/v1/messages', {
      method: 'POST',
      headers,
      body: JSON.stringify({ model: 'm', max_tokens: 9, messages, tools, ...more }),
    }),
  )
  const asked = { id: response.headers.get('request-id') ?? '', status: response.status, text: await response.text() }
  // A whole answer is logged with the next timers.
  await new Promise((resolve) => setTimeout(resolve, 1))
  return asked
}

async function api<Body>(gateway: Gateway, path: string, body?: unknown, headers = {}): Promise<Body> {
  const response = await gateway.fetch(
    new Request(`http://127.0.0.1/inspector/api/${path}`, {
      headers: { host: '127.0.0.1', ...headers },
      ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
    }),
  )
  return { ...(await response.json()), httpStatus: response.status } as Body
}

test('the record of an exchange has all from the request to the bytes of the client', async () => {
  const gateway = gatewayOf(['Let me ', `see. ${call.slice(0, 20)}`, call.slice(20)])
  const { id, text } = await ask(gateway, [user('How is Oslo?')], { stream: true })
  const { record, summary, prompts, reasons, copies } = await api<ExchangeView>(gateway, `exchanges/${id}`)
  expect(record.client).toMatchObject({
    path: '/v1/messages',
    protocol: 'anthropic-messages',
    model: 'm',
    stream: true,
  })
  expect(JSON.parse(record.client.body)).toMatchObject({ model: 'm' })
  expect(record.conversation?.turns).toHaveLength(1)
  expect(record.plan).toEqual({
    upstream: 'u',
    model: 'm',
    plan: 'prompted',
    why: 'the rule says so',
    dialect: 'hermes',
  })
  const [attempt] = record.attempts
  expect(attempt?.text.text).toBe(`Let me see. ${call}`)
  // The name is a member of the JSON that the call is.
  expect(attempt?.spans.map(({ role }) => role)).toEqual(['text', 'marker', 'argument', 'name', 'argument', 'marker'])
  expect(attempt?.spans.slice(1).map(({ start }) => start)).toEqual(attempt?.spans.slice(0, -1).map(({ end }) => end))
  expect(attempt?.spans.at(-1)?.end).toBe(attempt?.text.text.length)
  expect(attempt?.requests[0]?.body).toContain('get_weather')
  expect(record.reply.map(({ event }) => event.type)).toEqual([
    'text',
    'call-start',
    'call-arguments',
    'call-end',
    'finish',
  ])
  expect(record.answer.body.text).toBe(text)
  expect(record.timings.end).toBeGreaterThanOrEqual(record.timings.firstByte ?? Number.NaN)
  expect(summary).toMatchObject({ id, state: 'ok', status: 200, calls: ['get_weather'], asks: 'How is Oslo?' })
  expect(reasons).toEqual([])
  expect(prompts[0]?.parts.map(({ kind }) => kind)).toEqual(['system', 'user'])
  expect(copies.curl).toContain('/v1/messages')
  expect(JSON.parse(copies.test)).toMatchObject({ expect: { tool_calls: [{ name: 'get_weather' }] } })
})

test('exchanges of one conversation are one session', async () => {
  const gateway = gatewayOf(['Hello.'])
  const first = await ask(gateway, [user('a')])
  const other = await ask(gateway, [user('b')])
  const second = await ask(gateway, [user('a'), { role: 'assistant', content: 'Hello.' }, user('c')])
  const tree = await api<SessionTree>(gateway, `sessions/${first.id}`)
  expect(tree.exchanges.map(({ id, session }) => [id, session.step, session.parent])).toEqual([
    [first.id, 0, undefined],
    [second.id, 1, first.id],
  ])
  const list = await api<ExchangeList>(gateway, 'exchanges?limit=2')
  expect(list.exchanges.map(({ id }) => id)).toEqual([second.id, other.id])
  expect(list.next).toBe(other.id)
  const rest = await api<ExchangeList>(gateway, `exchanges?before=${list.next}`)
  expect(rest.exchanges.map(({ id }) => id)).toEqual([first.id])
})

test('filters find failures and notices, and what is odd is kept alone if so configured', async () => {
  const gateway = gatewayOf(['<tool_call>{"name": "other", "arguments": {}}</tool_call>'], { records: { keep: 'odd' } })
  const { id } = await ask(gateway, [user('a')])
  const failed = await ask(gateway, [user('a')], { max_tokens: 'x' })
  const list = await api<ExchangeList>(gateway, 'exchanges')
  expect(list.exchanges.map((row) => [row.id, row.state])).toEqual([
    [failed.id, 'failed'],
    [id, 'odd'],
  ])
  const found = await api<ExchangeList>(gateway, 'exchanges?notice=unknown-tool')
  expect(found.exchanges.map((row) => row.id)).toEqual([id])
  const { reasons } = await api<ExchangeView>(gateway, `exchanges/${failed.id}`)
  expect(reasons[0]).toMatchObject({ level: 'error', code: 'invalid-request' })
})

test('a correction is an attempt with its cause', async () => {
  const gateway = gatewayOf(['<tool_call>{"name": "other", "arguments": {}}</tool_call>'], {
    models: [{ match: '*', upstream: 'u', plan: 'prompted', dialect: 'hermes', corrections: 1 }],
  })
  const { id } = await ask(gateway, [user('a')])
  const { record } = await api<ExchangeView>(gateway, `exchanges/${id}`)
  expect(record.attempts.map(({ cause }) => cause?.event)).toEqual([undefined, 'call-sent-back'])
})

test('a text is read again, and a request is sent again', async () => {
  const gateway = gatewayOf([call])
  const { id } = await ask(gateway, [user('a')])
  const read = await api<ReplayResult>(gateway, `exchanges/${id}/replay`, { type: 'read', dialect: 'mistral' })
  expect(read.type === 'read' && read.before.parts[0]).toMatchObject({ type: 'call', name: 'get_weather' })
  const sent = await api<ReplayResult>(gateway, `exchanges/${id}/replay`, { type: 'send', dialect: 'mistral' })
  expect(sent).toMatchObject({ type: 'send', status: 200 })
  const again = await api<ExchangeView>(gateway, `exchanges/${sent.type === 'send' ? sent.id : ''}`)
  expect(again.record.plan?.dialect).toBe('mistral')
})

test('records are read with the admin key, or on the same machine', async () => {
  const admin = 'the-admin-key'
  const open = gatewayOf(['a'])
  expect(await api(open, 'exchanges', undefined, { origin: 'http://localhost:3000' })).toMatchObject({
    httpStatus: 403,
  })
  expect(await api(open, 'exchanges', undefined, { 'sec-fetch-site': 'same-site' })).toMatchObject({ httpStatus: 403 })
  const closed = gatewayOf(['a'], { keys: ['key-of-a-client'] })
  expect(await api(closed, 'exchanges', undefined, { 'x-api-key': 'key-of-a-client' })).toMatchObject({
    httpStatus: 403,
  })
  const keyed = gatewayOf(['a'], { keys: ['key-of-a-client'], records: { adminKey: admin } })
  expect(await api(keyed, 'exchanges', undefined, { 'x-api-key': 'key-of-a-client' })).toMatchObject({
    httpStatus: 401,
  })
  expect(await api(keyed, 'exchanges', undefined, { 'x-api-key': admin })).toMatchObject({ httpStatus: 200 })
})

test('the live stream has what begins and ends', async () => {
  const gateway = gatewayOf(['one ', 'two'])
  const live = await gateway.fetch(
    new Request('http://127.0.0.1/inspector/api/live', { headers: { host: '127.0.0.1' } }),
  )
  const reader = live.body?.pipeThrough(new TextDecoderStream()).getReader()
  await reader?.read()
  await ask(gateway, [user('a')])
  let value = ''
  for (let read = 0; read < 20 && !value.includes('"type":"end"'); read++) value += (await reader?.read())?.value ?? ''
  const events = value.split('\n\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line.slice(6)) as LiveEvent]))
  expect([events[0]?.type, events.at(-1)?.type]).toEqual(['begin', 'end'])
  const pieces = events.map((event) => (event.type === 'piece' ? event.text : '')).join('')
  expect(pieces).toBe('one two')
  await reader?.cancel()
})

test('hooks of a program are told of replies, calls and notices, and cannot break them', async () => {
  const told: unknown[] = []
  const gateway = gatewayOf(
    [call],
    {},
    {
      onCall: ({ call: { name, arguments: json } }) => void told.push([name, json]),
      onReply: ({ reply }) => void told.push(reply.finish.reason),
      onNotice: ({ notice }) => void told.push(notice.code),
      onExchange: () => {
        throw new Error('broken')
      },
    },
  )
  const { status } = await ask(gateway, [user('a')], { unknown_field: 1 })
  expect(status).toBe(200)
  expect(told).toEqual(['field-ignored', ['get_weather', '{"city":"Oslo"}'], 'calls'])
})

test.each([
  ['the digest of a key', 'sha256'],
  ['pass-through', 'pass-through'],
])('%s: a record, its row and the live stream do not have the key of the client', async (_, keys) => {
  const key = 'own-key-of-a-client'
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(key)))
  const sha256 = [...digest].map((byte) => byte.toString(16).padStart(2, '0')).join('')
  const gateway = gatewayOf(
    [`your key is ${key.slice(0, 9)}`, key.slice(9), ' and more, so that all is sent '.repeat(9)],
    {
      keys: keys === 'sha256' ? [{ name: 'a', sha256 }] : keys,
      records: { adminKey: 'the-admin-key' },
    },
  )
  const admin = { 'x-api-key': 'the-admin-key' }
  const seen: string[] = []
  const live = await gateway.fetch(new Request('http://127.0.0.1/inspector/api/live', { headers: admin }))
  const reader = live.body?.pipeThrough(new TextDecoderStream()).getReader()
  await reader?.read()
  const { status, text } = await ask(gateway, [user(`my key is ${key}`)], {}, { 'x-api-key': key, 'user-agent': key })
  expect([status, text.includes(key)]).toEqual([200, true])
  const gemini = await gateway.fetch(
    new Request(`http://127.0.0.1/v1beta/models/m:generateContent?key=${key}`, {
      method: 'POST',
      headers: { 'user-agent': `client/${key}` },
      body: JSON.stringify({ contents: [{ role: 'user', parts: [{ text: `it is ${key}` }] }] }),
    }),
  )
  expect([gemini.status, (await gemini.text()).includes(key)]).toEqual([200, true])
  await new Promise((resolve) => setTimeout(resolve, 1))
  for (let read = 0; read < 40 && seen.join('').split('"type":"end"').length < 3; read++)
    seen.push((await reader?.read())?.value ?? '')
  await reader?.cancel()
  const list = await api<ExchangeList>(gateway, 'exchanges', undefined, admin)
  expect(list.exchanges).toHaveLength(2)
  seen.push(JSON.stringify(list))
  for (const { id } of list.exchanges) {
    const view = await api<ExchangeView>(gateway, `exchanges/${id}`, undefined, admin)
    expect(view.record.attempts[0]?.requests[0]?.body).toContain('*'.repeat(key.length))
    seen.push(JSON.stringify(view))
  }
  expect(seen.join('')).not.toContain(key)
})
