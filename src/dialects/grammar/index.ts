export { type GrammarOptions, toGbnf, toLark, toStructuralTag } from './reply-grammar.ts'
