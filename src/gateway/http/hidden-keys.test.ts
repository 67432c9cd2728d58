import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { UpstreamError } from '../../upstreams/http/upstream-error.ts'
import type { Upstream } from '../../upstreams/index.ts'
import { createScriptedUpstream } from '../../upstreams/scripted/scripted.ts'
import { parseConfig } from '../config/config.ts'
import { createGateway } from '../gateway.ts'

const own = 'own-key-of-a-client'
const upstreamKey = 'key-of-an-upstream'
const quoting = (): UpstreamError => new UpstreamError('upstream', `no ${own}, no ${upstreamKey}`, true)

/** An upstream that quotes keys in its errors: before its reply, or after the first piece. */
function quotingUpstream(name: string, isLate: boolean): Upstream {
  const scripted = createScriptedUpstream({ name, play: () => ({ pieces: ['Hi'] }) })
  return {
    ...scripted,
    async generate(request, context) {
      if (!isLate) throw quoting()
      const events = await scripted.generate(request, context)
      async function* failing() {
        for await (const batch of events) {
          yield batch.filter(({ type }) => type === 'text')
          throw quoting()
        }
      }
      return failing()
    },
  }
}

const sha256 = createHash('sha256').update(own).digest('hex')

describe.each([
  ['a plain key', [own]],
  ['a digest', [{ name: 'a', sha256 }]],
  ['pass-through', 'pass-through'],
])('%s', (_, keys) => {
  test.each([
    ['whole', false, false],
    ['streamed', true, false],
    ['broken off', true, true],
  ])('an error that quotes keys is logged and sent without them: %s', async (_how, stream, isLate) => {
    const lines: string[] = []
    const server = { type: 'openai-chat', url: 'http://127.0.0.1:9/v1', key: upstreamKey }
    const config = parseConfig(
      {
        keys,
        upstreams: { u: server, v: server },
        models: [{ match: '*', upstream: ['u', 'v'], plan: 'prompted' }],
      } as unknown,
      { file: 'test', env: {} },
    )
    const gateway = createGateway({
      config,
      upstreams: new Map(['u', 'v'].map((name) => [name, quotingUpstream(name, isLate)])),
      log: (...line) => void lines.push(JSON.stringify(line)),
    })
    const response = await gateway.fetch(
      new Request('http://gateway/v1/messages', {
        method: 'POST',
        headers: { 'x-api-key': own },
        body: JSON.stringify({ model: 'm', max_tokens: 9, stream, messages: [{ role: 'user', content: 'Hi' }] }),
      }),
    )
    const text = await response.text()
    await new Promise((resolve) => setTimeout(resolve, 1))
    await gateway.close()
    const masked = `no ${'*'.repeat(own.length)}, no ${'*'.repeat(upstreamKey.length)}`
    expect(text).toContain(masked)
    const log = lines.join('\n')
    expect(log).toContain(masked)
    if (!isLate) expect(log).toContain('"fail-over"')
    for (const key of [own, upstreamKey]) {
      expect(text).not.toContain(key)
      expect(log).not.toContain(key)
    }
  })
})
