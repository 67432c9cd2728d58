import { memoize } from '../../../conversation/index.ts'
import type { Block } from '../../../dialects/index.ts'
import { anyName, type Expression, type Pattern, type TokenOrTag } from '../../../grammar/index.ts'

/**
 * A block in which an id that comes after the arguments only is invented by the model. A closing marker repeats
 * captured text, which a grammar can only express if it knows the text: for an id that did not come before, it can
 * express only the form.
 */
export function withMadeIds(block: Block): Block {
  return patternsOf(block.tree).some(capturesId) ? block : { ...block, tree: made(block.tree) }
}

/** Blocks share trees, and grammars print shared trees once, so the result for a tree is cached. */
const made: (tree: Expression) => Expression = memoize((tree: Expression): Expression => {
  switch (tree.type) {
    case 'token':
      return { ...tree, pattern: madeIn(tree.pattern) }
    case 'close':
      return { ...tree, of: madeMarker(tree.of), ...(tree.others && { others: tree.others.map(madeMarker) }) }
    case 'sequence':
    case 'choice':
      return { ...tree, of: tree.of.map(made) }
    case 'optional':
    case 'repeat':
    case 'call':
      return { ...tree, of: made(tree.of) }
    case 'value':
      return { ...tree, close: madeMarker(tree.close) }
    case 'tag':
    case 'json':
      return tree
  }
})

const madeMarker: (of: TokenOrTag) => TokenOrTag = memoize(
  (of: TokenOrTag): TokenOrTag => (of.type === 'token' ? { ...of, pattern: madeIn(of.pattern) } : of),
)

function madeIn(pattern: Pattern): Pattern {
  switch (pattern.type) {
    case 'captured':
      return pattern.of === 'id' ? { type: 'capture', as: 'id', of: anyName } : pattern
    case 'sequence':
    case 'choice':
      return { ...pattern, of: pattern.of.map(madeIn) }
    case 'optional':
    case 'capture':
    case 'ahead':
    case 'not':
      return { ...pattern, of: madeIn(pattern.of) }
    case 'literal':
    case 'chars':
      return pattern
  }
}

/** The patterns of a tree's markers, except those that close. */
function patternsOf(tree: Expression): Pattern[] {
  switch (tree.type) {
    case 'token':
      return [tree.pattern]
    case 'sequence':
    case 'choice':
      return tree.of.flatMap(patternsOf)
    case 'optional':
    case 'repeat':
    case 'call':
      return patternsOf(tree.of)
    default:
      return []
  }
}

function capturesId(pattern: Pattern): boolean {
  switch (pattern.type) {
    case 'capture':
      return pattern.as === 'id' || capturesId(pattern.of)
    case 'sequence':
    case 'choice':
      return pattern.of.some(capturesId)
    case 'optional':
      return capturesId(pattern.of)
    default:
      return false
  }
}
