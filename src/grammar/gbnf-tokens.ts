import type { Expression } from './expression.ts'
import { writePattern } from './pattern.ts'

/** `<tool_call>`, `<|im_end|>`, `[TOOL_CALLS]`, `</think>`: what tokenizers have as one token. */
const tokenLike = /<[|\uff5c][^<>]{1,60}[|\uff5c]>|<\/?[\w:|.\uff5c-]{2,60}>|\[\/?[A-Z_]{3,40}\]/g

export function tokensOf(tree: Expression): string[] {
  return tokensIn(markersOf(tree))
}

/** What may be tokens in the texts of markers, each once. */
export function tokensIn(markers: readonly string[]): string[] {
  return [...new Set(markers.flatMap((marker) => [...marker.matchAll(tokenLike)].map(([token]) => token)))]
}

/** The text of each marker that is written. */
function markersOf(tree: Expression): string[] {
  switch (tree.type) {
    case 'token':
      return [writePattern(tree.pattern, {})]
    case 'tag': {
      const name = `${tree.written}${tree.names[0] ?? ''}`
      return [tree.side === 'close' ? `</${name}>` : `<${name}>`]
    }
    case 'close':
      return markersOf(tree.of)
    case 'value':
      return markersOf(tree.close)
    case 'sequence':
      return tree.of.flatMap(markersOf)
    case 'choice':
      return tree.of[0] ? markersOf(tree.of[0]) : []
    case 'optional':
      return tree.isWritten ? markersOf(tree.of) : []
    case 'repeat':
    case 'call':
      return markersOf(tree.of)
    case 'json':
      return []
  }
}

/** A marker at the end that ends the turn as well. */
export function stopsOf(tree: Expression): string[] {
  const last = tree.type === 'sequence' ? tree.of.at(-1) : undefined
  if (last?.type === 'sequence') return stopsOf(last)
  if (last?.type === 'close' && last.mayBeMissing) return markersOf(last.of)
  if (last?.type !== 'optional' || !last.isWritten) return []
  return tokensOf(last.of).slice(0, 1)
}
