import { expect, test, vi } from 'vitest'
import { overlapOf } from '../grammar/regex/overlap.ts'

/**
 * The expressions that are made, not written, while something runs with modules of its own: those that are compiled, and those
 * that would be when they are first used.
 */
async function expressionsMadeIn(run: () => Promise<void>): Promise<readonly RegExp[]> {
  const made = new Map<string, RegExp>()
  const original = globalThis.RegExp
  vi.resetModules()
  globalThis.RegExp = new Proxy(original, {
    construct(target, args, newTarget) {
      const expression: RegExp = Reflect.construct(target, args, newTarget)
      made.set(String(expression), expression)
      return expression
    },
  })
  try {
    await run()
  } finally {
    globalThis.RegExp = original
    vi.resetModules()
  }
  return [...made.values()]
}

vi.mock('../grammar/regex/lazy-reg-exp.ts', async (original) => {
  const module = await original<typeof import('../grammar/regex/lazy-reg-exp.ts')>()
  class CompiledAtOnce extends module.LazyRegExp {
    constructor(source: string, flags: string) {
      super(source, flags)
      new RegExp(source, flags)
    }
  }
  return { ...module, LazyRegExp: CompiledAtOnce }
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
    for (const [index, { name, example }] of dialects.entries()) {
      for (const way of [{ dialect: 'universal', ...ways[index % ways.length] }, ...ways]) {
        const reader = createReader({ dialect: name, ...way, tools, trigger: '<<CALL_1>>' })
        const half = Math.floor(example.length / 2)
        for (const piece of [example.slice(0, 8), example.slice(8, half), example.slice(half)]) reader.push(piece)
        reader.end()
      }
    }
  })
  expect(made.length).toBeGreaterThan(900)
  const overlaps = made.flatMap((expression) => {
    const overlap = overlapOf(expression)
    return overlap ? [`${overlap.type} ${overlap.chars}: ${String(expression).slice(0, 300)}`] : []
  })
  expect(overlaps).toEqual([])
})
