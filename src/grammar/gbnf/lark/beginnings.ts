import { empty, type Gbnf, sequence } from '../gbnf.ts'

/** A literal with which texts of a grammar begin, and what follows it. */
export interface Beginning {
  text: string
  rest: Gbnf
}

const mostBeginnings = 500

/** Splits a grammar by the literals that it begins with; what begins otherwise has an empty one. */
export function beginningsOf(root: Gbnf, rules: ReadonlyMap<string, Gbnf>): readonly Beginning[] {
  const found: Beginning[] = []
  const open: { first: Gbnf; rest: readonly Gbnf[]; depth: number }[] = [{ first: root, rest: [], depth: 0 }]
  for (let one = open.shift(); one; one = open.shift()) {
    const { first, rest, depth } = one
    const body = first.type === 'rule' ? rules.get(first.name) : undefined
    const isSplit = found.length + open.length < mostBeginnings && depth < mostBeginnings
    const [next, ...others] = rest
    if (first.type === 'literal' && first.text === '' && next) open.push({ first: next, rest: others, depth })
    else if (first.type === 'literal') found.push({ text: first.text, rest: sequence(...rest) })
    else if (isSplit && body && begins(body)) open.push({ first: body, rest, depth: depth + 1 })
    else if (isSplit && first.type === 'choice') {
      open.push(...first.of.map((alternative) => ({ first: alternative, rest, depth: depth + 1 })))
    } else if (first.type === 'sequence') {
      const [head = empty, ...tail] = first.of
      open.push({ first: head, rest: [...tail, ...rest], depth: depth + 1 })
    } else found.push({ text: '', rest: sequence(first, ...rest) })
  }
  return found
}

/** True for an expression that may begin with a literal. */
function begins(gbnf: Gbnf): boolean {
  return gbnf.type !== 'chars' && gbnf.type !== 'repeat'
}
