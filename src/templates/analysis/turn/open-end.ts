import type { Block } from '../../../dialects/index.ts'
import { type Expression, optional, type Pattern, pattern, patternOf, sequence, token } from '../../../grammar/index.ts'
import { markerOf } from '../probes/slots.ts'
import { segmentsOf } from './segments.ts'

/**
 * A block whose last marker, or the end of it, ends the turn as well: HyperCLOVA X closes its calls with `<|im_end|><|stop|>`, gpt-oss with
 * `<|call|>`. An engine stops at such a token and does not write it, so it may be missing; a grammar that demanded it would keep the model from
 * ending its turn at all.
 */
export function withOpenEnd(block: Block, ends: readonly string[]): Block {
  const tree = opened(block.tree, ends)
  return tree === block.tree ? block : { ...block, tree }
}

function opened(tree: Expression, ends: readonly string[]): Expression {
  switch (tree.type) {
    case 'call': {
      const of = opened(tree.of, ends)
      return of === tree.of ? tree : { ...tree, of }
    }
    case 'sequence': {
      const last = tree.of.at(-1)
      const of = last && opened(last, ends)
      return of === undefined || of === last ? tree : { ...tree, of: [...tree.of.slice(0, -1), of] }
    }
    case 'close':
      return tree.of.type === 'token' ? openedMarker(tree, tree.of.pattern, ends) : tree
    default:
      return tree
  }
}

function openedMarker(tree: Expression, marker: Pattern, ends: readonly string[]): Expression {
  const parts = marker.type === 'sequence' ? marker.of : [marker]
  for (const [index, part] of parts.entries()) {
    // A captured text does not end a turn, and white space is not a marker.
    if (part.type !== 'literal') continue
    const segments = segmentsOf(part.text)
    const at = segments.findIndex((segment) => ends.includes(segment.trim()))
    if (at < 0) continue
    const [kept, end] = [segments.slice(0, at).join('').trimEnd(), segments.slice(at).join('').trim()]
    const before = [...parts.slice(0, index), ...(kept === '' ? [] : [kept])].map(patternOf)
    const open = optional(token(pattern.space(), ...markerOf(end), ...parts.slice(index + 1)))
    const isBlank = before.every(({ type }) => type === 'chars')
    return isBlank
      ? open
      : sequence({ type: 'close', of: { type: 'token', pattern: pattern.sequence(...before) } }, open)
  }
  return tree
}
