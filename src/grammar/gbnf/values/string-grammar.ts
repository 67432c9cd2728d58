import { isJsonObject, type JsonObject, type Tool } from '../../../conversation/index.ts'
import { CharSet } from '../../regex/chars.ts'
import { objectId } from '../../tree/object-id.ts'
import { charsOf, type Gbnf } from '../gbnf.ts'
import { readTextGrammar } from '../lark/read-text-grammar.ts'
import type { GbnfRules } from '../rules.ts'
import type { TextGrammar } from '../text/text-grammar.ts'
import { type Leaf, rewritten } from './encoded.ts'

/** The keyword under which the schema of a string has its grammar, within the schemas that grammars are made of. */
const keyword = 'textGrammar'

/** The schema of a tool with the grammar of its input in it. */
export function schemaWithGrammar({ schema, inputGrammar }: Tool): JsonObject {
  const { properties } = schema
  if (!inputGrammar || !isJsonObject(properties)) return schema
  const { argument, syntax, definition } = inputGrammar
  const own = properties[argument]
  if (!isJsonObject(own)) return schema
  return { ...schema, properties: { ...properties, [argument]: { ...own, [keyword]: { syntax, definition } } } }
}

/** The grammar of a string's schema; undefined if it has none that can be read. */
export function grammarOfString(schema: JsonObject): TextGrammar | undefined {
  const found = schema[keyword]
  if (!isJsonObject(found)) return undefined
  const { syntax, definition } = found
  if ((syntax !== 'lark' && syntax !== 'regex') || typeof definition !== 'string') return undefined
  const read = readTextGrammar({ syntax, definition })
  return read.type === 'grammar' ? read.grammar : undefined
}

/**
 * An engine compares a character with each range of a set: letters of all alphabets are some hundred, and it does so for the first character
 * of each of its tokens.
 */
const mostRanges = 100
const ascii = CharSet.from([[1, 0x7f]])
const beyondAscii = CharSet.all.without(ascii)

/** The texts of a grammar as a part of another one. */
export function embedded(grammar: TextGrammar, rules: GbnfRules): Gbnf {
  const simplified = new Map<CharSet, CharSet>()
  const coarse = (set: CharSet): CharSet => {
    if (set.ranges.length <= mostRanges) return set
    const known = simplified.get(set)
    if (known) return known
    rules.notice('letters and signs of alphabets beyond ASCII are not distinguished')
    const found = set.and(ascii).or(beyondAscii)
    simplified.set(set, found)
    return found
  }
  const rewrite = (leaf: Leaf) => (leaf.type === 'chars' ? charsOf(coarse(leaf.set)) : leaf)
  const from = { key: `text ${objectId(grammar)}`, suffix: 'text', bodyOf: (name: string) => grammar.rules.get(name) }
  return rewritten(grammar.root, rewrite, rules, from)
}
