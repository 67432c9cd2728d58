// @ts-check
import { configFor, noProxy, startGateway, startModel, startProxy } from '../servers.mjs'

/** @typedef {import('./restarts.mjs').Options} Options */
/** @typedef {import('./restarts.mjs').Result} Result */

const model = 'words-2-5'
const turns = 4

/**
 * The ways in which clients name a conversation: the path, headers and members of the body.
 * @type {Record<string, (id: string) => { path: string, headers?: Record<string, string>, body: object }>}
 */
const clients = {
  'claude-code': (id) => ({
    path: '/v1/messages',
    body: { max_tokens: 100, metadata: { user_id: JSON.stringify({ device_id: 'd', session_id: id }) } },
  }),
  codex: (id) => ({ path: '/v1/responses', headers: { 'session-id': id }, body: {} }),
  opencode: (id) => ({ path: '/v1/chat/completions', headers: { 'x-session-affinity': id }, body: {} }),
  program: (id) => ({ path: '/v1/chat/completions', body: { prompt_cache_key: id } }),
}

/**
 * Puts a router between the gateway and two engines, which chooses by one header alone. With `sessionHeader`, all turns of a
 * conversation reach one engine, whichever client sends them; without it, they do not.
 * @param {Options} options
 * @returns {Promise<Result>}
 */
export async function sessionsBelow({ folder }) {
  if (noProxy !== undefined) return { saw: 'left out', fault: noProxy }
  const kept = await placesOf({ folder, sessionHeader: 'x-session-id' })
  const spread = await placesOf({ folder })
  const isAsExpected =
    kept.together === kept.conversations && kept.traced === kept.requests && kept.engines === 2 && spread.together === 0
  return {
    saw: `${kept.conversations} conversations of ${Object.keys(clients).length} clients, ${turns} turns each, below a router that hashes x-session-id: ${kept.together} stayed at one of ${kept.engines} engines (${spread.together} without sessionHeader); ${kept.traced} of ${kept.requests} requests carried traceparent`,
    fault: isAsExpected
      ? undefined
      : 'expected: each conversation at one engine, both engines used, all requests traced',
  }
}

/**
 * Sends the conversations through a gateway and a router, and returns which engines had them.
 * @param {{ folder: string, sessionHeader?: string }} options
 */
async function placesOf({ folder, sessionHeader }) {
  const engines = [await startModel(), await startModel()]
  const ports = engines.map(({ port }) => port)
  const router = await startProxy({ folder, ports, balance: 'hdr(x-session-id)' })
  const gateway = await startGateway({
    folder,
    name: `gateway-${sessionHeader ?? 'without'}`,
    config: {
      ...configFor([]),
      upstreams: { router: { type: 'openai-chat', url: `${router.url}/v1`, ...(sessionHeader && { sessionHeader }) } },
      models: [{ match: '*', upstream: 'router', plan: 'prompted' }],
    },
  })
  for (const [client, request] of Object.entries(clients)) {
    for (let n = 0; n < 4; n++) {
      const name = `${client}-${n}`
      for (let turn = 0; turn < turns; turn++) await send(gateway.url, name, request(name))
    }
  }
  /** @type {Record<string, { requests: number, traced: number }>[]} */
  const seen = await Promise.all(engines.map(async ({ port }) => (await fetch(`http://127.0.0.1:${port}/`)).json()))
  const names = new Set(seen.flatMap((conversations) => Object.keys(conversations)))
  const counts = seen.flatMap((conversations) => Object.values(conversations))
  for (const server of [gateway, router, ...engines]) await server.stop('SIGKILL')
  return {
    conversations: names.size,
    together: [...names].filter((name) => seen.some((own) => own[name]?.requests === turns)).length,
    engines: seen.filter((conversations) => Object.keys(conversations).length > 0).length,
    requests: counts.reduce((sum, { requests }) => sum + requests, 0),
    traced: counts.reduce((sum, { traced }) => sum + traced, 0),
  }
}

/** @param {string} url @param {string} name @param {ReturnType<typeof clients[string]>} request */
async function send(url, name, { path, headers, body }) {
  const text = `Conversation ${name}: count.`
  const asked = path === '/v1/responses' ? { input: text } : { messages: [{ role: 'user', content: text }] }
  const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
  const answer = await fetch(`${url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', traceparent, ...headers },
    body: JSON.stringify({ model, ...asked, ...body }),
  })
  if (answer.status !== 200) throw new Error(`${path} for ${name}: status ${answer.status}: ${await answer.text()}`)
  await answer.arrayBuffer()
}
