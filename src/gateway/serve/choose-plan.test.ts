import { describe, expect, test } from 'vitest'
import { AnycallError, type ErrorCode } from '../../conversation/index.ts'
import { type ChatTemplate, safeLoadTemplate } from '../../templates/index.ts'
import { statusError } from '../../upstreams/http/upstream-error.ts'
import { createScriptedUpstream, type Piece, type Play } from '../../upstreams/scripted/scripted.ts'
import type { Abilities, Upstream } from '../../upstreams/upstream.ts'
import { type ChoiceSource, PlanChooser } from './choose-plan.ts'

const writesCalls = `{%- for m in messages %}<|{{ m.role }}|>{{ m.content or '' }}{% for call in m.tool_calls or [] %}<tool_call>{"name": "{{ call.function.name }}", "arguments": {{ call.function.arguments | tojson }}}</tool_call>{% endfor %}<|end|>{% endfor %}{{ tools | tojson if tools }}{% if add_generation_prompt %}<|assistant|>{% endif %}`
const writesNone = `{%- for m in messages %}<|{{ m.role }}|>{{ m.content }}<|end|>{% endfor %}{% if add_generation_prompt %}<|assistant|>{% endif %}`

function templateOf(source: string): ChatTemplate {
  const loaded = safeLoadTemplate(source)
  if (loaded.type !== 'template') throw new Error(loaded.message)
  return loaded.template
}

interface Fake extends Partial<Upstream> {
  abilities: Abilities
  answers?: readonly Play[]
}

function fake({ abilities, answers = [], ...more }: Fake) {
  let asked = 0
  const upstream = createScriptedUpstream({
    name: 'test',
    abilities,
    play: (index) => {
      asked++
      return answers[index] ?? { pieces: ['I call nothing.'] }
    },
  })
  return { upstream: { ...upstream, ...more }, probes: () => asked }
}

const context = { signal: new AbortController().signal, requestId: 'r', log: () => {} }
const chat: Abilities = { requests: ['messages', 'tools'] }
const engine: Abilities = { requests: ['prompt', 'messages'], constraint: 'gbnf' }
const call: Piece = { type: 'call', index: 0, name: 'report_status', arguments: '{"status": "ready"}' }
const refusal: Play = {
  pieces: [],
  fault: {
    type: 'status',
    error: statusError({ upstream: 'test', secrets: [] }, 400, '{"error":"m does not support tools"}'),
  },
}
const broken = new AnycallError('upstream', 'nothing listens there')

