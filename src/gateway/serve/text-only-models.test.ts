import { describe, expect, test } from 'vitest'
import type { ImagePart } from '../../conversation/index.ts'
import { statusError } from '../../upstreams/http/upstream-error.ts'
import { createScriptedUpstream, type Play } from '../../upstreams/scripted/scripted.ts'
import type { Abilities, GenerationRequest, Log } from '../../upstreams/upstream.ts'
import { parseConfig } from '../config/config.ts'
import { createGateway } from '../gateway.ts'
import { TextOnlyModels } from './text-only-models.ts'

const message = (text: string): string => JSON.stringify({ error: { message: text } })
const source = { upstream: 'test', secrets: [] }

test('a model counts as one of text alone for ten minutes', () => {
  let now = 0
  const textOnly = new TextOnlyModels(() => now)
  const upstream = createScriptedUpstream({ name: 'a', play: () => undefined })
  textOnly.add({ upstream, model: 'm' })
  const seen = () => [textOnly.has({ upstream, model: 'm' }), textOnly.has({ upstream, model: 'other' })]
  expect(seen()).toEqual([true, false])
  now = 599_999
  expect(seen()).toEqual([true, false])
  now = 600_000
  expect(seen()).toEqual([false, false])
})

const picture = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } }
const question = {
  model: 'm',
  max_tokens: 100,
  messages: [{ role: 'user', content: [picture, { type: 'text', text: 'What is this?' }] }],
}

/** The images and texts of a request to an upstream, one per line. */
function shown(request: GenerationRequest): string {
  const isPart = (value: unknown): value is { type: 'text'; text: string } | ImagePart =>
    typeof value === 'object' && value !== null && 'type' in value && ('text' in value || 'url' in value)
  const found: string[] = []
  const look = (value: unknown): void => {
    if (isPart(value)) found.push(value.type === 'text' ? value.text : 'an image')
    else if (typeof value === 'object' && value !== null) for (const one of Object.values(value)) look(one)
  }
  look(request.type === 'messages' ? request.messages : request.type === 'tools' ? request.conversation.turns : [])
  return found.join('\n')
}

describe.each<[plan: 'native' | 'prompted', Abilities['requests']]>([
  ['native', ['tools', 'messages']],
  ['prompted', ['messages']],
])('plan %s', (plan, requests) => {
  function start(playOf: (hasImage: boolean) => Play) {
    const asked: string[] = []
    const log: Parameters<Log>[] = []
    const upstream = createScriptedUpstream({
      name: 'a',
      abilities: { requests },
      play: (_, request) => {
        const parts = shown(request)
        asked.push(parts)
        return playOf(parts.includes('an image'))
      },
    })
    const config = parseConfig(
      { upstreams: { a: { type: 'scripted' } }, models: [{ match: '*', upstream: 'a', plan }] },
      { file: 'test', env: {} },
    )
    const gateway = createGateway({
      config,
      upstreams: new Map([['a', upstream]]),
      log: (...line) => void log.push(line),
    })
    const post = async (path: string, body: object) => {
      const response = await gateway.fetch(
        new Request(`http://gateway${path}`, { method: 'POST', body: JSON.stringify(body) }),
      )
      return {
        status: response.status,
        notices: response.headers.get('x-anycall-notices'),
        body: await response.json(),
      }
    }
    return { post, asked, log }
  }
  const error = statusError(source, 400, '{"error":"this model does not support image input"}')
  const blind = (hasImage: boolean): Play =>
    hasImage ? { pieces: [], fault: { type: 'status', error } } : { pieces: ['I cannot see it.'] }

  test('a model without eyes is told so, and the next time at once', async () => {
    const { post, asked, log } = start(blind)
    for (const _ of [1, 2]) {
      expect(await post('/v1/messages', question)).toMatchObject({
        status: 200,
        body: { content: [{ type: 'text', text: 'I cannot see it.' }] },
      })
    }
    const noted = '[image]\nWhat is this?'
    expect(asked).toEqual(['an image\nWhat is this?', noted, noted])
    expect(log.filter(([, event]) => event === 'images-refused').map(([level, , fields]) => [level, fields])).toEqual([
      ['warn', expect.objectContaining({ upstream: 'a', model: 'm', why: error.message })],
    ])
    const notices = log.filter(([, event, fields]) => event === 'notice' && fields?.code === 'image-left-out')
    expect(notices).toHaveLength(2)
  })

  test('what is said of one image is told', async () => {
    const fault = { type: 'status' as const, error: statusError(source, 400, message('Could not process image')) }
    const { post, asked } = start(() => ({ pieces: [], fault }))
    expect(await post('/v1/messages', question)).toMatchObject({ status: 400, body: { type: 'error' } })
    expect(asked).toHaveLength(1)
  })

  test('a model that sees is shown them', async () => {
    const { post, asked } = start(() => ({ pieces: ['A cat.'] }))
    expect((await post('/v1/messages', question)).status).toBe(200)
    expect(asked).toEqual(['an image\nWhat is this?'])
  })
})
