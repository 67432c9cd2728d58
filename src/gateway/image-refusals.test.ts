import { describe, expect, test } from 'vitest'
import { AnycallError, type ImagePart } from '../conversation/index.ts'
import { createScriptedUpstream, type Play } from '../upstreams/scripted.ts'
import type { Abilities, GenerationRequest, Log } from '../upstreams/upstream.ts'
import { statusError } from '../upstreams/upstream-error.ts'
import { parseConfig } from './config.ts'
import { createGateway } from './gateway.ts'
import { BlindModels, refusesImages } from './image-refusals.ts'

const message = (text: string): string => JSON.stringify({ error: { message: text } })
const source = { upstream: 'test', secrets: [] }

/** What servers say, and whether it is that the model sees no images. */
const said: [server: string, status: number, body: string, refuses: boolean][] = [
  ['Ollama', 400, '{"error":"this model does not support image input (ref: b8bd630e)"}', true],
  ['LM Studio', 400, '{"error":"Model does not support images. Please use a model that does."}', true],
  [
    'llama-server',
    500,
    message('image input is not supported - hint: if this is unexpected, you may need to provide the mmproj'),
    true,
  ],
  ['llama-server', 500, message('Failed to parse messages: Unsupported content part type: "image_url"'), true],
  ['OpenAI', 400, message('Invalid content type. image_url is only supported by certain models.'), true],
  ['OpenRouter', 404, message('No endpoints found that support image input'), true],
  ['vLLM', 400, message('zai/glm-5.2 is not a multimodal model'), true],
  [
    'DeepSeek',
    400,
    message(
      'Failed to deserialize the JSON body into the target type: messages[1]: unknown variant `image_url`, expected `text` at line 1 column 679289',
    ),
    true,
  ],
  ['DashScope', 400, message('[Unexpected item type in content]'), true],
  ['one image of many', 400, message('At most 1 image(s) may be provided in one request.'), false],
  ['one image', 400, message('messages.57.content.2.image.source.base64: image cannot be empty'), false],
  ['its format', 400, message('Unsupported image. Please try another one.'), false],
  ['its data', 400, message('Could not process image'), false],
  ['its size', 413, message('The image is too large: image_url is limited to 20 MB'), false],
  ['something else', 400, message('The model does not support tools'), false],
  ['a key', 401, message('this key is not allowed to use models that support image input'), false],
  ['another server that fails', 503, message('image input is not supported'), false],
]

describe('what servers say', () => {
  test.each(said)('%s %d %s', (_, status, body, refuses) => {
    expect(refusesImages(statusError(source, status, body))).toBe(refuses)
  })

  test('an error that is no upstream’s', () => {
    expect(refusesImages(new AnycallError('invalid-request', 'image input is not supported'))).toBe(false)
  })
})

test('a model counts as blind for ten minutes', () => {
  let now = 0
  const blind = new BlindModels(() => now)
  const upstream = createScriptedUpstream({ name: 'a', play: () => undefined })
  blind.add({ upstream, model: 'm' })
  const seen = () => [blind.has({ upstream, model: 'm' }), blind.has({ upstream, model: 'other' })]
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

/** The images and texts of what an upstream is asked, a line each. */
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
