import type { Tool } from '../../../conversation/index.ts'
import type { Expression } from '../../tree/expression.ts'
import type { Pattern } from '../../tree/pattern.ts'
import { refersBack, writePattern } from '../../tree/pattern-queries.ts'
import { capturesOf } from '../../write/marker.ts'
import { type Gbnf, prefixOf } from '../gbnf.ts'
import type { GbnfRules } from '../rules.ts'

/** The place in a text from which a lazy grammar applies: a word, or the first group of a regular expression. */
export interface GrammarTrigger {
  type: 'word' | 'pattern'
  value: string
}

/** Rules in each other at the beginning of a call. */
const maxDepth = 16

/** Shorter words occur in all kinds of text. */
const shortestWord = 4

/** The beginning of all calls: the format's own first marker, or the part of it that calls share. */
export function triggerOf(tree: Expression, calls: Gbnf, rules: GbnfRules): { word: string; isStrong: boolean } {
  const prefix = prefixOf(calls, rules.all)
  const first = firstMarker(tree)
  const word = first !== '' && prefix.startsWith(first) ? first : prefix.trimEnd() === '' ? '' : prefix
  return { word, isStrong: word.length >= shortestWord }
}

/** The text of the tree's first marker, up to its first capture. */
export function firstMarker(tree: Expression): string {
  switch (tree.type) {
    case 'token': {
      // A marker that captures a name differs from call to call; the text before the capture does not.
      const isPlain = capturesOf(tree).size === 0 && !refersBack(tree.pattern)
      return (isPlain ? writePattern(tree.pattern, {}) : literalStart(tree.pattern)).trimEnd()
    }
    case 'tag':
      return Object.keys(tree.attributes).length === 0 && tree.side === 'open'
        ? `<${tree.written}${tree.names[0] ?? ''}>`
        : ''
    case 'sequence':
      return tree.of.map(firstMarker).find((_, index) => !isNothing(tree.of[index])) ?? ''
    case 'call':
      return firstMarker(tree.of)
    case 'optional':
      return tree.isWritten ? firstMarker(tree.of) : ''
    default:
      return ''
  }
}

/** The literals that a pattern begins with, up to white space or a capture. */
function literalStart(pattern: Pattern): string {
  if (pattern.type === 'literal') return pattern.text
  if (pattern.type !== 'sequence') return ''
  const end = pattern.of.findIndex((part) => part.type !== 'literal')
  return pattern.of
    .slice(0, end < 0 ? pattern.of.length : end)
    .map((part) => writePattern(part, {}))
    .join('')
}

/** True for a part that only looks ahead, or that reads white space which is not written. */
function isNothing(tree: Expression | undefined): boolean {
  if (tree?.type === 'optional') return !tree.isWritten
  return tree?.type === 'token' && capturesOf(tree).size === 0 && writePattern(tree.pattern, {}).trim() === ''
}

/**
 * Returns one word for all tools or, if it is too short to be distinctive, a regular expression of the beginnings of
 * their calls. Empty if those cannot be determined: an empty expression would begin a call at once.
 */
export function triggers(
  word: string,
  isStrong: boolean,
  tools: readonly Tool[],
  calls: Gbnf,
  rules: GbnfRules,
): GrammarTrigger[] {
  if (isStrong) return [{ type: 'word', value: word }]
  const found = begins(tools, calls, rules)
  return found === '' ? [] : [{ type: 'pattern', value: `(${found})` }]
}

/** A regular expression of the beginnings of calls that count at the beginning of a line only. */
export function triggersAtLine(tools: readonly Tool[], calls: Gbnf, rules: GbnfRules): GrammarTrigger[] {
  const found = begins(tools, calls, rules)
  return found === '' ? [] : [{ type: 'pattern', value: `(?:^|\\n)[ \\t]*(${found})` }]
}

function begins(tools: readonly Tool[], calls: Gbnf, rules: GbnfRules): string {
  const found = beginningsOf(calls, rules, tools.length).map((begin) => upToName(begin, tools))
  return [...new Set(found)].map(escapeExpression).join('|')
}

/** The beginnings of each tool's calls, for use if the shared beginning is not distinctive. */
function beginningsOf(gbnf: Gbnf, rules: GbnfRules, count: number): string[] {
  const found = new Set<string>()
  // The beginning that all tools share ends within the part that distinguishes them.
  const goesOn = (next: Gbnf) => next.type === 'literal' || (next.type === 'rule' && rules.calls.has(next.name))
  const walk = (one: Gbnf, before: string, rest: readonly Gbnf[], depth: number): void => {
    if (depth > maxDepth || found.size > count * 4) return
    switch (one.type) {
      case 'choice':
        for (const branch of one.of) walk(branch, before, rest, depth + 1)
        return
      case 'rule': {
        const body = rules.all.get(one.name)
        if (body) walk(body, before, rest, depth + 1)
        return
      }
      case 'sequence': {
        const [first, ...others] = one.of
        if (first) walk(first, before, [...others, ...rest], depth + 1)
        return
      }
      case 'literal': {
        const all = before + one.text
        const [next, ...others] = rest
        if (next && (all.length < shortestWord || goesOn(next))) walk(next, all, others, depth + 1)
        else found.add(all)
        return
      }
      default:
        if (before !== '') found.add(before)
    }
  }
  walk(gbnf, '', [], 0)
  return [...found]
}

/** The beginning of a call up to the end of its tool's name: the rest differs. */
function upToName(begin: string, tools: readonly Tool[]): string {
  const names = tools.map(({ name }) => name).filter((name) => nameAt(begin, name) >= 0)
  const [longest] = names.sort((one, other) => other.length - one.length)
  return longest === undefined ? begin : begin.slice(0, nameAt(begin, longest) + longest.length + 1)
}

/**
 * The offset of a tool's name in the beginning of a call, preferably as a separate word, because a marker may contain a
 * short name.
 */
export function nameAt(begin: string, name: string): number {
  if (name === '') return -1
  const first = begin.indexOf(name)
  for (let at = first; at >= 0; at = begin.indexOf(name, at + 1)) {
    if (!isWordChar(begin[at - 1]) && !isWordChar(begin[at + name.length])) return at
  }
  return first
}

function isWordChar(char: string | undefined): boolean {
  return char !== undefined && /\w/.test(char)
}

function escapeExpression(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&').replaceAll('\n', '\\n')
}
