import type { ExchangeView } from '../../../src/records/api/types.ts'

type Part = ExchangeView['prompts'][number]['parts'][number]

/** Sums up the tokens of a prompt by kind of part, the most first. */
export function ranked(parts: readonly Part[]): {
  total: number
  kinds: { kind: string; tokens: number; count: number }[]
  largest: Part | undefined
} {
  const kinds = new Map<string, { kind: string; tokens: number; count: number }>()
  let largest: Part | undefined
  let total = 0
  for (const part of parts) {
    const known = kinds.get(part.kind) ?? { kind: part.kind, tokens: 0, count: 0 }
    known.tokens += part.tokens
    known.count++
    kinds.set(part.kind, known)
    total += part.tokens
    if (!largest || part.tokens > largest.tokens) largest = part
  }
  return { total, kinds: [...kinds.values()].sort((a, b) => b.tokens - a.tokens), largest }
}
