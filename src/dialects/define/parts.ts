import type { Expression, Pattern, Tag } from '../../grammar/index.ts'

/** An expression inside a tree, with the path of functions that leads to it. */
export interface TreePart {
  path: string
  node: Expression
  /** The path of the innermost call around the part; undefined outside of calls. */
  call: string | undefined
  /** The path of the innermost repetition around the part, or of the call if there is none in it. */
  group: string | undefined
}

/** Returns all parts of a tree, outer before inner. */
export function partsOf(tree: Expression, path: string): TreePart[] {
  return visit({ node: tree, path, call: undefined, group: undefined })
}

function visit(part: TreePart): TreePart[] {
  return [part, ...childrenOf(part).flatMap(visit)]
}

function childrenOf({ node, path, call, group }: TreePart): TreePart[] {
  const at = (child: Expression, step: string, more: Partial<TreePart> = {}): TreePart => ({
    node: child,
    path: `${path}.${step}`,
    call,
    group,
    ...more,
  })
  switch (node.type) {
    case 'sequence':
    case 'choice':
      return node.of.map((child, index) => at(child, `${node.type}[${index}]`))
    case 'call': {
      // `call(a, b)` holds a sequence that no one wrote.
      const inside = { call: path, group: path }
      const parts = node.of.type === 'sequence' ? node.of.of : [node.of]
      return parts.map((child, index) => at(child, `call[${index}]`, inside))
    }
    case 'optional':
      return [at(node.of, node.isWritten ? 'optional' : 'tolerated')]
    case 'repeat': {
      const step = node.isOptional ? 'repeat' : 'oneOrMore'
      return [at(node.of, step, { group: `${path}.${step}` })]
    }
    case 'close':
      return [at(node.of, 'close')]
    case 'value':
      return [at(node.close, 'value')]
    case 'token':
    case 'tag':
    case 'json':
      return []
  }
}

/** Returns the patterns of a part itself, without those of the parts in it. */
export function patternsAt(node: Expression): readonly Pattern[] {
  switch (node.type) {
    case 'token':
      return [node.pattern]
    case 'tag':
      return node.before ? [node.before] : []
    case 'repeat':
      return node.separator ? [node.separator] : []
    case 'close':
      return node.before ? [node.before] : []
    default:
      return []
  }
}

/** Returns all patterns in a pattern, itself first. */
export function patternsWithin(pattern: Pattern): Pattern[] {
  switch (pattern.type) {
    case 'sequence':
    case 'choice':
      return [pattern, ...pattern.of.flatMap(patternsWithin)]
    case 'optional':
    case 'capture':
    case 'ahead':
    case 'not':
      return [pattern, ...patternsWithin(pattern.of)]
    case 'literal':
    case 'chars':
    case 'captured':
      return [pattern]
  }
}

/** Returns the captures of a part. */
export function capturesAt(node: Expression): string[] {
  if (node.type === 'tag') return attributesOf(node)
  return patternsAt(node)
    .flatMap(patternsWithin)
    .flatMap((pattern) => (pattern.type === 'capture' ? [pattern.as] : []))
}

function attributesOf({ attributes }: Tag): string[] {
  return Object.keys(attributes)
}
