import { expect, test } from 'vitest'
import { AnycallError, completeConversation } from '../../src/conversation/index.ts'
import { createGateway } from '../../src/gateway.ts'
import { createScriptedUpstream } from '../../src/upstreams/scripted/scripted.ts'
import type { Upstream, UpstreamEvent } from '../../src/upstreams/upstream.ts'
import { expectPlainLines } from '../clients/sse.ts'
import { streamForms, streamRequest } from '../support/protocols/forms.ts'

/** All that Python's `splitlines()` takes for an end of a line. */
const text = 'a\u0085b\u2028c\u2029d\ve\ff\x1cg\x1dh\x1ei\nj\rk'

const said: UpstreamEvent[] = [
  { type: 'reasoning', text },
  { type: 'text', text },
  { type: 'finish', reason: 'stop' },
]

/** Readers of streams with `splitlines()` (httpx, ollama in Python) or `.` (older versions of Google's library) cut events there. */
test.each(streamForms)('$name: a character of the reply ends no line of its stream', async (stream) => {
  const upstream: Upstream = { ...createScriptedUpstream({ name: 'test' }), generate: async () => one(said) }
  const gateway = createGateway({ upstreams: { test: upstream }, models: [{ match: '*', upstream: 'test' }] })
  const conversation = completeConversation({
    model: `m${text}`,
    turns: [{ role: 'user', parts: [{ type: 'text', text: 'Hi' }] }],
  })
  const received = await (await gateway.fetch(streamRequest(stream, conversation))).text()
  expectPlainLines(received)
  expect(stream.form.readStream(received)).toMatchObject({ text, reasoning: text })
  await gateway.close()
})

test.each(streamForms)('$name: nor does one of an error', async (stream) => {
  const upstream: Upstream = { ...createScriptedUpstream({ name: 'test' }), generate: async () => failing() }
  const gateway = createGateway({ upstreams: { test: upstream }, models: [{ match: '*', upstream: 'test' }] })
  const conversation = completeConversation({
    model: 'm',
    turns: [{ role: 'user', parts: [{ type: 'text', text: 'Hi' }] }],
  })
  const received = await (await gateway.fetch(streamRequest(stream, conversation))).text()
  expectPlainLines(received)
  expect(received).toContain('a\\u0085b\\u2028c')
  await gateway.close()
})

async function* one(events: UpstreamEvent[]): AsyncGenerator<UpstreamEvent[]> {
  yield events
}

async function* failing(): AsyncGenerator<UpstreamEvent[]> {
  yield [{ type: 'text', text: 'well' }]
  throw new AnycallError('upstream', text)
}
