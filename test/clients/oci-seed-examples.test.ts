import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { parse } from 'yaml'
import { isJsonObject, type JsonObject, type JsonValue } from '../../src/conversation/index.ts'
import { type OciReply, type OciServer, startOciServer } from '../stand-ins/oci-server.ts'
import { gatewayForTest } from '../support/gateway-fixture.ts'
import { compartment, profileForTest, usualKeyPair } from '../support/upstreams/oci.ts'
import { readAnthropicStream } from './anthropic-stream.ts'
import { post, readSse } from './sse.ts'
import { searchRequest } from './travel-request.ts'

/** A gateway before OCI Generative AI, configured as a user would: by a file's entry, a profile and a model's definition. */
async function start(
  format: string,
  reply: OciReply,
): Promise<{ server: OciServer; ask(more?: JsonObject): Promise<Response> }> {
  const { publicKey, privateKey } = usualKeyPair()
  const { file } = profileForTest(privateKey)
  const server = await startOciServer({ publicKey, script: () => reply })
  onTestFinished(() => server.close())
  const oci = {
    type: 'oci-generative-ai',
    compartment,
    endpoint: server.url,
    auth: { type: 'config-file', file, profile: 'DEFAULT' },
    models: { 'the-model': { id: 'ocid1.generativeaimodel.oc1..mmmm', format, temperature: 0.2 } },
  }
  const gateway = await gatewayForTest({
    upstream: server.url,
    config: {
      upstreams: { oci },
      models: [{ match: '*', upstream: 'oci', model: 'the-model', dialect: 'tool-call-json' }],
    },
  })
  return { server, ask: (more = {}) => post(`${gateway.url}/v1/messages`, { ...searchRequest, ...more }) }
}

/** The same with the rule and the definition in docs/configuration.md; only address and keys are the stand-in's. */
async function startAsDocumented(reply: OciReply): Promise<(more?: JsonObject) => Promise<Response>> {
  const page = readFileSync(join(import.meta.dirname, '../../docs/configuration.md'), 'utf8')
  const [, yaml = ''] = /### oci-generative-ai\n.*?```yaml\n(.*?)```/s.exec(page) ?? []
  const { upstreams, models } = parse(yaml)
  const { publicKey, privateKey } = usualKeyPair()
  const { file } = profileForTest(privateKey)
  const server = await startOciServer({ publicKey, script: () => reply })
  onTestFinished(() => server.close())
  const auth = { type: 'config-file', file, profile: 'DEFAULT' }
  const oci = { ...upstreams.oci, compartment, endpoint: server.url, auth }
  const gateway = await gatewayForTest({ upstream: server.url, config: { upstreams: { oci }, models } })
  return (more = {}) => post(`${gateway.url}/v1/messages`, { ...searchRequest, model: 'claude-x', ...more })
}

const call = { type: 'tool_use', name: 'web_search', input: { query: 'Python tutorials' } }
const examples: [string, string, JsonValue[]][] = [
  [
    'a call that is no JSON',
    '<TOOL_CALL>\n{name: "web_search", input: {query: "Python tutorials"}}\n</TOOL_CALL>',
    [call],
  ],
  [
    'a call with words around it',
    '我会帮你搜索Python教程。\n<TOOL_CALL>\n{"name": "web_search", "input": {"query": "Python tutorials"}}\n</TOOL_CALL>\n让我知道是否需要其他帮助。',
    [{ type: 'text', text: '我会帮你搜索Python教程。' }, call, { type: 'text', text: '\n让我知道是否需要其他帮助。' }],
  ],
]

test.each(examples)('the documented configuration reads %s', async (_, written, content) => {
  const ask = await startAsDocumented({ type: 'reply', pieces: written.match(/.{1,4}/gs) ?? [] })
  const blocks = content.map((block) => (block === call ? { ...call, id: expect.stringMatching(/^toolu_/) } : block))
  expect(await (await ask()).json()).toMatchObject({ content: blocks, stop_reason: 'tool_use' })
})

describe.each(['generic', 'cohere'])('a Claude client before a model of OCI in the %s format', (format) => {
  test.each(examples)('gets %s, whole', async (_, written, content) => {
    const { server, ask } = await start(format, { type: 'reply', pieces: written.match(/.{1,4}/gs) ?? [] })
    const response = await ask()
    expect(response.status).toBe(200)
    const blocks = content.map((block) => (block === call ? { ...call, id: expect.stringMatching(/^toolu_/) } : block))
    expect(await response.json()).toMatchObject({
      type: 'message',
      role: 'assistant',
      content: blocks,
      stop_reason: 'tool_use',
      usage: { input_tokens: 40, output_tokens: 7 },
    })

    // Upstream the tools are text.
    const { servingMode, chatRequest } = server.requests[0]?.body ?? {}
    expect(servingMode).toEqual({ servingType: 'ON_DEMAND', modelId: 'ocid1.generativeaimodel.oc1..mmmm' })
    if (!isJsonObject(chatRequest)) throw new Error('no chat request was sent')
    expect(chatRequest).not.toHaveProperty('tools')
    expect(chatRequest.temperature).toBe(0.2)
    const system = format === 'cohere' ? chatRequest.preambleOverride : JSON.stringify(chatRequest.messages)
    expect(system).toContain('web_search')
    expect(JSON.stringify(chatRequest)).toContain('搜索Python教程')
  })

  test.each(examples)('gets %s, streamed', async (_, written, content) => {
    const { ask } = await start(format, { type: 'reply', pieces: written.match(/.{1,4}/gs) ?? [] })
    const message = readAnthropicStream(await readSse(await ask({ stream: true })))
    const blocks = content.map((block) =>
      block === call ? { type: 'tool_use', name: 'web_search', json: '{"query":"Python tutorials"}' } : block,
    )
    expect(message).toMatchObject({ blocks, stop: { reason: 'tool_use' } })
  })

  test('gets the error of the service in the form of its protocol', async () => {
    const body = { code: 'NotAuthorizedOrNotFound', message: 'Authorization failed or requested resource not found.' }
    const { ask } = await start(format, { type: 'status', status: 404, body })
    const response = await ask()
    expect(response.status).toBe(404)
    expect(await response.json()).toMatchObject({
      type: 'error',
      error: {
        type: 'not_found_error',
        message: expect.stringMatching(/^Upstream "oci" .*NotAuthorizedOrNotFound.*compartment/),
      },
    })
  })
})
