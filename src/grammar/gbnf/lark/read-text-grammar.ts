import { type InputGrammar, RecentMap, type TextSyntax } from '../../../conversation/index.ts'
import { withLanguageSteps } from '../../language/automaton.ts'
import { empty } from '../gbnf.ts'
import { GrammarTooLarge } from '../rules.ts'
import { withoutEmptyRepeats } from '../text/empty-repeats.ts'
import { regexText } from '../text/regex.ts'
import { type TextGrammar, UnreadableGrammar } from '../text/text-grammar.ts'
import { readLark } from './grammar.ts'

/** A grammar, or the reason for which it cannot be read, which continues a sentence about it: "it has …". */
export type ReadGrammar = { type: 'grammar'; grammar: TextGrammar } | { type: 'unreadable'; why: string }

const mostKept = 100
const longestRegex = 20_000
/** Steps for the automata of one grammar: they take some 50 ms of CPU. */
const languageSteps = 60_000

const known = new RecentMap<string, ReadGrammar>(mostKept)

/**
 * Reads the grammar of a text, in bounded steps. The last grammars are kept, as clients send the same with each request.
 *
 * @example
 * readTextGrammar({ syntax: 'regex', definition: '[a-z]+' }) // { type: 'grammar', … }
 */
export function readTextGrammar({ syntax, definition }: Pick<InputGrammar, 'syntax' | 'definition'>): ReadGrammar {
  return known.of(`${syntax} ${definition}`, () => read(syntax, definition))
}

function read(syntax: TextSyntax, definition: string): ReadGrammar {
  try {
    const grammar = withLanguageSteps(languageSteps, () =>
      syntax === 'lark' ? readLark(definition) : readRegex(definition),
    )
    return { type: 'grammar', grammar }
  } catch (error) {
    if (error instanceof UnreadableGrammar) return { type: 'unreadable', why: error.message }
    if (error instanceof GrammarTooLarge) return { type: 'unreadable', why: 'it is too large' }
    throw error
  }
}

const whole = 'start'

function readRegex(source: string): TextGrammar {
  if (source.length > longestRegex) throw new UnreadableGrammar(`it has more than ${longestRegex} characters`)
  const rules = withoutEmptyRepeats(new Map([[whole, regexText(source)]]))
  return { root: rules.get(whole) ?? empty, rules: new Map([...rules].filter(([name]) => name !== whole)) }
}
