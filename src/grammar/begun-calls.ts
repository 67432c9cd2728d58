import type { Tool } from '../conversation/index.ts'
import type { Expression } from './expression.ts'
import { type Gbnf, inOrder, prefixOf, withoutPrefix } from './gbnf.ts'
import { type GrammarRequest, type RequestedCalls, requestedCalls } from './gbnf-grammar.ts'
import type { GbnfRules } from './gbnf-rules.ts'
import { writeCalls } from './write.ts'

/** Calls whose first opening marker the prompt has begun. */
export interface BegunCalls extends RequestedCalls {
  begun: string
  /** How the first call goes on, a tool each. */
  firsts: readonly BegunCall[]
}

export interface BegunCall {
  /** The rest of the marker, with the tool's name and what stands behind it. */
  word: string
  /** The call from there on, the word being a part of it. */
  call: Gbnf
}

/** The calls of a request from where the prompt has begun them; undefined where they do not begin so. */
export function begunCalls(
  tree: Expression,
  begun: string | undefined,
  found: RequestedCalls,
  request: GrammarRequest,
  rules: GbnfRules,
): BegunCalls | undefined {
  if (begun === undefined || begun === '' || !prefixOf(found.calls, rules.all).startsWith(begun)) return undefined
  const calls = withoutPrefix(found.calls, begun.length, rules.all)
  const firsts = found.tools.flatMap((tool): BegunCall[] => {
    const one = requestedCalls(tree, { ...request, tools: [tool], parallelCalls: false }, rules)
    const word = one && wordOf(tree, tool, begun)
    if (!one || word === undefined) return []
    return [{ word, call: behind(word, withoutPrefix(one.calls, begun.length, rules.all), rules) }]
  })
  // A name may be the end of another: the longer one is looked for first.
  const sorted = firsts.toSorted((one, other) => other.word.length - one.word.length)
  return { tools: found.tools, calls, word: '', isStrong: false, begun, firsts: sorted }
}

/** What begins like any call, up to what stands behind the tool's name: white space, or one other character. */
function wordOf(tree: Expression, tool: Tool, begun: string): string | undefined {
  const written = writeCalls(tree, [{ name: tool.name, arguments: '{}' }], [tool])
  const rest = written.startsWith(begun) ? written.slice(begun.length) : ''
  const at = rest.indexOf(tool.name)
  if (at < 0) return undefined
  const end = at + tool.name.length
  const [delimiter = ''] = /^(?:\s+|[^\s\w{[])/.exec(rest.slice(end)) ?? []
  return rest.slice(0, end) + delimiter
}

/** What begins with a word, so far as it is literal; white space at the word's end is optional elsewhere. */
function behind(word: string, call: Gbnf, rules: GbnfRules): Gbnf {
  const shared = prefixOf(call, rules.all)
  const length = word.startsWith(shared) ? shared.length : word.length
  return inOrder(word, withoutPrefix(call, length, rules.all))
}

/** The rest of a marker that the prompt has begun; undefined where it has not. */
export function restOf(marker: string, begun: string): string | undefined {
  return marker.startsWith(begun) ? marker.slice(begun.length) : undefined
}
