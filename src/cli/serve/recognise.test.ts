import { afterEach, describe, expect, test, vi } from 'vitest'
import { json, startStandIn } from '../../../test/stand-ins/http-stand-in.ts'
import { standIns } from '../../../test/stand-ins/index.ts'
import { eventually } from '../../../test/support/eventually.ts'
import type { UpstreamFlags } from '../io/flags.ts'
import { withRecognisedType } from './recognise.ts'

const io = { fetch, signal: new AbortController().signal }
const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  vi.useRealTimers()
  for (const close of closing.splice(0)) await close()
})

async function typeAt(upstream: string): Promise<string | undefined> {
  const given: UpstreamFlags = { upstream }
  const { flags, notes } = await withRecognisedType(given, io)
  expect(notes).toHaveLength(flags.type === undefined ? 0 : 1)
  return flags.type
}

describe('a server that is named by its URL alone', () => {
  const local = standIns.filter(({ type }) => !['anthropic', 'oci-generative-ai', 'openai-responses'].includes(type))

  test.each(local.map((one) => [one.type, one] as const))('is recognised: %s', async (type, one) => {
    const { upstream, close } = await one.start({ pieceDelayMs: 0 })
    closing.push(close)
    const url = String(upstream.url)
    const expected = type === 'openai-chat' ? undefined : type
    const root = url.replace(/\/v1\/?$/, '')
    for (const written of [
      root,
      `${root}/`,
      `${root}/v1`,
      `${root}/v1/chat/completions`,
      root.replace('http://', ''),
    ]) {
      expect([written, await typeAt(written)]).toEqual([written, expected])
    }
  })

  test.each([
    ['no list', json({ error: 'no' }, 404)],
    ['a list that it is asked a key for', json({ data: [{ id: 'a', owned_by: 'vllm' }] }, 401)],
    ['an empty list', json({ object: 'list', data: [] })],
    ['something else', json(['x'])],
    ['no JSON', { type: 'stream' as const, pieces: ['<html>'] }],
  ])('is any where it has %s', async (_, answer) => {
    const server = await startStandIn(() => answer)
    closing.push(() => server.close())
    expect(await typeAt(server.url)).toBeUndefined()
  })

  test.each(['http://127.0.0.1:1', 'ftp://h', 'http://[', ''])('is any where nothing answers: %j', async (url) => {
    expect(await typeAt(url)).toBeUndefined()
  })

  test.each([
    ['does not answer', { type: 'silence' as const }],
    ['stops in its answer', { type: 'stream' as const, pieces: ['{"data": [', { fault: 'silence' as const }] }],
  ])('is any where it %s', async (_, answer) => {
    const server = await startStandIn(() => answer)
    closing.push(() => server.close())
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const type = typeAt(server.url)
    await eventually(() => expect(server.requests).toHaveLength(1))
    vi.advanceTimersByTime(3000)
    expect(await type).toBeUndefined()
    expect(vi.getTimerCount()).toBe(0)
  })
})

test('a type that was given stays, and nothing is asked', async () => {
  const refused = { ...io, fetch: () => Promise.reject(new Error('asked')) }
  for (const flags of [{ upstream: 'http://h', type: 'sglang' }, {}]) {
    expect(await withRecognisedType(flags, refused)).toEqual({ flags, notes: [] })
  }
})
