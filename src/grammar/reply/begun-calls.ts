import type { Tool } from '../../conversation/index.ts'
import { type FirstCall, type GrammarRequest, type RequestedCalls, requestedCalls } from '../gbnf/calls/grammar.ts'
import { type Gbnf, prefixOf, sequence, withoutPrefix } from '../gbnf/gbnf.ts'
import type { GbnfRules } from '../gbnf/rules.ts'
import type { Expression } from '../tree/expression.ts'
import { writeCalls } from '../write/write.ts'

/** Calls after a prompt that has begun the first opening marker. */
export interface BegunCalls extends RequestedCalls {
  begun: string
  /** The continuations of the first call: the rest of the marker is part of its word. */
  firsts: readonly FirstCall[]
}

/** The rest of a request's calls after the part that the prompt has begun; undefined if they do not begin like that. */
export function begunCalls(
  tree: Expression,
  begun: string | undefined,
  found: RequestedCalls,
  request: GrammarRequest,
  rules: GbnfRules,
): BegunCalls | undefined {
  if (begun === undefined || begun === '' || !prefixOf(found.calls, rules.all).startsWith(begun)) return undefined
  const calls = withoutPrefix(found.calls, begun.length, rules.all)
  const firsts = firstsOf(tree, begun, found, request, rules)
  return { tools: found.tools, calls, word: '', isStrong: false, begun, firsts }
}

/** Returns the continuations of the first call after `begun`, one for each tool. */
export function firstsOf(
  tree: Expression,
  begun: string,
  found: RequestedCalls,
  request: GrammarRequest,
  rules: GbnfRules,
): FirstCall[] {
  const firsts = found.tools.flatMap((tool): FirstCall[] => {
    const one = requestedCalls(tree, { ...request, tools: [tool], parallelCalls: false }, rules)
    const word = one && wordOf(tree, tool, begun)
    if (!one || word === undefined) return []
    return [{ word, call: after(word, withoutPrefix(one.calls, begun.length, rules.all), rules) }]
  })
  // A name may be the end of another: the longer one is looked for first.
  return firsts.toSorted((one, other) => other.word.length - one.word.length)
}

/** Returns the beginning of a call up to the text after the tool's name: white space, or one other character. */
function wordOf(tree: Expression, tool: Tool, begun: string): string | undefined {
  const { name } = tool
  const written = callWritten(tree, tool)
  // A marker may contain a tool's name: `for=for`. Another name of the same length differs exactly at the tool's name.
  const other = callWritten(tree, { ...tool, name: (name.startsWith('x') ? 'y' : 'x') + name.slice(1) })
  const at = [...Array(written.length).keys()].find((index) => written[index] !== other[index]) ?? -1
  if (name === '' || !written.startsWith(begun) || at < begun.length || !written.startsWith(name, at)) return undefined
  const end = at + name.length
  const [delimiter = ''] = /^(?:\s+|[^\s\w{[])/.exec(written.slice(end)) ?? []
  return written.slice(begun.length, end) + delimiter
}

function callWritten(tree: Expression, tool: Tool): string {
  return writeCalls(tree, [{ name: tool.name, arguments: '{}' }], [tool])
}

/**
 * Returns a call that begins with a word, as far as it is literal. White space at the word's end is optional elsewhere.
 */
function after(word: string, call: Gbnf, rules: GbnfRules): Gbnf {
  const shared = prefixOf(call, rules.all)
  const length = word.startsWith(shared) ? shared.length : word.length
  return sequence(word, withoutPrefix(call, length, rules.all))
}

/** The rest of a marker that the prompt has begun; undefined if it has not. */
export function restOf(marker: string, begun: string): string | undefined {
  return marker.startsWith(begun) ? marker.slice(begun.length) : undefined
}
