import { expect, test } from 'vitest'
import { createScriptedUpstream, playText } from '../../upstreams/scripted/scripted.ts'
import type { GenerationRequest, Log } from '../../upstreams/upstream.ts'
import { parseConfig } from '../config/config.ts'
import { createGateway } from '../gateway.ts'
import { IgnoredFormats } from './ignored-formats.ts'

const schema = { type: 'object', properties: { age: { type: 'integer' } }, required: ['age'] }
const json = '{"age":3}'

/** A gateway before a model on plan `native`, and what it was asked. */
function start(replies: readonly (string | { cut: string })[], takesFormats = true) {
  const asked: GenerationRequest[] = []
  const log: Parameters<Log>[] = []
  const upstream = createScriptedUpstream({
    name: 'a',
    abilities: { requests: ['tools', 'messages'], ...(takesFormats && { responseFormat: true }) },
    play: (index, request) => {
      asked.push(request)
      const reply = replies[index] ?? json
      return typeof reply === 'string' ? playText(reply, 3) : { ...playText(reply.cut, 3), finish: 'length' }
    },
  })
  const config = parseConfig({
    upstreams: { a: { type: 'scripted' } },
    models: [{ match: '*', upstream: 'a', plan: 'native' }],
  })
  const gateway = createGateway({ config, upstreams: new Map([['a', upstream]]), log: (...line) => log.push(line) })
  const ask = async () => {
    const body = {
      model: 'm',
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'How old?' },
      ],
      response_format: { type: 'json_schema', json_schema: { name: 'age', schema } },
    }
    const request = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
    const response = await gateway.fetch(new Request('http://x/v1/chat/completions', request))
    return ((await response.json()) as { choices: [{ message: unknown }] }).choices[0].message
  }
  const systems = () => asked.map((one) => (one.type === 'tools' ? one.conversation.system : undefined))
  const formats = () => asked.map((one) => one.type === 'tools' && one.conversation.responseFormat !== undefined)
  const learned = () => log.filter(([, event]) => event === 'response-format-ignored').length
  return { ask, systems, formats, learned }
}

test.each([
  ['words', 'Anne is three.'],
  ['a value that does not fit', '{"age": "three"}'],
])('an upstream that ignores the format and sends %s is told it in the prompt from then on', async (_, text) => {
  const { ask, systems, formats, learned } = start([text])
  expect(await ask()).toMatchObject({ content: json })
  // The correction has the prompt of the reply that it corrects.
  expect(systems()).toEqual(['Be brief.', 'Be brief.'])
  expect(await ask()).toMatchObject({ content: json })
  expect(systems()[2]).toMatch(/^Be brief\.\n\n# Response format\n[\s\S]*"age"/)
  expect(formats()).toEqual([true, true, true])
  expect(learned()).toBe(1)
})

test.each<[string, string | { cut: string }]>([
  ['fits', json],
  ['fits when it is taken out of words', `Sure: ${json}`],
  ['was cut', { cut: '{"ag' }],
])('nothing is learned of a reply that %s', async (_, reply) => {
  const { ask, systems, learned } = start([reply])
  await ask()
  await ask()
  expect(systems().at(-1)).toBe('Be brief.')
  expect(learned()).toBe(0)
})

test('nothing is learned of an upstream that is always told it in the prompt', async () => {
  const { ask, systems, learned } = start(['Three.'], false)
  await ask()
  await ask()
  expect(systems()[0]).toContain('# Response format')
  expect(new Set(systems()).size).toBe(1)
  expect(learned()).toBe(0)
})

test('it counts for an hour, and for that model alone', async () => {
  let now = 0
  const formats = new IgnoredFormats(() => now)
  const upstream = createScriptedUpstream({ name: 'a', abilities: { requests: ['tools'], responseFormat: true } })
  const context = { signal: new AbortController().signal, requestId: 'r', log: () => {} }
  const reply = async function* () {
    yield [{ type: 'notice' as const, notice: { code: 'response-missing', message: '' } }]
    yield [{ type: 'finish' as const, reason: 'stop' as const }]
  }
  for await (const _ of formats.watch(reply(), { upstream, model: 'm' }, context)) {
    // Only its end counts.
  }
  const known = () => [formats.has({ upstream, model: 'm' }), formats.has({ upstream, model: 'other' })]
  expect(known()).toEqual([true, false])
  now = 3_599_999
  expect(known()).toEqual([true, false])
  now = 3_600_000
  expect(known()).toEqual([false, false])
})
