import { describe, expect, test } from 'vitest'
import { catchAll, exampleModel, type ListedUpstream, preferredModel, rulesFor } from './model-rules.ts'

const as = {
  plan: 'auto' as const,
  reasoning: 'field' as const,
  showReasoning: 'asked' as const,
  delivery: 'live' as const,
  corrections: 0,
  continuations: 0,
  toolSearch: 0,
}

test.each<[string[], string | undefined]>([
  [['a', 'b'], 'a'],
  [['nomic-embed-text:latest', 'bge-reranker', 'qwen'], 'qwen'],
  [['text-embedding-3'], 'text-embedding-3'],
  [[], undefined],
])('of %j, %j is preferred', (models, expected) => {
  expect(preferredModel(models)).toBe(expected)
})

describe('rules', () => {
  test.each<[string, ListedUpstream[], unknown]>([
    [
      'listed names pass, others go to the first',
      [{ name: 'u', models: ['a', 'b'] }],
      [
        { match: ['a', 'b'], upstreams: [{ name: 'u' }], ...as },
        { match: ['*'], upstreams: [{ name: 'u' }], model: 'a', ...as },
      ],
    ],
    [
      'an upstream that does not answer gets names as they are',
      [{ name: 'u', models: undefined }],
      [{ match: ['*'], upstreams: [{ name: 'u' }], ...as }],
    ],
    [
      'so does one that lists nothing',
      [{ name: 'u', models: [] }],
      [{ match: ['*'], upstreams: [{ name: 'u' }], ...as }],
    ],
    [
      'several upstreams',
      [
        { name: 'u', models: undefined },
        { name: 'v', models: ['a'] },
      ],
      [
        { match: ['a'], upstreams: [{ name: 'v' }], ...as },
        { match: ['*'], upstreams: [{ name: 'u' }], ...as },
      ],
    ],
    ['no upstream', [], []],
  ])('%s', (_, upstreams, expected) => {
    expect(rulesFor(upstreams)).toEqual(expected)
  })
})

test.each<[string, Parameters<typeof exampleModel>[0], string | undefined]>([
  ['a literal name', [{ match: ['claude-*', 'gpt-4o'], upstreams: [{ name: 'u' }], ...as }], 'gpt-4o'],
  [
    'a name that a pattern takes',
    [{ match: ['claude-*'], upstreams: [{ name: 'u' }], model: 'q', ...as }],
    'claude-any',
  ],
  ['the model after the rule for all', [catchAll('u', 'q')], 'q'],
  ['the first listed', rulesFor([{ name: 'u', models: ['embed', 'q'] }]), 'q'],
  ['none where names pass on', [catchAll('u', undefined)], undefined],
  ['a later rule', [{ match: ['a-*'], upstreams: [{ name: 'u' }], ...as }, catchAll('u', 'q')], 'q'],
])('an example is %s', (_, rules, expected) => {
  expect(exampleModel(rules)).toBe(expected)
})
