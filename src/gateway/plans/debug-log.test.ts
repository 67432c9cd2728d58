import { describe, expect, test } from 'vitest'
import { createScriptedUpstream } from '../../upstreams/scripted/scripted.ts'
import { parseConfig } from '../config/config.ts'
import { createGateway } from '../gateway.ts'

const key = 'sk-a-key-of-the-test'

/** Returns the log lines of one request whose model writes these pieces. */
async function logOf(level: string, pieces: readonly string[], question: string) {
  const lines: [event: string, fields: Record<string, unknown>][] = []
  const config = parseConfig(
    {
      keys: [key],
      upstreams: { u: { type: 'openai-chat', url: 'http://127.0.0.1:9/v1', key: 'upstream-key' } },
      models: [{ match: '*', upstream: 'u', plan: 'prompted' }],
      log: { level },
    } as unknown,
    { file: 'test', env: {} },
  )
  const upstream = createScriptedUpstream({ name: 'u', play: () => ({ pieces }) })
  const log = (_: string, event: string, fields = {}) => void lines.push([event, fields])
  const gateway = createGateway({ config, upstreams: new Map([['u', upstream]]), log })
  const response = await gateway.fetch(
    new Request('http://gateway/v1/messages', {
      method: 'POST',
      headers: { 'x-api-key': key },
      body: JSON.stringify({ model: 'm', max_tokens: 9, messages: [{ role: 'user', content: question }] }),
    }),
  )
  const id = response.headers.get('request-id')
  await response.text()
  await gateway.close()
  const of = (name: string) => lines.flatMap(([event, fields]) => (event === name ? [fields] : []))
  return { id, prompt: of('prompt'), reply: of('reply-text') }
}

const textOf = (lines: readonly Record<string, unknown>[]): string => lines.map(({ text }) => text).join('')

describe('the log at level debug', () => {
  test('has prompt and text of the model, with the id of the request', async () => {
    const { id, prompt, reply } = await logOf('debug', ['It ', 'rains.'], 'Weather?')
    expect(JSON.parse(textOf(prompt))).toMatchObject({ type: 'messages', messages: [{ role: 'user' }] })
    expect(reply).toEqual([
      expect.objectContaining({ requestId: id, kind: 'text', text: 'It rains.' }),
      expect.objectContaining({ requestId: id, kind: 'finish' }),
    ])
    expect(prompt).toEqual([expect.objectContaining({ requestId: id, upstream: 'u', part: 1, parts: 1 })])
  })

  test('has lines of bounded length, and no key, in whatever pieces one comes', async () => {
    const long = 'x'.repeat(20_000)
    const pieces = [long, ...`${key} and upstream-key`, long]
    const { prompt, reply } = await logOf('debug', pieces, `${long}${key}${long}`)
    for (const lines of [prompt, reply]) {
      expect(lines.length).toBeGreaterThan(4)
      for (const { text } of lines) expect(String(text).length).toBeLessThanOrEqual(8000)
    }
    expect(textOf(prompt)).toContain('x[Redacted]x')
    expect(textOf(reply.filter(({ kind }) => kind === 'text'))).toBe(`${long}[Redacted] and [Redacted]${long}`)
  })

  test('has them at no other level', async () => {
    expect(await logOf('info', ['It rains.'], 'Weather?')).toMatchObject({ prompt: [], reply: [] })
  })
})
