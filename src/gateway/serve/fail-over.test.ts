import { describe, expect, test } from 'vitest'
import { conversation as conversationOf } from '../../../test/support/gateway/plans.ts'
import { AnycallError, type Conversation, type ErrorCode, type Turn } from '../../conversation/index.ts'
import { createScriptedUpstream } from '../../upstreams/scripted/scripted.ts'
import type { GenerationContext } from '../../upstreams/upstream.ts'
import { type Candidate, firstOf, orderFor } from './fail-over.ts'
import { Health } from './health.ts'

function candidate(name: string, weight?: number): Candidate {
  const upstream = createScriptedUpstream({ name })
  const one = { upstream, model: 'm', configured: 'm' }
  return weight === undefined ? one : { ...one, weight }
}

function conversation(text: string, more: readonly string[] = []): Conversation {
  const turns = [text, ...more].map((one, index): Turn => {
    return { role: index % 2 === 0 ? 'user' : 'assistant', parts: [{ type: 'text', text: one }] }
  })
  return conversationOf({ system: '', turns, tools: [] })
}

const ready = { isReady: () => true }
const names = (candidates: readonly Candidate[]) => candidates.map(({ upstream }) => upstream.name)

describe('the order', () => {
  test('without weights is that of the rule, whatever is said', () => {
    const rule = [candidate('a'), candidate('b'), candidate('c')]
    for (const text of ['x', 'y', 'z'])
      expect(names(orderFor(rule, { conversation: conversation(text) }, ready))).toEqual(['a', 'b', 'c'])
  })

  test('weights share the conversations as they say, and those without come after', () => {
    const rule = [candidate('reserve'), candidate('big', 3), candidate('small', 1)]
    const orders = Array.from({ length: 2000 }, (_, n) =>
      names(orderFor(rule, { conversation: conversation(`question ${n}`) }, ready)),
    )
    const share = orders.filter(([first]) => first === 'big').length / orders.length
    // Three of four; 2000 draws are within 4 % of it but for once in tens of thousands, and these are always the same.
    expect(share).toBeGreaterThan(0.71)
    expect(share).toBeLessThan(0.79)
    expect(new Set(orders.map((order) => order[2]))).toEqual(new Set(['reserve']))
  })

  test('a conversation keeps to its upstream at every turn', () => {
    const rule = [candidate('a', 1), candidate('b', 1), candidate('c', 1)]
    for (let n = 0; n < 50; n++) {
      const [first] = names(orderFor(rule, { conversation: conversation(`q${n}`) }, ready))
      expect(
        names(orderFor(rule, { conversation: conversation(`q${n}`, ['answer', 'more', 'again', 'and']) }, ready))[0],
      ).toBe(first)
    }
  })

  test('a conversation whose upstream is left out moves, others stay', () => {
    const all = [candidate('a', 1), candidate('b', 1), candidate('c', 1)]
    for (let n = 0; n < 50; n++) {
      const before = names(orderFor(all, { conversation: conversation(`q${n}`) }, ready))
      const after = names(orderFor(all.slice(0, 2), { conversation: conversation(`q${n}`) }, ready))
      expect(after).toEqual(before.filter((name) => name !== 'c'))
    }
  })

  test('what is out of order comes last', () => {
    const rule = [candidate('a'), candidate('b'), candidate('c')]
    expect(names(orderFor(rule, { conversation: conversation('x') }, { isReady: (name) => name !== 'a' }))).toEqual([
      'b',
      'c',
      'a',
    ])
  })
})

