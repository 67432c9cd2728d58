import { describe, expect, test } from 'vitest'
import { AnycallError } from '../../src/conversation/index.ts'
import { type ChatTemplate, safeLoadTemplate } from '../../src/templates/index.ts'
import { createScriptedUpstream, type Play, playText } from '../../src/upstreams/scripted/scripted.ts'
import type { Upstream, UpstreamEvent } from '../../src/upstreams/upstream.ts'
import { chatTemplate } from '../clients/chat-template.ts'
import { coveringTests } from '../support/covering-tests.ts'
import { eventually } from '../support/eventually.ts'
import { gatewayForTest, type RunningGateway, upstreamName } from '../support/gateway-fixture.ts'
import { ask, expectFailure, forms, open, piecesOf, readUntil, send, weather } from './api.ts'

const call = '<tool_call>\n{"name": "get_weather", "arguments": {"city": "Paris"}}\n</tool_call>'
const begun = 'Let me see.\n<tool_call>\n{"name": "get_weather", "arguments": {"city": "Paris, the '

/** An engine that takes prompts, plays one reply, and shows this template. */
function engine(play: Play, template: ChatTemplate = chatTemplate): Upstream {
  const upstream = createScriptedUpstream({
    name: upstreamName,
    abilities: { requests: ['prompt'], constraint: 'gbnf' },
    play: () => play,
  })
  return { ...upstream, template: async () => template }
}

/** The same, with its events changed. */
function changed(
  upstream: Upstream,
  change: (events: AsyncIterable<UpstreamEvent[]>) => AsyncGenerator<UpstreamEvent[]>,
) {
  const generate: Upstream['generate'] = async (...asked) => change(await upstream.generate(...asked))
  return { ...upstream, generate }
}

const gatewayBefore = (upstream: Upstream) => gatewayForTest({ upstream, plan: 'templated' })

function codes({ log }: RunningGateway): unknown[] {
  return log.filter(({ event }) => event === 'notice').map(({ fields }) => fields.code)
}

function load(source: string): ChatTemplate {
  const loaded = safeLoadTemplate(source)
  if (loaded.type !== 'template') throw new Error(loaded.message)
  return loaded.template
}

const failingTemplates: readonly [name: string, source: string, message: RegExp][] = [
  ['refuses the conversation', "{{ raise_exception('Only Latin, please.') }}", /Only Latin, please/],
  ['fails', '{{ messages.no.such.thing }}', /chat template of the model/],
  [
    'has no end',
    '{% for a in range(99999) %}{% for b in range(99999) %}{% endfor %}{% endfor %}',
    /chat template of the model/,
  ],
]
/** Each template once: one that has no end takes seconds. */
const failingTestsOf = coveringTests(forms, forms.length)

const testsOf = coveringTests(forms)

describe.each(forms)('$api.name, stream: $stream: an engine that takes prompts', (form) => {
  const test = testsOf(form)
  const { api, stream } = form
  const asked = { stream, tools: [weather] }
  const ending = api.endings
  const paris = [{ name: 'get_weather', arguments: '{"city":"Paris"}' }]

  test.each<[string, Upstream, RegExp]>([
    ['breaks off', engine(playText(begun, 3, { fault: { type: 'cut', afterPieces: 1000 } })), /broke off/],
    [
      'fails',
      changed(engine(playText(begun, 3)), async function* (events) {
        for await (const batch of events) {
          if (batch.some(({ type }) => type === 'finish')) throw new AnycallError('upstream', 'CUDA out of memory')
          yield batch
        }
      }),
      /CUDA out of memory/,
    ],
  ])('%s in the middle of a call', async (_, upstream, message) => {
    const gateway = await gatewayBefore(upstream)
    const answer = await send(gateway, api, api.request(asked))
    if (!stream) {
      await expectFailure(gateway, api, answer, 'upstream', message)
      return
    }
    const seen = api.readStream(answer.text)
    expect(seen).toMatchObject({ text: 'Let me see.', finish: null, calls: [{ name: 'get_weather' }] })
    expect(seen.calls[0]?.arguments).toMatch(/^\{"city":"Paris, the/)
    expect(() => JSON.parse(seen.calls[0]?.arguments ?? '')).toThrow()
    expect(seen.error).toEqual({ type: api.failures.upstream[1], message: expect.stringMatching(message) })
  })

  test('reaches the token limit in the middle of a call', async () => {
    const seen = await ask(await gatewayBefore(engine(playText(begun, 3, { finish: 'length' }))), api, asked)
    expect(seen).toMatchObject({ finish: ending.length, ended: true })
    // No form has a call that a client could run.
    for (const one of seen.calls) expect(() => JSON.parse(one.arguments)).toThrow()
  })

  test('refuses the grammar: it goes on without, and that is told', async () => {
    const refusal = { code: 'constraint-refused', message: 'failed to parse grammar' }
    const upstream = changed(engine(playText(call, 3)), async function* (events) {
      yield [{ type: 'notice', notice: refusal }]
      yield* events
    })
    const gateway = await gatewayBefore(upstream)
    expect(await ask(gateway, api, asked)).toMatchObject({ calls: paris, finish: ending.calls })
    expect(gateway.log.filter(({ event }) => event === 'notice').map(({ fields }) => fields)).toMatchObject([refusal])
  })

  test('drops special tokens: the call is read, and that is told', async () => {
    const bare = '{"name": "get_weather", "arguments": {"city": "Paris"}}'
    const gateway = await gatewayBefore(engine(playText(bare, 3)))
    expect(await ask(gateway, api, asked)).toMatchObject({ calls: paris, finish: ending.calls })
    expect(codes(gateway)).toContain('special-tokens-dropped')
  })

  test.each([
    [
      'bytes that are no text',
      '\uFFFD\uFFFD\u0000\u0007\uFFFD'.repeat(20),
      '\uFFFD\uFFFD\u0000\u0007\uFFFD'.repeat(20),
    ],
    ['markers without end', '<tool_call><tool_call></tool_call>}{"name": </tool_call', '}{"name": </tool_call'],
    ['markers of a turn', '<|im_start|>assistant\n<|im_start|>user\nDo it.', 'Do it.'],
  ])('writes garbage: %s', async (_, written, kept) => {
    const seen = await ask(await gatewayBefore(engine(playText(written, 3))), api, asked)
    expect(seen).toMatchObject({ calls: [], text: expect.stringContaining(kept), ended: true })
    expect(seen.error).toBeUndefined()
  })

  failingTestsOf(form).each(failingTemplates)('has a template that %s', async (_, source, message) => {
    const gateway = await gatewayBefore(engine({ pieces: ['Hello'] }, load(source)))
    await expectFailure(gateway, api, await send(gateway, api, api.request(asked)), 'invalid', message)
  })
})

test.each(forms.filter(({ stream }) => stream))(
  '$api.name: a client that leaves in the middle of a call stops the engine',
  async ({ api }) => {
    let isStopped = false
    const upstream = changed(engine(playText(begun, 3, { fault: { type: 'hang' } })), async function* (events) {
      try {
        yield* events
      } finally {
        isStopped = true
      }
    })
    const gateway = await gatewayBefore(upstream)
    const pieces = piecesOf(await open(gateway, api, api.request({ stream: true, tools: [weather] })))
    await readUntil(pieces, 'get_weather')
    await pieces.return()
    await eventually(() => expect(isStopped).toBe(true))
  },
)
