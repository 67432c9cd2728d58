import { describe, expect, test } from 'vitest'
import type { Upstream, UpstreamModel } from '../../upstreams/upstream.ts'
import { parseConfig } from '../config/config.ts'
import { ModelTable } from './models.ts'

function upstream(name: string, models: readonly string[] | Error): Upstream {
  return {
    name,
    type: 'scripted',
    abilities: { requests: ['messages'] },
    models: async (): Promise<UpstreamModel[]> => {
      if (models instanceof Error) throw models
      return models.map((id) => ({ id }))
    },
    generate: () => Promise.reject(new Error('not asked for')),
  }
}

interface Rule {
  match: string | string[]
  upstream: string
  model?: string
}

function table(rules: Rule[], ...upstreams: Upstream[]): ModelTable {
  const entries = Object.fromEntries(upstreams.map(({ name }) => [name, { type: 'scripted' }]))
  const config = parseConfig({ upstreams: entries, models: rules } as unknown, { file: 'test', env: {}, dialects: [] })
  return new ModelTable(config, new Map(upstreams.map((upstream) => [upstream.name, upstream])))
}

const signal = new AbortController().signal

describe('a model', () => {
  const models = table(
    [
      { match: ['claude-*', 'opus'], upstream: 'a', model: 'qwen' },
      { match: 'gpt-4.1', upstream: 'b' },
      { match: '*/*:free', upstream: 'b' },
      { match: 'claude-x', upstream: 'b' },
    ],
    upstream('a', []),
    upstream('b', []),
  )

  test.each([
    ['claude-sonnet-4-5', 'a', 'qwen'],
    ['claude-', 'a', 'qwen'],
    ['opus', 'a', 'qwen'],
    ['gpt-4.1', 'b', 'gpt-4.1'],
    ['vendor/model:free', 'b', 'vendor/model:free'],
    // The first rule that matches counts.
    ['claude-x', 'a', 'qwen'],
    ['claude-\n', 'a', 'qwen'],
  ])('%s', (name, upstreamName, upstreamModel) => {
    const { candidates } = models.route(name)
    expect(candidates.map(({ upstream, model }) => [upstream.name, model])).toEqual([[upstreamName, upstreamModel]])
  })

  test.each(['gpt-4x1', 'opus2', 'my-claude-x', 'Claude-x', 'gpt-4.1\n', ''])('%j has no rule', (name) => {
    expect(() => models.route(name)).toThrow(
      `There is no model "${name}" here. This gateway serves: claude-*, opus, gpt-4.1, */*:free, claude-x.`,
    )
  })

  test('that nobody serves is told in short, however many there are and however long it is', () => {
    const many = table([{ match: Array.from({ length: 30 }, (_, n) => `m${n}`), upstream: 'a' }], upstream('a', []))
    expect(() => many.route('x')).toThrow(/m18, m19, …\.$/)
    expect(() => table([]).route('x')).toThrow('This gateway serves: none.')
    expect(() => many.route('x'.repeat(10_000))).toThrow(/^.{0,500}$/)
  })
})

describe('the list of models', () => {
  test('has the names of the rules and what patterns let through', async () => {
    const models = table(
      [
        { match: ['fast', 'q*'], upstream: 'a' },
        { match: '*', upstream: 'b' },
      ],
      upstream('a', ['qwen', 'llama']),
      // `qb` would go to the other upstream, which has it not.
      upstream('b', ['llama', 'phi', 'qb']),
    )
    const failed: unknown[] = []
    expect(await models.list({ signal }, (...failure) => failed.push(failure))).toEqual([
      'fast',
      'qwen',
      'llama',
      'phi',
    ])
    expect(failed).toEqual([])
  })

  test('asks no upstream for what the rules spell out', async () => {
    const models = table([{ match: ['a', 'b'], upstream: 'a' }], upstream('a', new Error('must not be asked')))
    const failed: unknown[] = []
    expect(await models.list({ signal }, (...failure) => failed.push(failure))).toEqual(['a', 'b'])
    expect(failed).toEqual([])
  })

  test('does without an upstream that does not answer', async () => {
    const error = new Error('down')
    const down = upstream('a', error)
    const models = table(
      [
        { match: ['named', 'x*'], upstream: 'a' },
        { match: '*', upstream: 'b' },
      ],
      down,
      upstream('b', ['phi']),
    )
    const failed: unknown[] = []
    expect(await models.list({ signal }, (...failure) => failed.push(failure))).toEqual(['named', 'phi'])
    expect(failed).toEqual([[down, error]])
  })
})
