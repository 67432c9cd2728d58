// A custom dialect in a gateway and in the middleware for the AI SDK, using only exports of the entries.
import { expect, test } from 'vitest'
import { call, close, createReader, defineDialect, jsonArguments, pattern } from '../../src/format.ts'
import { createGateway, parseConfig, type Upstream, type UpstreamEvent } from '../../src/gateway.ts'
import { AnycallError, collectReply, type Dialect, dialectNames } from '../../src/index.ts'

const alcove = defineDialect({
  name: 'alcove',
  calls: call('<do:', pattern.capture('name', '\\w.-'), '>', jsonArguments(), close('</do>')),
})

const prompts: string[] = []
const writer: Upstream = {
  name: 'writer',
  type: 'writer',
  abilities: { requests: ['messages'] },
  models: async () => [{ id: 'writer-1' }],
  generate: async (request) => {
    prompts.push(JSON.stringify(request))
    return (async function* (): AsyncGenerator<UpstreamEvent[]> {
      yield [{ type: 'text', text: 'Let me look. <do:get_weather>{"city": ' }]
      yield [{ type: 'text', text: '"Paris"}</do>' }]
      yield [{ type: 'finish', reason: 'stop' }]
    })()
  },
}

const request = (): Request =>
  new Request('http://localhost/v1/chat/completions', {
    method: 'POST',
    body: JSON.stringify({
      model: 'any',
      messages: [{ role: 'user', content: 'Weather in Paris?' }],
      tools: [{ type: 'function', function: { name: 'get_weather', parameters: { type: 'object' } } }],
    }),
  })

const upstreams = { mine: writer }
const ruleFor = (dialect: string | Dialect) => [{ match: '*', upstream: 'mine', dialect }]

test.each([
  ['as an object', () => createGateway({ upstreams, models: ruleFor(alcove) })],
  ['by its name', () => createGateway({ upstreams, models: ruleFor('alcove'), dialects: [alcove] })],
  [
    'by its name in a configuration that was read before',
    () => {
      const context = { dialects: [...dialectNames, 'alcove'] }
      const config = parseConfig({ upstreams, models: ruleFor('alcove') }, context)
      return createGateway({ config, dialects: [alcove] })
    },
  ],
])('a rule of a gateway takes it %s', async (_, create) => {
  const gateway = create()
  const reply = await (await gateway.fetch(request())).json()
  expect(reply.choices[0].message).toMatchObject({
    content: 'Let me look.',
    tool_calls: [{ function: { name: 'get_weather', arguments: '{"city":"Paris"}' } }],
  })
  expect(prompts.at(-1)).toContain('<do:TOOL_NAME>')
  await gateway.close()
})

test('a name that two dialects have is refused', () => {
  const hermes = defineDialect({
    name: 'hermes',
    calls: call('<do:', pattern.capture('name', '\\w.-'), '>', jsonArguments(), close('</do>')),
  })
  try {
    createGateway({ upstreams, models: ruleFor('hermes'), dialects: [hermes] })
    expect.unreachable()
  } catch (error) {
    if (!AnycallError.isInstance(error)) throw error
    expect([error.code, error.param]).toEqual(['invalid-request', 'dialects'])
  }
})

test('its reader, without the registry', async () => {
  const reader = createReader({ tools: ['get_weather'], dialect: alcove })
  const events = [...reader.push('<do:get_weather>{"city": "Paris"}</do>'), ...reader.end()]
  const { parts } = await collectReply(
    (async function* () {
      yield events
    })(),
  )
  expect(parts).toMatchObject([{ type: 'call', name: 'get_weather', arguments: '{"city":"Paris"}' }])
})

test('a dialect by its name is refused, as no name is known there', () => {
  const options = { tools: ['get_weather'], dialect: 'hermes' }
  expect(() => Reflect.apply(createReader, undefined, [options])).toThrow(
    expect.objectContaining({ code: 'invalid-request', param: 'dialect' }),
  )
})
