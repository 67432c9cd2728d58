import { CharSet } from '../../regex/chars.ts'
import { parseRegexTree, type RegexTree } from '../../regex/tree.ts'
import { charsOf, choice, empty, type Gbnf, repeat, sequence, text } from '../gbnf.ts'
import { unreadable } from './text-grammar.ts'

/**
 * The texts that a regular expression in the syntax of Rust's crate `regex` matches as a whole. Throws an
 * `UnreadableGrammar` for what no grammar expresses: lookarounds, back references, word boundaries, anchors within it.
 *
 * @example
 * regexText('a+b') // a sequence: a repetition, and a literal
 */
export function regexText(source: string, flags: string = ''): Gbnf {
  return converted(treeOf(source, flags), { isStart: true, isEnd: true })
}

function treeOf(source: string, flags: string): RegexTree {
  if (flags.includes('x')) unreadable('it has a regular expression with the flag x, which is not read')
  try {
    return parseRegexTree(source, flags, 'rust')
  } catch (error) {
    if (error instanceof SyntaxError) unreadable(error.message)
    throw error
  }
}

/** True at the beginning and at the end of the text, at which anchors have no effect. */
interface Place {
  isStart: boolean
  isEnd: boolean
}

const inside: Place = { isStart: false, isEnd: false }

function converted(tree: RegexTree, place: Place): Gbnf {
  switch (tree.type) {
    case 'set': {
      const set = tree.set.and(CharSet.all)
      if (set.isEmpty) unreadable('it has a set of no characters')
      return isOne(set) ? text(String.fromCodePoint(set.ranges[0]?.[0] ?? 0)) : charsOf(set)
    }
    case 'group':
      return converted(tree.of, place)
    case 'choice':
      return choice(tree.of.map((one) => converted(one, place))) ?? empty
    case 'sequence': {
      const last = tree.of.length - 1
      return sequence(
        ...tree.of.map((part, at) =>
          converted(part, {
            isStart: place.isStart && tree.of.slice(0, at).every(isEdge),
            isEnd: place.isEnd && tree.of.slice(at + 1, last + 1).every(isEdge),
          }),
        ),
      )
    }
    case 'repeat': {
      if (tree.max < tree.min) unreadable('it has a repetition whose bounds are the wrong way round')
      const max = tree.max === Number.POSITIVE_INFINITY ? undefined : tree.max
      return repeat(converted(tree.of, inside), tree.min, max)
    }
    case 'edge':
      if ((tree.at === 'start' && place.isStart) || (tree.at === 'end' && place.isEnd)) return empty
      return unreadable('it has an anchor within a regular expression, or a word boundary')
    case 'look':
      return unreadable('it has a lookaround, which no grammar expresses')
    case 'back':
      return unreadable('it has a back reference, which no grammar expresses')
  }
}

function isEdge(tree: RegexTree): boolean {
  return tree.type === 'edge'
}

function isOne({ ranges }: CharSet): boolean {
  const [first] = ranges
  return ranges.length === 1 && first !== undefined && first[0] === first[1]
}
