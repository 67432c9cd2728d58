// A program with an upstream and a dialect of its own, using only exports of the entries.
import { expect, test } from 'vitest'
import {
  ConfigError,
  createGateway,
  type GenerationRequest,
  type Log,
  type Upstream,
  type UpstreamEvent,
} from '../../src/gateway.ts'
import { getDialect } from '../../src/index.ts'

/** Writes a call of the tool that is offered; it is an object of a class with a private member. */
class Writer implements Upstream {
  readonly name = 'writer'
  readonly type = 'writer'
  readonly abilities = { requests: ['messages'] as const }
  readonly #asked: GenerationRequest[]

  constructor(asked: GenerationRequest[]) {
    this.#asked = asked
  }

  async models(): Promise<{ id: string }[]> {
    return [{ id: 'writer-1' }]
  }

  async generate(request: GenerationRequest): Promise<AsyncIterable<UpstreamEvent[]>> {
    this.#asked.push(request)
    return (async function* (): AsyncGenerator<UpstreamEvent[]> {
      yield [{ type: 'text', text: 'Let me look. <tool_call>{"name": "get_weather", ' }]
      yield [{ type: 'text', text: '"arguments": {"city": "Paris"}}</tool_call>' }]
      yield [{ type: 'finish', reason: 'stop' }]
    })()
  }
}

const body = {
  model: 'any',
  messages: [{ role: 'user', content: 'Weather in Paris?' }],
  tools: [{ type: 'function', function: { name: 'get_weather', parameters: { type: 'object' } } }],
}

function post(more: object = {}): Request {
  return new Request('http://localhost/v1/chat/completions', {
    method: 'POST',
    body: JSON.stringify({ ...body, ...more }),
  })
}

test('an upstream of its own answers, under the name that the configuration has for it', async () => {
  const asked: GenerationRequest[] = []
  const lines: unknown[] = []
  const log: Log = (_, event, fields) => lines.push([event, fields?.upstream])
  const gateway = createGateway({
    upstreams: { mine: new Writer(asked) },
    models: [{ match: '*', upstream: 'mine', dialect: 'hermes' }],
    log,
  })
  const reply = await (await gateway.fetch(post())).json()
  expect(reply.choices[0].message).toMatchObject({
    content: 'Let me look.',
    tool_calls: [{ function: { name: 'get_weather', arguments: '{"city":"Paris"}' } }],
  })
  expect(asked).toMatchObject([{ type: 'messages', model: 'any' }])
  // The log of a request follows its answer.
  await new Promise((resolve) => setTimeout(resolve))
  expect(lines).toEqual([['request', 'mine']])
  const models = await (await gateway.fetch(new Request('http://localhost/v1/models'))).json()
  expect(models.data).toMatchObject([{ id: 'writer-1' }])
  await gateway.close()
})

test('a rule takes a dialect object', async () => {
  const hermes = getDialect('hermes')
  if (!hermes) throw new Error('there is no dialect hermes')
  const asked: GenerationRequest[] = []
  const described = { ...hermes, name: 'mine', describe: () => 'Call tools in your own way.' }
  const gateway = createGateway({
    upstreams: { mine: new Writer(asked) },
    models: [{ match: '*', upstream: 'mine', dialect: described }],
  })
  const reply = await (await gateway.fetch(post())).json()
  expect(reply.choices[0].message.tool_calls).toHaveLength(1)
  expect(JSON.stringify(asked)).toContain('Call tools in your own way.')
})

test('a wrong configuration is an error that names all of it, and is known by its mark', () => {
  const url = 'localhost'
  try {
    createGateway({ upstreams: { a: { type: 'openai-chat', url } }, models: [{ match: 'x', upstream: 'b' }] })
    expect.unreachable()
  } catch (error) {
    if (!ConfigError.isInstance(error)) throw error
    expect(error.code).toBe('invalid-config')
    expect(error.problems.map(({ path }) => path.join('.'))).toEqual(['upstreams.a.url', 'models.0.upstream'])
  }
  expect(ConfigError.isInstance(new Error('another'))).toBe(false)
})

test('a type of upstream that needs Node is refused, with the entry that has it', () => {
  expect(() => createGateway({ upstreams: { file: { type: 'gguf', file: 'a.gguf' } } })).toThrow(
    'Upstream "file" is of type gguf, which needs Node\'s modules: import createGateway from "anycall/node".',
  )
})
