import { afterAll, afterEach, expect, test } from 'vitest'
import {
  type ServerReply,
  says,
  startUpstreamServer,
  type UpstreamServer,
} from '../../../test/support/upstream-server.ts'
import type { JsonObject } from '../../conversation/index.ts'
import { createNodeTransport } from '../../upstreams/transport/node-transport.ts'
import { parseConfig } from '../config/config.ts'
import { createUpstreams } from '../config/create/upstreams.ts'
import { createGateway } from '../gateway.ts'

const transport = createNodeTransport()
afterAll(() => transport.close())

let server: UpstreamServer
afterEach(() => server.close())

const busy: ServerReply = { type: 'status', status: 503, body: { error: { message: 'busy' } } }
const refusal = (message: string): ServerReply => ({ type: 'status', status: 400, body: { error: { message } } })

/**
 * A server that is busy at first, and refuses every part that can be refused, one after the other; then all its calls
 * are wrong.
 */
function worst({ messages, tools, tool_choice: choice, ...body }: JsonObject, n: number): ServerReply {
  if (n === 0) return busy
  const field = ['stream_options', 'max_tokens', 'max_completion_tokens', 'top_p', 'temperature'].find(
    (one) => one in body,
  )
  if (field !== undefined) return refusal(`Unsupported parameter: '${field}'.`)
  if (choice === 'required' || typeof choice === 'object') return refusal('tool_choice cannot force a call')
  if (JSON.stringify(messages).includes('image_url')) return refusal('this model does not support image input')
  if (tools !== undefined) return refusal('m does not support tools')
  return says('<tool_call>{"name": "no_such_tool", "arguments": {}}</tool_call>')
}

/** The answer to a request that needs all there is, and the requests that its upstreams got. */
async function ask(attempts: number | undefined, script: (body: JsonObject, n: number) => ServerReply) {
  server = await startUpstreamServer(script)
  const upstream = { type: 'openai-chat', url: server.url, retries: 2 }
  const config = parseConfig(
    {
      upstreams: { a: upstream, b: upstream, c: upstream },
      models: [
        {
          match: 'm',
          upstream: ['a', 'b', 'c'],
          plan: 'native',
          dialect: 'hermes',
          corrections: 10,
          continuations: 10,
        },
      ],
      ...(attempts !== undefined && { limits: { attempts } }),
    } as unknown,
    { file: 'test', env: {} },
  )
  const codes: unknown[] = []
  const gateway = createGateway({
    config,
    upstreams: createUpstreams(config, { transport }),
    log: (_, event, fields) => void (event === 'notice' && codes.push(fields?.code)),
  })
  const response = await gateway.fetch(
    new Request('http://gateway/v1/messages', {
      method: 'POST',
      body: JSON.stringify({
        model: 'm',
        max_tokens: 100,
        temperature: 0.5,
        top_p: 0.5,
        tool_choice: { type: 'tool', name: 'now' },
        tools: [{ name: 'now', description: 'The time.', input_schema: { type: 'object', properties: {} } }],
        messages: [
          {
            role: 'user',
            content: [
              { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } },
              { type: 'text', text: 'What time is it?' },
            ],
          },
        ],
      }),
    }),
  )
  return { status: response.status, body: await response.json(), requests: server.requests.length, codes }
}

test.each([1, 2, 6, 12])('with %i requests, none of which begins a reply, the last error is told', async (attempts) => {
  const { status, body, requests } = await ask(attempts, worst)
  expect(requests).toBe(attempts)
  expect(status).toBeGreaterThanOrEqual(400)
  expect(body).toMatchObject({ type: 'error', error: { message: expect.stringMatching(/^Upstream "a" answered/) } })
})

test.each([14, 20, undefined])('with %s requests, the best reply so far is given, with a notice', async (attempts) => {
  const { status, body, requests, codes } = await ask(attempts, worst)
  expect(requests).toBe(attempts ?? 32)
  expect([status, body.type]).toEqual([200, 'message'])
  expect(codes).toContain('required-call-missing')
})

test('the same request would cost more than the limit: 12 to its first reply, then a demanded call for each correction', async () => {
  const { status, requests, codes } = await ask(1000, worst)
  expect([status, requests]).toEqual([200, 34])
  expect(codes.filter((code) => code === 'call-sent-back')).toHaveLength(10)
})

test('an upstream that was not asked for want of requests does not count as failing', async () => {
  const { requests, body } = await ask(3, () => busy)
  expect(requests).toBe(3)
  expect(body.error.message).toMatch(/answered 503.*limits\.attempts/)
})
