import { afterEach, expect, test, vi } from 'vitest'
import { completeConversation } from '../../src/conversation/index.ts'
import { createGateway } from '../../src/gateway.ts'
import { createScriptedUpstream } from '../../src/upstreams/scripted/scripted.ts'
import type { Upstream, UpstreamEvent } from '../../src/upstreams/upstream.ts'
import { streamForms, streamRequest } from '../support/protocols/forms.ts'

/** Streams whose model is silent for as long as Claude Code waits for a byte: 300 seconds. */

const silenceSeconds = 300
/** Clients and proxies give up after a minute. */
const mostGapSeconds = 30

afterEach(() => {
  vi.useRealTimers()
})

/** An upstream that says something, is silent until it is released, and says the rest. */
function silentUpstream(first: UpstreamEvent[]) {
  let release: () => void = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  async function* said(): AsyncGenerator<UpstreamEvent[]> {
    if (first.length > 0) yield first
    await released
    yield [{ type: 'text', text: 'the end.' }]
    yield [{ type: 'finish', reason: 'stop' }]
  }
  const upstream: Upstream = { ...createScriptedUpstream({ name: 'test' }), generate: async () => said() }
  return { upstream, release }
}

const silences: [when: string, first: UpstreamEvent[]][] = [
  ['in the middle of a reply', [{ type: 'text', text: 'At last ' }]],
  ['before it begins', []],
]

test.each(streamForms.flatMap((stream) => silences.map(([when, first]) => ({ ...stream, when, first }))))(
  '$name: no silence is long $when',
  async ({ first, ...stream }) => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const { upstream, release } = silentUpstream(first)
    const gateway = createGateway({
      upstreams: { test: upstream },
      models: [{ match: '*', upstream: 'test', plan: 'prompted' }],
      limits: { startSeconds: 0.01 },
    })
    const conversation = completeConversation({
      model: 'm',
      turns: [{ role: 'user', parts: [{ type: 'text', text: 'Hi' }] }],
    })
    const response = await gateway.fetch(streamRequest(stream, conversation))
    let text = ''
    const reading = (async () => {
      for await (const bytes of response.body ?? []) text += new TextDecoder().decode(bytes)
    })()
    const settle = async (): Promise<void> => {
      for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate)
    }
    await settle()
    for (let passed = 0; passed < silenceSeconds; passed += mostGapSeconds) {
      const before = text.length
      vi.advanceTimersByTime(mostGapSeconds * 1000)
      await settle()
      expect(text.length).toBeGreaterThan(before)
    }
    release()
    await reading
    expect(stream.form.readStream(text).text).toBe(first.length > 0 ? 'At last the end.' : 'the end.')
    await gateway.close()
  },
)
