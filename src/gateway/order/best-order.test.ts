import { describe, expect, test } from 'vitest'
import type { ReplyEvent, Tool } from '../../conversation/index.ts'
import { createScriptedUpstream } from '../../upstreams/scripted/scripted.ts'
import { parseConfig } from '../config/config.ts'
import { createGateway } from '../gateway.ts'
import { BestOrder } from './best-order.ts'
import { CallTally } from './call-tally.ts'
import { Observations } from './observations.ts'

const tool: Tool = {
  name: 'f',
  description: '',
  schema: { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] },
}

function call(json: string, { complete = true, name = 'f', index = 0 } = {}): ReplyEvent[] {
  return [
    { type: 'call-start', index, id: `c${index}`, name },
    { type: 'call-arguments', index, json: json.slice(0, 3) },
    { type: 'call-arguments', index, json: json.slice(3) },
    { type: 'call-end', index, complete },
  ]
}
const notice = (code: string): ReplyEvent => ({ type: 'notice', notice: { code, message: '' } })
const cut: ReplyEvent = { type: 'finish', reason: 'length' }

describe('the tally of calls', () => {
  test.each<[what: string, events: ReplyEvent[], calls: number, errors: number]>([
    ['nothing', [], 0, 0],
    ['a valid call', call('{"n": 1}'), 1, 0],
    ['a repaired call', [...call('{"n": 1}'), notice('repaired')], 1, 0],
    ['arguments against the schema', call('{"n": "x"}'), 1, 1],
    ['arguments that are no JSON', call('{"n": 1'), 1, 1],
    ['two calls of which one is wrong', [...call('{"n": 1}'), ...call('{}', { index: 1 })], 2, 1],
    ['a tool that is not offered', [notice('unknown-tool')], 1, 1],
    ['a call that broke', [...call('{"n"', { complete: false }), notice('broken-call')], 1, 1],
    ['a call that broke before it began', [notice('broken-call')], 1, 1],
    ['a call that the token limit cut', [...call('{"n"', { complete: false }), notice('incomplete-call'), cut], 0, 0],
    ['a call after one that was sent back', [notice('call-sent-back'), ...call('{"n": 1}')], 2, 1],
    ['a required call that did not come', [notice('required-call-missing')], 1, 1],
  ])('of %s', (_, events, calls, errors) => {
    const tally = new CallTally([tool])
    for (const event of events) tally.saw([event])
    expect(tally.counts).toEqual({ calls, errors })
  })
})

describe('the quality', () => {
  const window = { ms: 1000, floor: 2 }

  test('is that of a window, and unknown below its floor', () => {
    const seen = new Observations()
    seen.add(0, { calls: 1, errors: 1, firstMs: 90 })
    expect(seen.quality(0, window)).toEqual({})
    seen.add(500, { calls: 3, errors: 0, firstMs: 10 })
    expect(seen.quality(500, window)).toEqual({ errorRate: 0.25, firstMs: 90 })
    seen.add(900, { calls: 0, errors: 0, firstMs: 30 })
    expect(seen.quality(1001, window)).toEqual({ errorRate: 0, firstMs: 30 })
    expect(seen.quality(5000, window)).toEqual({})
  })

  test('remembers a bounded number of results', () => {
    const seen = new Observations()
    seen.add(0, { calls: 1, errors: 1 })
    for (let n = 0; n < 512; n++) seen.add(0, { calls: 1, errors: 0 })
    expect(seen.quality(0, window)).toEqual({ errorRate: 0 })
  })
})

const serving = { conversation: { tools: [tool] } }
const withoutTools = { conversation: { tools: [] } }
type Candidate = Parameters<BestOrder['asked']>[0]
const names = (candidates: readonly Candidate[]) => candidates.map(({ upstream }) => upstream.name).join('')
const [a, b, c] = ['a', 'b', 'c'].map(
  (name): Candidate => ({ upstream: createScriptedUpstream({ name }), model: 'm' }),
) as [Candidate, Candidate, Candidate]

function start(floor = 4) {
  const clock = { now: 0 }
  const order = new BestOrder(() => clock.now)
  const window = { ms: 80_000, floor }
  const lines: unknown[] = []
  const log = (_: string, event: string, fields: Record<string, unknown> = {}) =>
    void lines.push([event, fields.upstream, fields.why])
  /** Requests to a candidate: each has a call, so many of them wrong, and takes so long. */
  const asked = (candidate: Candidate, requests: number, errors = 0, ms = 100): void => {
    for (let n = 0; n < requests; n++) {
      const visit = order.asked(candidate, serving)
      clock.now += ms
      visit.began()
      visit.saw(call(n < errors ? '{}' : '{"n": 1}'))
      clock.now -= ms
      visit.succeeded()
    }
  }
  const ranked = (candidates: readonly Candidate[] = [a, b, c]) => order.ranked(candidates, window, log)
  return {
    clock,
    order,
    window,
    lines,
    asked,
    ranked,
    probed: (as = serving) => names(order.withProbe(ranked(), window, as)),
  }
}

