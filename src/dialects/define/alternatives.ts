import type { Expression, Pattern, TokenOrTag } from '../../grammar/index.ts'

/** A tree that writes one of its alternatives, or one of its optional parts, otherwise than the tree that it was made from. */
export interface Alternative {
  /** The part that differs, by the functions that lead to it. */
  part: string
  tree: Expression
}

/**
 * Returns a tree for each alternative of its choices that is not written (the first is), and for each part that may be there
 * or not. The text that such a tree writes must be read by the tree that it was made from.
 */
export function alternativesOf(node: Expression, path: string): Alternative[] {
  switch (node.type) {
    case 'token':
      return patternAlternatives(node.pattern, path).map(({ part, pattern }) => ({ part, tree: { ...node, pattern } }))
    case 'sequence':
      return node.of.flatMap((child, index) =>
        alternativesOf(child, `${path}.sequence[${index}]`).map(({ part, tree }) => ({
          part,
          tree: { ...node, of: node.of.with(index, tree) },
        })),
      )
    case 'choice':
      return node.of.flatMap((child, index) => {
        const part = `${path}.choice[${index}]`
        const others = node.of.filter((_, other) => other !== index)
        const first = index === 0 ? [] : [{ part, tree: { ...node, of: [child, ...others] } }]
        const inner = alternativesOf(child, part).map((one) => ({
          part: one.part,
          tree: { ...node, of: [one.tree, ...others] },
        }))
        return [...first, ...inner]
      })
    case 'optional': {
      const step = `${path}.${node.isWritten ? 'optional' : 'tolerated'}`
      const flipped = { part: step, tree: { ...node, isWritten: !node.isWritten } }
      const inner = alternativesOf(node.of, step).map(({ part, tree }) => ({
        part,
        tree: { ...node, isWritten: true, of: tree },
      }))
      return [flipped, ...inner]
    }
    case 'repeat':
      return within(node, alternativesOf(node.of, `${path}.${node.isOptional ? 'repeat' : 'oneOrMore'}`))
    case 'call': {
      const inner = alternativesOf(node.of, path)
      return within(
        node,
        inner.map(({ part, tree }) => ({ part: part.replace(`${path}.sequence`, `${path}.call`), tree })),
      )
    }
    case 'close':
      return closers(node.of, `${path}.close`).map(({ part, of }) => ({ part, tree: { ...node, of } }))
    case 'value':
      return closers(node.close, `${path}.value`).map(({ part, of }) => ({ part, tree: { ...node, close: of } }))
    case 'tag':
    case 'json':
      return []
  }
}

function within<Node extends Expression & { of: Expression }>(
  node: Node,
  inner: readonly Alternative[],
): Alternative[] {
  return inner.map(({ part, tree }) => ({ part, tree: { ...node, of: tree } }))
}

function closers(of: TokenOrTag, path: string): { part: string; of: TokenOrTag }[] {
  if (of.type === 'tag') return []
  return patternAlternatives(of.pattern, path).map(({ part, pattern }) => ({ part, of: { ...of, pattern } }))
}

interface PatternAlternative {
  part: string
  pattern: Pattern
}

function patternAlternatives(pattern: Pattern, path: string): PatternAlternative[] {
  switch (pattern.type) {
    case 'sequence':
      return pattern.of.flatMap((child, index) =>
        patternAlternatives(child, `${path}.pattern.sequence[${index}]`).map((one) => ({
          part: one.part,
          pattern: { ...pattern, of: pattern.of.with(index, one.pattern) },
        })),
      )
    case 'choice':
      return pattern.of.slice(1).map((child, index) => ({
        part: `${path}.pattern.choice[${index + 1}]`,
        pattern: { ...pattern, of: [child, ...pattern.of.filter((other) => other !== child)] },
      }))
    case 'optional':
      return [
        {
          part: `${path}.pattern.${pattern.isWritten ? 'optional' : 'tolerated'}`,
          pattern: { ...pattern, isWritten: !pattern.isWritten },
        },
      ]
    default:
      return []
  }
}