describe('auto', () => {
  /** Only findings that failed, or refusals, are checked again. */
  const sources: Readonly<Record<string, ChoiceSource>> = {
    'nothing listens': 'failure',
    'does not support tools': 'refusal',
  }
  const cases: [what: string, fake: Fake, plan: string, why: RegExp, probes: number][] = [
    ['takes text alone', { abilities: { requests: ['messages'] } }, 'prompted', /does not accept tools/, 0],
    ['is said to call', { abilities: chat, callsTools: async () => true }, 'native', /says that the model calls/, 0],
    ['is said not to call', { abilities: chat, callsTools: async () => false }, 'prompted', /does not call tools/, 0],
    [
      'calls when asked',
      { abilities: chat, answers: [{ pieces: ['Yes.', call] }] },
      'native',
      /made the requested call/,
      1,
    ],
    ['does not call when asked', { abilities: chat }, 'prompted', /made none/, 1],
    ['refuses tools', { abilities: chat, answers: [refusal] }, 'prompted', /does not support tools/, 1],
    [
      'has a template that writes calls, and can be held to it',
      { abilities: engine, template: async () => templateOf(writesCalls) },
      'templated',
      /accepts their grammar/,
      0,
    ],
    [
      'has such a template and says that it calls, but cannot be held',
      {
        abilities: { requests: ['prompt', 'tools'] },
        template: async () => templateOf(writesCalls),
        callsTools: async () => true,
      },
      'native',
      /says/,
      0,
    ],
    [
      'has a template that writes no calls',
      { abilities: engine, template: async () => templateOf(writesNone) },
      'prompted',
      /does not accept tools/,
      0,
    ],
    [
      'has such a template and takes nothing else',
      { abilities: { requests: ['prompt'], constraint: 'gbnf' }, template: async () => templateOf(writesNone) },
      'templated',
      /only prompts/,
      0,
    ],
    [
      'cannot be asked',
      { abilities: engine, template: () => Promise.reject(broken) },
      'prompted',
      /nothing listens/,
      0,
    ],
  ]
  test.each(cases)('an upstream that %s', async (_, options, plan, why, expected) => {
    const { upstream, probes } = fake(options)
    const choice = await new PlanChooser().choose({ upstream, model: 'm' }, context)
    expect(choice).toMatchObject({ plan, why: expect.stringMatching(why) })
    expect(choice.from).toBe(sources[why.source])
    expect(probes()).toBe(expected)
  })

  test('the configured template goes before the upstream’s', async () => {
    const { upstream } = fake({ abilities: engine, template: async () => templateOf(writesNone) })
    const choice = await new PlanChooser().choose({ upstream, model: 'm', template: templateOf(writesCalls) }, context)
    expect(choice.plan).toBe('templated')
  })

  test.each<[what: string, fake: Fake, plan: string]>([
    ['calls tools', { abilities: { ...engine, requests: ['prompt', 'messages', 'tools'] } }, 'native'],
    ['takes messages', { abilities: engine }, 'prompted'],
    ['takes only whole prompts', { abilities: { ...engine, requests: ['prompt'] } }, 'templated'],
  ])('images go to what can show them, of an upstream that %s', async (_, options, plan) => {
    const more = { template: async () => templateOf(writesCalls), callsTools: async () => true }
    const { upstream } = fake({ ...options, ...more })
    const chooser = new PlanChooser()
    const question = { upstream, model: 'm' }
    expect((await chooser.choose({ ...question, hasImages: true }, context)).plan).toBe(plan)
    expect((await chooser.choose(question, context)).plan).toBe('templated')
  })

  test('images are asked about no further where there are no prompts', async () => {
    const { upstream, probes } = fake({ abilities: chat, answers: [{ pieces: [call] }] })
    const chooser = new PlanChooser()
    await chooser.choose({ upstream, model: 'm' }, context)
    expect((await chooser.choose({ upstream, model: 'm', hasImages: true }, context)).plan).toBe('native')
    expect(probes()).toBe(1)
  })

  test('a model is probed once, also by requests that come at the same time', async () => {
    const { upstream, probes } = fake({ abilities: chat, answers: [{ pieces: [call] }] })
    const chooser = new PlanChooser()
    const question = { upstream, model: 'm' }
    const choices = await Promise.all([1, 2, 3].map(() => chooser.choose(question, context)))
    choices.push(await chooser.choose(question, context))
    expect(choices.map(({ plan }) => plan)).toEqual(['native', 'native', 'native', 'native'])
    expect(probes()).toBe(1)
  })

  test('another model is probed for itself', async () => {
    const { upstream, probes } = fake({ abilities: chat, answers: [{ pieces: [call] }] })
    const chooser = new PlanChooser()
    expect((await chooser.choose({ upstream, model: 'a' }, context)).plan).toBe('native')
    expect((await chooser.choose({ upstream, model: 'b' }, context)).plan).toBe('prompted')
    expect(probes()).toBe(2)
  })

  test('names that clients make up do not fill the memory: of many models the oldest is asked anew', async () => {
    const { upstream, probes } = fake({ abilities: chat })
    const chooser = new PlanChooser()
    for (let n = 0; n <= 1000; n++) await chooser.choose({ upstream, model: `m${n}` }, context)
    expect(probes()).toBe(1001)
    expect(chooser.knows({ upstream, model: 'm0' })).toBe(false)
    expect(chooser.knows({ upstream, model: 'm1' })).toBe(true)
  })

  test('a refusal that shows later is remembered, for ten minutes', async () => {
    const { upstream, probes } = fake({ abilities: chat, answers: [{ pieces: [call] }, { pieces: [call] }] })
    let now = 0
    const chooser = new PlanChooser(() => now)
    const question = { upstream, model: 'm' }
    expect(await chooser.refused(question)).toBe(false)
    await chooser.choose(question, context)
    expect(await chooser.refused(question)).toBe(false)
    chooser.remember(question, { plan: 'prompted', why: 'it refused', from: 'refusal' })
    now = 599_999
    expect(await chooser.refused(question)).toBe(true)
    expect((await chooser.choose(question, context)).plan).toBe('prompted')
    expect(probes()).toBe(1)
    now = 600_000
    expect(await chooser.refused(question)).toBe(false)
    expect(chooser.knows(question)).toBe(false)
    expect((await chooser.choose(question, context)).plan).toBe('native')
    expect(probes()).toBe(2)
  })

  describe('what is said of one client’s key', () => {
    const withKey = (clientKey: string) => ({ ...context, clientKey })
    const refusing = (kind: ErrorCode): Play => ({
      pieces: [],
      fault: { type: 'status', error: new AnycallError(kind, 'not with this key') },
    })

    test.each<[kind: ErrorCode, plan: string]>([
      ['authentication', 'native'],
      ['permission', 'native'],
      ['rate-limit', 'native'],
      ['upstream', 'prompted'],
    ])('%s', async (kind, plan) => {
      const { upstream } = fake({ abilities: chat, answers: [refusing(kind), { pieces: [call] }] })
      const chooser = new PlanChooser(() => 0)
      const question = { upstream, model: 'm' }
      expect((await chooser.choose(question, withKey('bad'))).plan).toBe('prompted')
      expect((await chooser.choose(question, withKey('good'))).plan).toBe(plan)
    })

    test('is not said to those that wait for the same choice', async () => {
      const { upstream, probes } = fake({ abilities: chat, answers: [refusing('authentication'), { pieces: [call] }] })
      const chooser = new PlanChooser()
      const question = { upstream, model: 'm' }
      const keys = ['bad', 'good', 'good']
      const choices = await Promise.all(keys.map((key) => chooser.choose(question, withKey(key))))
      expect(choices.map(({ plan }) => plan)).toEqual(['prompted', 'native', 'native'])
      expect(probes()).toBe(2)
    })
  })

  test('what a model does when it is asked for a call is not asked again', async () => {
    const { upstream, probes } = fake({ abilities: chat, answers: [{ pieces: [call] }] })
    let now = 0
    const chooser = new PlanChooser(() => now)
    await chooser.choose({ upstream, model: 'm' }, context)
    now = 1e9
    expect((await chooser.choose({ upstream, model: 'm' }, context)).plan).toBe('native')
    expect(probes()).toBe(1)
  })
})
