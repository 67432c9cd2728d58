import type { InputGrammar, Tool } from '../../../src/conversation/index.ts'
import { readTextGrammar } from '../../../src/grammar/gbnf/lark/read-text-grammar.ts'
import { GbnfRules } from '../../../src/grammar/gbnf/rules.ts'
import type { TextGrammar } from '../../../src/grammar/gbnf/text/text-grammar.ts'
import { embedded } from '../../../src/grammar/gbnf/values/string-grammar.ts'

/** Grammars of texts as clients send them: of patches, sums, queries, dates. */
export const textGrammars: readonly Pick<InputGrammar, 'syntax' | 'definition'>[] = [
  {
    syntax: 'lark',
    definition: `
start: begin hunk+ end
begin: "*** Begin" LF
end: "*** End" LF?
hunk: add | remove
add: "*** Add: " name LF line+
remove: "*** Remove: " name LF
name: /[^\\n<]+/
line: ("+" | "-" | " ") /[^\\n]*/ LF -> line
%import common.LF
`,
  },
  {
    syntax: 'lark',
    definition: `
start: sum
sum: sum ("+" | "-") product | product
product: product "*" factor | factor
factor: NUMBER | "(" sum ")"
%import common.NUMBER
%import common.WS_INLINE
%ignore WS_INLINE
`,
  },
  {
    syntax: 'lark',
    definition: `
start: "select"i SP (NAME ~ 1..3 | "*") SP "from"i SP NAME [SP "limit"i SP INT]
NAME: LETTER (LETTER | "_")*
SP: " "+
%import common (LETTER, INT)
`,
  },
  { syntax: 'regex', definition: '\\d{4}-\\d{2}-\\d{2}(T\\d{2}:\\d{2})?' },
  { syntax: 'regex', definition: '(?i)(get|put) "[^"\\n]{0,20}" \\\\[a-z_]+' },
]

/** A custom tool with a grammar. */
export function customTool(grammar: Pick<InputGrammar, 'syntax' | 'definition'>): Tool {
  return {
    name: 'run',
    description: '',
    schema: {
      type: 'object',
      properties: { input: { type: 'string' } },
      required: ['input'],
      additionalProperties: false,
    },
    inputGrammar: { argument: 'input', ...grammar },
  }
}

/** The grammar that a definition says. Throws if it cannot be read. */
export function readGrammar(grammar: Pick<InputGrammar, 'syntax' | 'definition'>): TextGrammar {
  const read = readTextGrammar(grammar)
  if (read.type === 'unreadable') throw new Error(read.why)
  return read.grammar
}

/** The grammar as GBNF, alone. */
export function gbnfOf(grammar: TextGrammar): string {
  const rules = new GbnfRules()
  return rules.print(embedded(grammar, rules))
}
