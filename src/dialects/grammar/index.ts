export { type GrammarOptions, toGbnf, toStructuralTag } from './reply-grammar.ts'
