import type { Expression, Pattern } from '../../grammar/index.ts'

/** Formats a tree for a person: one line per part, indented below its parent. */
export function treeLines(tree: Expression): string[] {
  return below(tree, '')
}

function below(tree: Expression, indent: string): string[] {
  const inner = `${indent}  `
  const holding = (head: string, ...of: readonly Expression[]) => [
    indent + head,
    ...of.flatMap((part) => below(part, inner)),
  ]
  switch (tree.type) {
    case 'token':
      return [indent + patternText(tree.pattern)]
    case 'tag':
      return [indent + tagText(tree)]
    case 'sequence':
      return tree.of.flatMap((part) => below(part, indent))
    case 'choice':
      return holding('one of', ...tree.of)
    case 'optional':
      return holding(tree.isWritten ? 'optional' : 'also read', tree.of)
    case 'repeat': {
      const between = tree.separator === undefined ? '' : `, between two ${patternText(tree.separator)}`
      return holding(`${tree.isOptional ? 'any number of' : 'one or more of'}${between}`, tree.of)
    }
    case 'call':
      return holding('call', tree.of)
    case 'close':
      return holding(tree.mayBeMissing ? 'end, or none' : 'end', tree.of)
    case 'json':
      return [indent + jsonText(tree)]
    case 'value':
      return holding(
        tree.encoding === 'arguments' ? 'arguments, up to' : `value as ${tree.encoding}, up to`,
        tree.close,
      )
  }
}

function tagText({ side, names, written, attributes }: Extract<Expression, { type: 'tag' }>): string {
  const captured = Object.entries(attributes).map(([as, keys]) => ` ${keys.join('|')}=${as.toUpperCase()}`)
  return `tag <${side === 'close' ? '/' : ''}${written}${names.join('|')}${captured.join('')}>`
}

function jsonText({ holds, keys, style, isBare }: Extract<Expression, { type: 'json' }>): string {
  if (holds === 'arguments' || holds === 'value' || holds === 'unnamed' || holds === 'message') return `JSON: ${holds}`
  const members = [
    ...(keys.inside === undefined ? [] : [`inside ${JSON.stringify(keys.inside)}`]),
    `name ${keys.name === undefined ? 'as the key of the arguments' : JSON.stringify(keys.name)}`,
    `arguments ${JSON.stringify(keys.arguments)}${keys.isEncoded ? ' as a string' : ''}`,
    ...(keys.id === undefined ? [] : [`id ${JSON.stringify(keys.id)}`]),
  ]
  const kind = Object.keys(style).length > 0 ? ' in a style of its own' : ''
  return `JSON${kind}: ${isBare ? 'bare ' : ''}${holds}, ${members.join(', ')}`
}

/** Formats a pattern on one line: texts in quotes, character classes in brackets, names of captures in capitals. */
function patternText(pattern: Pattern): string {
  switch (pattern.type) {
    case 'literal':
      return JSON.stringify(pattern.text)
    case 'chars':
      return pattern.set === '\\s' ? 'space' : `[${pattern.set}]{${pattern.min},${pattern.max}}`
    case 'sequence':
      return pattern.of.map(patternText).join(' ')
    case 'choice':
      return `(${pattern.of.map(patternText).join(' | ')})`
    case 'optional':
      return `(${patternText(pattern.of)})?`
    case 'capture':
      return pattern.as.toUpperCase()
    case 'captured':
      return `${pattern.of.toUpperCase()} again`
    case 'ahead':
      return `before(${patternText(pattern.of)})`
    case 'not':
      return `not before(${patternText(pattern.of)})`
  }
}
