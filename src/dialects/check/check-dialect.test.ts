import { describe, expect, it, test } from 'vitest'
import { someOf } from '../../../test/support/draws.ts'
import { call, close, jsonArguments, pattern } from '../../grammar/index.ts'
import { defineDialect } from '../define/index.ts'
import type { Dialect, Reader } from '../format/dialect.ts'
import { dialects } from '../index.ts'
import { checkDialect } from './index.ts'

const alcove = defineDialect({
  name: 'alcove',
  calls: call('<call:', pattern.capture('name', '\\w.-'), '>', jsonArguments(), close('</call>')),
})

/** A dialect whose reader is changed. */
function changed(change: (reader: Reader) => Partial<Reader>): Dialect {
  return {
    ...alcove,
    createReader: (options) => {
      const reader = alcove.createReader(options)
      const { push, end } = { push: reader.push.bind(reader), end: reader.end.bind(reader) }
      return { push, end, report: reader.report, ...change({ push, end, report: reader.report }) }
    },
  }
}

function lawsBrokenBy(dialect: Dialect): string[] {
  return [...new Set(checkDialect(dialect, { runs: 30 }).map(({ law }) => law))].sort()
}

describe('checkDialect', () => {
  it('finds nothing in a dialect that keeps to the laws', () => {
    const example = { text: 'So: <call:now>{}</call>', calls: [{ name: 'now', arguments: {} }] }
    expect(checkDialect(alcove, { examples: [example, 'no call'], tools: ['now', 'roll'] })).toEqual([])
  })

  it('finds an example that is read otherwise', () => {
    const examples = [{ text: '<call>now</call>', calls: [{ name: 'now', arguments: {} }] }]
    expect(checkDialect(alcove, { examples, tools: ['now'], runs: 0 })).toEqual([
      { law: 'example', text: '<call>now</call>', message: 'no call is read, not now({})' },
    ])
  })

  it.each<[string, Dialect, string]>([
    [
      'a reader that throws',
      changed(() => ({
        push: () => {
          throw new Error('oh')
        },
      })),
      'never-throws',
    ],
    [
      'a reader that looks at pieces',
      changed(({ push }) => ({ push: (text) => (text.length === 1 ? [] : push(text)) })),
      'chunk-invariance',
    ],
    [
      'a reader that loses text',
      changed(({ push }) => ({ push: (text) => push(text).filter(({ type }) => type !== 'text') })),
      'nothing-lost',
    ],
    [
      'a reader that ends twice',
      changed(({ end }) => ({ end: (reason) => [...end(reason), { type: 'finish', reason }] })),
      'truth-about-the-end',
    ],
    ['a dialect that neutralises nothing', { ...alcove, neutralise: (text) => text }, 'text-of-others'],
    ['a dialect that writes another format', { ...alcove, renderAssistant: () => '<call>' }, 'round-trip'],
  ])('finds %s', (_, dialect, law) => {
    expect(lawsBrokenBy(dialect)).toContain(law)
  })

  it('draws the same texts for the same seed', () => {
    const broken = { ...alcove, neutralise: (text: string) => text }
    expect(checkDialect(broken, { seed: 7 })).toEqual(checkDialect(broken, { seed: 7 }))
    expect(checkDialect(broken, { seed: 8 })).not.toEqual(checkDialect(broken, { seed: 7 }))
  })
})

test.each(someOf(dialects, 8).map((dialect) => [dialect.name, dialect] as const))(
  '%s keeps to the laws',
  (_, dialect) => {
    expect(checkDialect(dialect, { seed: Number(process.env.ANYCALL_SEED), runs: 30 })).toEqual([])
  },
)