describe('the first that answers', () => {
  const rule = [candidate('a'), candidate('b'), candidate('c')]
  const error = (kind: ErrorCode, retryAfter?: number) =>
    new AnycallError(kind, `${kind} happened`, retryAfter === undefined ? {} : { retryAfter })

  async function run(
    faults: Record<string, AnycallError>,
    health = new Health(),
    signal = new AbortController().signal,
  ) {
    const tried: string[] = []
    const logged: unknown[] = []
    const log = (_: string, event: string, fields = {}) => void logged.push([event, fields])
    const attempt = async ({ upstream: { name } }: Candidate): Promise<string> => {
      tried.push(name)
      const fault = faults[name]
      if (fault) throw fault
      return `answer of ${name}`
    }
    const result = await firstOf(rule, attempt, { signal, requestId: 'r', log }, health).then(
      (begun) => {
        begun.ended()
        return begun.result
      },
      (thrown: unknown) => thrown,
    )
    return { tried, logged, result }
  }

  test('is the first, if it does', async () => {
    expect(await run({})).toEqual({ tried: ['a'], logged: [], result: 'answer of a' })
  })

  test.each<ErrorCode>([
    'upstream',
    'timeout',
    'overloaded',
    'rate-limit',
    'authentication',
    'permission',
    'not-found',
  ])('is the next after %s', async (kind) => {
    const { tried, logged, result } = await run({ a: error(kind) })
    expect([tried, result]).toEqual([['a', 'b'], 'answer of b'])
    expect(logged).toEqual([['fail-over', { requestId: 'r', from: 'a', to: 'b', error: `${kind} happened` }]])
  })

  test.each<ErrorCode>(['invalid-request', 'context-length', 'too-large', 'internal', 'cancelled'])(
    'is none after %s: another would say the same',
    async (kind) => {
      const fault = error(kind)
      expect(await run({ a: fault })).toMatchObject({ tried: ['a'], result: fault })
    },
  )

  test('is none when all fail: the last error is told', async () => {
    const last = error('overloaded')
    const { tried, result } = await run({ a: error('upstream'), b: error('timeout'), c: last })
    expect([tried, result]).toEqual([['a', 'b', 'c'], last])
  })

  test('is none once the client has left', async () => {
    const fault = error('upstream')
    const left = AbortSignal.abort()
    expect(await run({ a: fault }, new Health(), left)).toMatchObject({ tried: ['a'], result: fault })
  })

  test('what fails is left alone after a while', async () => {
    const health = new Health(() => 0)
    for (let n = 0; n < 3; n++) await run({ a: error('upstream') }, health)
    expect(names(orderFor(rule, { conversation: conversation('x') }, health))).toEqual(['b', 'c', 'a'])
  })

  test('what lacks a model is asked for others as ever', async () => {
    const health = new Health(() => 0)
    for (let n = 0; n < 3; n++) await run({ a: error('not-found') }, health)
    expect(names(orderFor(rule, { conversation: conversation('x') }, health))).toEqual(['a', 'b', 'c'])
  })

  test('what asks to be left alone is so at once', async () => {
    let now = 0
    const health = new Health(() => now)
    await run({ a: error('rate-limit', 20) }, health)
    expect(health.isReady('a')).toBe(false)
    now = 19_999
    expect(health.isReady('a')).toBe(false)
    now = 20_000
    expect(health.isReady('a')).toBe(true)
  })

  test('is waited for only where no other is ready, or where it has begun', async () => {
    const health = new Health(() => 0)
    health.asked('c').failed(20)
    const contexts: GenerationContext[] = []
    const hasAlternative = async (fails: boolean) => {
      const seen: (boolean | undefined)[] = []
      const attempt = async (_: Candidate, own: GenerationContext): Promise<string> => {
        seen.push(own.hasAlternative)
        contexts.push(own)
        if (fails) throw error('overloaded')
        return 'answer'
      }
      const context = { signal: new AbortController().signal, requestId: 'r', log: () => {} }
      await firstOf(rule, attempt, context, health).catch(() => {})
      return seen
    }
    expect(await hasAlternative(true)).toEqual([true, false, false])
    expect(await hasAlternative(false)).toEqual([true])
    expect(contexts.at(-1)?.hasAlternative).toBe(false)
  })

  describe('how it ends says whether it is well', () => {
    async function begin(health: Health, signal: AbortSignal) {
      const context = { signal, requestId: 'r', log: () => {} }
      return firstOf(rule, async () => 'begun', context, health)
    }
    const cases: [what: string, ready: boolean, end: (ended: (error?: unknown) => void, leave: () => void) => void][] =
      [
        ['well, by its finish', true, (ended) => ended()],
        ['not, when it breaks off', false, (ended) => ended(error('upstream'))],
        ['not, when it falls silent', false, (ended) => ended(error('timeout'))],
        ['nothing, by what was wrong here', true, (ended) => ended(error('internal'))],
        ['nothing, by what it is refused for', true, (ended) => ended(error('invalid-request'))],
        ['nothing, when its client leaves', true, (_, leave) => leave()],
        [
          'nothing, by what comes of a client that left',
          true,
          (ended, leave) => {
            leave()
            ended(error('upstream'))
          },
        ],
      ]
    test.each(cases)('%s', async (_, ready, end) => {
      let now = 0
      const health = new Health(() => now)
      const one = async (): Promise<void> => {
        const left = new AbortController()
        const { ended } = await begin(health, left.signal)
        end(ended, () => left.abort())
      }
      for (let n = 0; n < 3; n++) await one()
      expect(health.isReady('a')).toBe(ready)
      // The same applies to the one request after a pause.
      for (let n = 0; n < 3; n++) health.asked('a').failed()
      now = 1e6
      await one()
      expect(health.isReady('a')).toBe(ready)
    })

    test.each<[kind: ErrorCode, isOfKey: boolean]>([
      ['authentication', true],
      ['permission', true],
      ['rate-limit', true],
      ['upstream', false],
      ['overloaded', false],
    ])('%s with the client’s own key', async (kind, isOfKey) => {
      const health = new Health(() => 0)
      const context = { signal: new AbortController().signal, requestId: 'r', log: () => {}, clientKey: 'k' }
      const attempt = async ({ upstream }: Candidate): Promise<string> => {
        if (upstream.name === 'a') throw error(kind, 20)
        return 'answer'
      }
      expect((await firstOf(rule, attempt, context, health)).result).toBe('answer')
      expect(health.isReady('a')).toBe(isOfKey)
    })

    test('a beginning says nothing yet', async () => {
      const health = new Health(() => 0)
      for (let n = 0; n < 3; n++) {
        const { ended } = await begin(health, new AbortController().signal)
        await begin(health, new AbortController().signal)
        ended(error('upstream'))
      }
      expect(health.isReady('a')).toBe(false)
    })
  })
})
