import { expect, test, vi } from 'vitest'
import { expressionsMadeIn, overlapsIn } from '../../test/support/dialects/expressions.ts'
import { someOf } from '../../test/support/draws.ts'

vi.mock('../grammar/regex/lazy-reg-exp.ts', async (original) => {
  const { compiledAtOnce } = await import('../../test/support/dialects/expressions.ts')
  return compiledAtOnce(original)
})

test('no expression that a format is compiled to has repetitions that overlap', async () => {
  const made = await expressionsMadeIn(async () => {
    const { createReader, dialects } = await import('./index.ts')
    const tools = [{ name: 'get_weather', description: '', schema: { type: 'object', properties: { city: {} } } }]
    const ways = [
      {},
      { accept: { looseCalls: true }, reasoning: 'open' as const },
      { accept: { naturalLanguage: true }, standalone: true },
    ]
    // Scanners and programs are compiled as they are needed: by each dialect's own example, and by others'.
    for (const [index, { name, example }] of someOf([...dialects.entries()], 2)) {
      for (const way of [{ dialect: 'universal', ...ways[index % ways.length] }, ...ways]) {
        const reader = createReader({ dialect: name, ...way, tools, trigger: '<<CALL_1>>' })
        const half = Math.floor(example.length / 2)
        for (const piece of [example.slice(0, 8), example.slice(8, half), example.slice(half)]) reader.push(piece)
        reader.end()
      }
    }
  })
  expect(made.length).toBeGreaterThan(400)
  expect(overlapsIn(someOf(made))).toEqual([])
})
