import type { Expression } from '../../tree/expression.ts'
import type { Captures } from '../../tree/pattern.ts'
import { writePattern } from '../../tree/pattern-queries.ts'
import { capturesOf } from '../../write/marker.ts'

/** Text that tokenizers usually have as one token: `<tool_call>`, `<|im_end|>`, `[TOOL_CALLS]`, `</think>`. */
const tokenLike = /<[|\uff5c][^<>]{1,60}[|\uff5c]>|<\/?[\w:|.\uff5c-]{2,60}>|\[\/?[A-Z_]{3,40}\]/g

export function tokensOf(tree: Expression): string[] {
  return tokensIn(markersOf(tree))
}

/** Returns the parts of the markers' texts that may be tokens, each once. */
export function tokensIn(markers: readonly string[]): string[] {
  return [...new Set(markers.flatMap((marker) => [...marker.matchAll(tokenLike)].map(([token]) => token)))]
}

/** Replaces captured text, which differs from call to call: a marker that contains it is not a token. */
const held = '\u0000'
const allHeld: Captures = { name: held, key: held, id: held, type: held, index: held, title: held, joined: held }

/** The text of each marker that is written; of one that holds something, the texts around that. */
export function markersOf(tree: Expression): string[] {
  switch (tree.type) {
    case 'token':
      return writePattern(tree.pattern, allHeld).split(held)
    case 'tag': {
      const name = `${tree.written}${tree.names[0] ?? ''}`
      if (tree.side === 'close') return [`</${name}>`]
      return [capturesOf(tree).size === 0 ? `<${name}>` : `<${name}`]
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