describe('the best order', () => {
  test('is the given one as long as too little is known, and among those that are about as good', () => {
    const { asked, ranked } = start()
    expect(names(ranked())).toBe('abc')
    expect(names(ranked([c, a, b]))).toBe('cab')
    asked(a, 3, 3)
    expect(names(ranked())).toBe('abc')
    asked(b, 20, 0)
    asked(c, 20, 2, 180)
    expect(names(ranked([c, b]))).toBe('cb')
  })

  test('has those with wrong calls last, the worst at the end', () => {
    const { asked, ranked, lines } = start()
    asked(a, 10, 5)
    asked(b, 10, 3)
    asked(c, 10, 0)
    expect(names(ranked())).toBe('cba')
    expect(lines).toEqual([
      ['upstream.passed-over', 'a', 'wrong'],
      ['upstream.passed-over', 'b', 'wrong'],
    ])
    ranked()
    expect(lines).toHaveLength(2)
  })

  test('prefers one that is not known to one that is wrong, and has no better one than the least wrong', () => {
    const { asked, ranked } = start()
    asked(a, 10, 3)
    expect(names(ranked())).toBe('bca')
    asked(b, 10, 5)
    asked(c, 10, 6)
    expect(names(ranked())).toBe('abc')
  })

  test('has those that are slow behind the others, and before those that are wrong', () => {
    const { asked, ranked } = start()
    asked(a, 10, 5, 10)
    asked(b, 10, 0, 900)
    asked(c, 10, 0, 300)
    expect(names(ranked())).toBe('cba')
    // Small differences do not count, however large their ratio is.
    const fast = start()
    fast.asked(a, 10, 0, 200)
    fast.asked(b, 10, 0, 5)
    expect(names(fast.ranked())).toBe('abc')
  })

  test('counts failures, but neither requests at fault nor those whose client left', () => {
    const { order, ranked } = start()
    for (let n = 0; n < 10; n++) order.asked(a, serving).released()
    expect(names(ranked())).toBe('abc')
    for (let n = 0; n < 10; n++) {
      const visit = order.asked(a, serving)
      visit.failed()
      visit.succeeded()
    }
    expect(names(ranked())).toBe('bca')
  })

  test('asks one that is passed over again from time to time, for requests with tools', () => {
    const { clock, asked, probed } = start()
    asked(a, 8, 8)
    asked(b, 8)
    asked(c, 8)
    expect(probed()).toBe('bca')
    // The window of 80 s has twice as many probes as its floor of 4.
    clock.now += 9_999
    expect(probed()).toBe('bca')
    clock.now += 1
    expect(probed(withoutTools)).toBe('bca')
    expect(probed()).toBe('abc')
    asked(a, 1, 1)
    expect(probed()).toBe('bca')
  })

  test('takes one back whose calls are right again', () => {
    const { clock, asked, ranked, probed, lines } = start()
    asked(a, 8, 8)
    let probes = 0
    // A request every second, to the first in order; from now on all of them are right.
    for (let second = 0; second < 200; second++) {
      clock.now += 1000
      const first = probed()[0]
      if (first === 'a') probes++
      asked(first === 'a' ? a : first === 'b' ? b : c, 1)
      if (names(ranked()) === 'abc') break
    }
    expect(names(ranked())).toBe('abc')
    expect(probes).toBeGreaterThanOrEqual(4)
    expect(probes).toBeLessThanOrEqual(9)
    expect(lines.at(-1)).toEqual(['upstream.taken-back', 'a', undefined])
  })

  test('is right after the clock was set back', () => {
    const { clock, asked, ranked } = start()
    asked(a, 8, 8)
    asked(b, 8)
    clock.now -= 3_600_000
    expect(names(ranked([a, b]))).toBe('ba')
  })

  test('keeps a bounded number of models', () => {
    const { order, ranked, asked } = start()
    asked(a, 8, 8)
    for (let n = 0; n < 1000; n++) order.asked({ ...a, model: `m${n}` }, serving).released()
    expect(names(ranked())).toBe('abc')
  })
})

test('a gateway passes an upstream over whose calls are wrong, for rules that say so', async () => {
  const asked: string[] = []
  const model = (name: string, args: string) =>
    createScriptedUpstream({
      name,
      play: () => {
        asked.push(name)
        return { pieces: [`<tool_call>\n{"name": "f", "arguments": ${args}}\n</tool_call>`] }
      },
    })
  const config = parseConfig(
    {
      upstreams: { bad: { type: 'scripted' }, good: { type: 'scripted' } },
      models: [
        { match: 'best', upstream: ['bad', 'good'], order: { by: 'best', floor: 5 } },
        { match: 'listed', upstream: ['bad', 'good'] },
      ].map((rule) => ({ ...rule, plan: 'prompted', dialect: 'hermes' })),
    } as unknown,
    { env: {} },
  )
  const upstreams = new Map([
    ['bad', model('bad', '{"n": {}}')],
    ['good', model('good', '{"n": 1}')],
  ])
  const gateway = createGateway({ config, upstreams })
  const ask = async (name: string, stream: boolean) => {
    const tools = [{ type: 'function', function: { name: 'f', parameters: tool.schema } }]
    const body = JSON.stringify({ model: name, stream, tools, messages: [{ role: 'user', content: 'Call f.' }] })
    const response = await gateway.fetch(new Request('http://localhost/v1/chat/completions', { method: 'POST', body }))
    expect(response.status).toBe(200)
    await response.text()
  }
  for (let n = 0; n < 9; n++) await ask('best', n % 2 === 0)
  expect(asked.splice(0)).toEqual([...Array(5).fill('bad'), ...Array(4).fill('good')])
  for (let n = 0; n < 9; n++) await ask('listed', n % 2 === 0)
  expect(new Set(asked)).toEqual(new Set(['bad']))
  await gateway.close()
})
