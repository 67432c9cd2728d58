import { describe, expect, it, vi } from 'vitest'
import { refuse } from '../../../test/stand-ins/llama-server.ts'
import { contextOf, generated, promptRequest, textOf } from '../../../test/support/upstreams/generation.ts'
import { gbnf, start } from '../../../test/support/upstreams/llama-server.ts'
import type { Constraint } from '../upstream.ts'
import { stopsBeside } from './constraints.ts'

describe('a grammar that the server refuses', () => {
  const broken = gbnf({ grammar: 'root ::= (' })

  it('is left out, with a notice, and not sent again', async () => {
    const { upstream, sent } = await start({ write: () => 'Fine.' })
    const log = vi.fn()
    for (const _ of [1, 2]) {
      const events = await generated(upstream, promptRequest('Hi', { constraint: broken }), contextOf({ log }))
      expect(events[0]).toEqual({
        type: 'notice',
        notice: { code: 'constraint-refused', message: expect.stringContaining('failed to parse grammar') },
      })
      expect(textOf(events)).toBe('Fine.')
    }
    expect(sent('/completion').map(({ body }) => 'grammar' in body)).toEqual([true, false, false])
    expect(log.mock.calls.map(([level, event]) => [level, event])).toEqual([['warn', 'upstream.constraint-refused']])
  })

  it('keeps no other from being sent', async () => {
    const { upstream, sent } = await start({ write: () => 'yes' })
    await generated(upstream, promptRequest('Hi', { constraint: broken }))
    const events = await generated(upstream, promptRequest('Hi', { constraint: gbnf() }))
    expect(events[0]).toEqual({ type: 'text', text: 'yes' })
    expect(sent('/completion').map(({ body }) => 'grammar' in body)).toEqual([true, false, true])
  })

  it('is the last that is tried where all were refused', async () => {
    const { upstream, sent } = await start({
      answer: ({ path, body }) =>
        path === '/completion' && 'grammar' in body ? refuse(400, 'grammar is not supported here') : undefined,
    })
    for (let n = 0; n < 12; n++) {
      await generated(upstream, promptRequest('Hi', { constraint: gbnf({ grammar: `root ::= "${n}"` }) }))
    }
    expect(sent('/completion').filter(({ body }) => 'grammar' in body)).toHaveLength(8)
    expect(sent('/completion').filter(({ body }) => !('grammar' in body))).toHaveLength(12)
  })

  it('is not what another refusal is about', async () => {
    const { upstream, sent } = await start({
      answer: ({ path }) => (path === '/completion' ? refuse(400, 'temperature must be positive') : undefined),
    })
    await expect(generated(upstream, promptRequest('Hi', { constraint: gbnf() }))).rejects.toMatchObject({
      code: 'invalid-request',
      message: expect.stringContaining('Upstream "local" answered 400 and said "temperature'),
    })
    expect(sent('/completion')).toHaveLength(1)
  })
})

describe('the texts that end a reply', () => {
  const stops = ['<|im_end|>']
  const tag = { tag: { type: 'structural_tag' as const, format: {} }, widened: [] }
  const cases: [string, Constraint | undefined, readonly string[]][] = [
    ['without a constraint', undefined, stops],
    ['with a tag for calls in text', { type: 'structural-tag', tag }, stops],
    ['with a tag of the whole reply', { type: 'structural-tag', tag: { ...tag, isWhole: true } }, []],
  ]

  it.each(cases)('%s', (_, constraint, expected) => {
    const request = promptRequest('Hi', { stops, ...(constraint && { constraint }) })
    expect(stopsBeside(request)).toEqual(expected)
  })

  it('are looked for again where the grammar is refused', async () => {
    const { upstream, sent } = await start({ write: () => 'Fine.' })
    await generated(upstream, promptRequest('Hi', { stops, constraint: gbnf({ grammar: 'root ::= (' }) }))
    expect(sent('/completion').map(({ body }) => body.stop)).toEqual([undefined, stops])
  })
})
