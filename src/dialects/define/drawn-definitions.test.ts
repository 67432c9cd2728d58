import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { drawnDefinition } from '../../../test/support/dialects/drawn-definitions.ts'
import { expressionsMadeIn, overlapsIn } from '../../../test/support/dialects/expressions.ts'
import { isThorough, lawRuns } from '../../../test/support/draws.ts'
import { growthOf, linearGrowth } from '../../../test/support/steps.ts'
import type { Dialect } from '../index.ts'
import type { DialectDefinition } from './definition.ts'

vi.mock('../../grammar/regex/lazy-reg-exp.ts', async (original) => {
  const { compiledAtOnce } = await import('../../../test/support/dialects/expressions.ts')
  return compiledAtOnce(original)
})

const tools = [
  {
    name: 'get_weather',
    schema: { type: 'object', properties: { city: { type: 'string' }, days: { type: 'integer' } } },
  },
]

/** The dialects of drawn definitions, but for those that are refused. */
async function dialectsOf(definitions: readonly DialectDefinition[]): Promise<Dialect[]> {
  const { DialectError, defineDialect } = await import('../index.ts')
  return definitions.flatMap((definition) => {
    try {
      return [defineDialect(definition)]
    } catch (error) {
      if (DialectError.isInstance(error)) return []
      throw error
    }
  })
}

test('no expression that a drawn dialect is compiled to has repetitions that overlap', async () => {
  const count = isThorough ? 300 : 24
  let dialects: Dialect[] = []
  const made = await expressionsMadeIn(async () => {
    const { createReader } = await import('../index.ts')
    dialects = await dialectsOf(fc.sample(drawnDefinition, count))
    for (const dialect of dialects) {
      const reader = createReader({ dialect, tools, accept: { looseCalls: true } })
      for (const piece of [dialect.example.slice(0, 9), dialect.example.slice(9)]) reader.push(piece)
      reader.end()
      dialect.neutralise(dialect.example, { trigger: '', tools: [] })
    }
  })
  // Most can be told from text.
  expect(dialects.length).toBeGreaterThan(count / 4)
  expect(overlapsIn(made)).toEqual([])
})

const fillers = [' ', '\n', '\t', 'x', '<', '>', '|', '"', '{', '</', ':', '=', ';', '\u00a0', '\\', 'json\n']

test('a reader of a drawn dialect takes as many steps for each character, whatever came before', async () => {
  const { createReader } = await import('../index.ts')
  const place = fc.record({
    definition: drawnDefinition,
    cut: fc.double({ min: 0, max: 1, noNaN: true }),
    filler: fc.constantFrom(...fillers),
  })
  for (const { definition, cut, filler } of fc.sample(place, Math.ceil(lawRuns / 2))) {
    const [dialect] = await dialectsOf([definition])
    if (!dialect) continue
    const prefix = dialect.example.slice(0, Math.round(cut * dialect.example.length))
    const read = (length: number) => {
      const reader = createReader({ dialect, tools })
      const text = prefix + filler.repeat(length / filler.length)
      for (let at = 0; at < text.length; at += 7) reader.push(text.slice(at, at + 7))
      reader.end()
    }
    expect([prefix, filler, growthOf(read, 1600) < linearGrowth]).toEqual([prefix, filler, true])
  }
})
