import { vi } from 'vitest'
import { overlapOf } from '../../../src/grammar/regex/overlap.ts'

type LazyRegExpModule = typeof import('../../../src/grammar/regex/lazy-reg-exp.ts')

/**
 * Returns the expressions that are made, not written, while something runs with modules of its own: those that are compiled, and, in
 * a test that mocks the module of `LazyRegExp` with `compiledAtOnce`, those that would be when they are first used.
 */
export async function expressionsMadeIn(run: () => Promise<void>): Promise<readonly RegExp[]> {
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

/** Returns the module of `LazyRegExp` with one that compiles at once, for `vi.mock`. */
export async function compiledAtOnce(original: () => Promise<LazyRegExpModule>): Promise<LazyRegExpModule> {
  const module = await original()
  // Formats have most of their expressions in common.
  const known = new Set<string>()
  class CompiledAtOnce extends module.LazyRegExp {
    constructor(source: string, flags: string) {
      super(source, flags)
      const key = `${flags}/${source}`
      if (!known.has(key)) new RegExp(source, flags)
      known.add(key)
    }
  }
  return { ...module, LazyRegExp: CompiledAtOnce }
}

/** Returns the expressions whose repetitions overlap, each with the characters that both take. */
export function overlapsIn(made: readonly RegExp[]): readonly string[] {
  return made.flatMap((expression) => {
    const overlap = overlapOf(expression)
    return overlap ? [`${overlap.type} ${overlap.chars}: ${String(expression).slice(0, 300)}`] : []
  })
}
