import { afterAll, afterEach, expect, test } from 'vitest'
import { type AnthropicServerOptions, startAnthropicServer } from '../../../test/stand-ins/anthropic-server.ts'
import type { StandInServer } from '../../../test/stand-ins/http-stand-in.ts'
import { generateAll, messagesRequest, toolsRequest } from '../../../test/support/upstreams/conversation.ts'
import { type Conversation, isJsonObject, type JsonObject, type JsonValue } from '../../conversation/index.ts'
import { createNodeTransport } from '../transport/node-transport.ts'
import type { Upstream } from '../upstream.ts'
import { type AnthropicOptions, createAnthropicUpstream } from './anthropic.ts'

const transport = createNodeTransport()
afterAll(() => transport.close())

let server: StandInServer
afterEach(() => server?.close())

async function start(options: Partial<AnthropicOptions> = {}, more: AnthropicServerOptions = {}): Promise<Upstream> {
  server = await startAnthropicServer(more)
  return createAnthropicUpstream({ name: 'claude', url: server.url, transport, ...options })
}

/** The places of breakpoints in a value, and the value without them. */
function split(value: JsonValue, path = ''): { places: string[]; rest: JsonValue } {
  if (!Array.isArray(value) && !isJsonObject(value)) return { places: [], rest: value }
  const places: string[] = []
  const inner = (child: JsonValue, key: string | number): JsonValue => {
    const found = split(child, `${path}/${key}`)
    places.push(...found.places)
    return found.rest
  }
  if (Array.isArray(value)) return { rest: value.map(inner), places }
  const { cache_control: mark, ...others } = value
  if (mark !== undefined) {
    expect(mark).toEqual({ type: 'ephemeral' })
    places.push(path)
  }
  return {
    rest: Object.fromEntries(Object.entries(others).map(([key, child]) => [key, inner(child ?? null, key)])),
    places,
  }
}

const placesIn = (n: number): string[] => split(server.requests[n]?.body ?? {}).places.sort()
const user = (text: string) => ({ role: 'user' as const, parts: [{ type: 'text' as const, text }] })
const assistant = (text: string) => ({ role: 'assistant' as const, parts: [{ type: 'text' as const, text }] })

test.each<[string, Partial<Conversation>, string[]]>([
  ['all there is', {}, ['/messages/0/content/2', '/messages/2/content/2', '/system/0', '/tools/1']],
  ['no tools', { tools: [], turns: [user('a')] }, ['/messages/0/content/0', '/system/0']],
  ['no system prompt', { system: '', tools: [], turns: [user('a')] }, ['/messages/0/content/0']],
  ['a system prompt of white space', { system: ' \n', tools: [], turns: [user('a')] }, ['/messages/0/content/0']],
  [
    'three messages of the user, and the beginning of a reply',
    { tools: [], turns: [user('a'), assistant('b'), user('c'), assistant('d'), user('e'), assistant('f')] },
    ['/messages/2/content/0', '/messages/4/content/0', '/system/0'],
  ],
])('breakpoints: %s', async (_, conversation, places) => {
  await generateAll(await start(), toolsRequest(conversation))
  expect(placesIn(0)).toEqual(places)
})

test('breakpoints of messages of text', async () => {
  const parts = [{ type: 'text' as const, text: 'a' }]
  const messages = [
    { role: 'system' as const, parts },
    { role: 'user' as const, parts },
  ]
  await generateAll(await start(), messagesRequest({ messages }))
  expect(placesIn(0)).toEqual(['/messages/0/content/0', '/system/0'])
})

test('a turn begins with the prompt of the turn before it, and has a breakpoint at its end', async () => {
  const upstream = await start()
  const turns = [user('a'), assistant('b'), user('c')]
  await generateAll(upstream, toolsRequest({ turns }))
  await generateAll(upstream, toolsRequest({ turns: [...turns, assistant('d'), user('e')] }))
  const [before, after] = server.requests.map(({ body }) => split(body).rest)
  const prompt = (value: JsonValue | undefined, count: number): JsonObject => {
    const { tools, system, messages }: JsonObject = isJsonObject(value) ? value : {}
    return { tools, system, messages: Array.isArray(messages) ? messages.slice(0, count) : [] }
  }
  expect(prompt(after, 3)).toEqual(prompt(before, 3))
  expect(placesIn(0)).toContain('/messages/2/content/0')
  expect(placesIn(1)).toContain('/messages/2/content/0')
})

test('switched off, there are none', async () => {
  await generateAll(await start({ promptCaching: false }), toolsRequest())
  expect(placesIn(0)).toEqual([])
  expect(server.requests[0]?.body.system).toBe('Be brief.')
})

test('a server that does not know them gets none, from then on', async () => {
  const upstream = await start({}, { quirks: { noCacheControl: true } })
  await generateAll(upstream, toolsRequest())
  await generateAll(upstream, toolsRequest())
  expect(server.requests.map((_, n) => placesIn(n).length)).toEqual([4, 0, 0])
})
