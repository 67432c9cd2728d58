import { expect, test } from 'vitest'
import type { JsonObject } from '../../conversation/index.ts'
import { createScriptedUpstream, type Play } from '../../upstreams/scripted/scripted.ts'
import { createGateway } from '../gateway.ts'

const play: Play = {
  pieces: [{ reasoning: 'THOUGHT' }, 'ANSWER'],
}
const onlyThoughts: Play = { pieces: [{ reasoning: 'THOUGHT' }] }

async function replyTo(
  path: string,
  body: JsonObject,
  settings: JsonObject = {},
  played: Play = play,
): Promise<string> {
  const gateway = createGateway({
    upstreams: { test: createScriptedUpstream({ name: 'test', play: () => played }) },
    models: [{ match: '*', upstream: 'test', plan: 'prompted', ...settings }],
  })
  const response = await gateway.fetch(
    new Request(`http://localhost${path}`, { method: 'POST', body: JSON.stringify(body) }),
  )
  return response.text()
}

const messages = { model: 'm', max_tokens: 100, messages: [{ role: 'user', content: 'Hi' }] }
const contents = { contents: [{ parts: [{ text: 'Hi' }] }] }
const google = '/v1beta/models/m:generateContent'
const googleStream = '/v1beta/models/m:streamGenerateContent'
const always = { showReasoning: 'always' }
const streamed = { ...messages, stream: true }
const whole = { ...messages, stream: false }

test.each<[shown: boolean, path: string, body: JsonObject, settings?: JsonObject]>([
  [false, '/v1/messages', messages],
  [false, '/v1/messages', streamed],
  [false, '/v1/messages', { ...messages, thinking: { type: 'disabled' } }],
  [false, '/v1/messages', { ...messages, thinking: { type: 'disabled' } }, always],
  [true, '/v1/messages', { ...messages, thinking: { type: 'enabled', budget_tokens: 1024 } }],
  [true, '/v1/messages', { ...streamed, thinking: { type: 'adaptive' } }],
  [true, '/v1/messages', { ...streamed, thinking: { type: 'of_tomorrow' } }],
  [true, '/v1/messages', messages, always],
  [true, '/v1/messages', streamed, always],
  [false, google, contents],
  [false, googleStream, contents],
  [true, google, { ...contents, generationConfig: { thinkingConfig: { includeThoughts: true } } }],
  [true, google, contents, always],
  [true, googleStream, contents, always],
  [true, '/api/chat', whole],
  [true, '/api/chat', { ...whole, think: true }],
  [false, '/api/chat', { ...whole, think: false }],
  [true, '/v1/chat/completions', messages],
  [false, '/v1/chat/completions', { ...messages, reasoning_effort: 'none' }],
])('reasoning is shown (%s) at %s to %j, with the rule %j', async (isShown, path, body, settings) => {
  const reply = await replyTo(path, body, settings)
  expect(reply).toContain('ANSWER')
  expect(reply.includes('THOUGHT')).toBe(isShown)
})

test('a reply of nothing but reasoning is the text of a client that did not ask for reasoning', async () => {
  expect(JSON.parse(await replyTo('/v1/messages', messages, {}, onlyThoughts))).toMatchObject({
    content: [{ type: 'text', text: 'THOUGHT' }],
  })
  const cut = JSON.parse(await replyTo('/v1/messages', messages, {}, { ...onlyThoughts, finish: 'length' }))
  expect(cut).toMatchObject({ content: [], stop_reason: 'max_tokens' })
})
