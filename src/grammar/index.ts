export type { BlockStatus, CallSink } from './call-sink.ts'
export { type EagerGrammar, eagerGrammar } from './eager-grammar.ts'
export * from './expression.ts'
export { foundOnce } from './found-once.ts'
export { type GbnfGrammar, type GrammarRequest, printGbnf } from './gbnf-grammar.ts'
export { tokensIn, tokensOf } from './gbnf-tokens.ts'
export { firstMarker, type GrammarTrigger } from './gbnf-trigger.ts'
export { type CallSchemaRequest, callsSchema } from './json-schema-format.ts'
export { LazyRegExp } from './lazy-reg-exp.ts'
export { Machine } from './machine.ts'
export { ModelText, Search, type SpanRole, type Trace } from './model-text.ts'
export * from './pattern.ts'
export { wholeSource } from './pattern-source.ts'
export { compile, type Program } from './program.ts'
export { RecentGrammars } from './recent-grammars.ts'
export { printReplyGrammar, shownMarkers, tokensOfShape } from './reply-grammar.ts'
export {
  nameChar,
  type OtherCalls,
  type ReasoningShape,
  type ReplyRequest,
  type ReplyShape,
  type Wrapping,
} from './reply-shape.ts'
export { printReplyStructuralTag } from './reply-structural-tag.ts'
export { type Found, Scanner, type Sought } from './scanner.ts'
export { SchemaVariants, type Variant } from './schema-variants.ts'
export { printStructuralTag, type StructuralTag } from './structural-tag.ts'
export { closeTag, nameBeginnings, openTag, type Tag } from './tag.ts'
export { patternTerminal, type Terminal } from './terminal.ts'
export { longestMarker, unreadableMarker } from './unreadable-marker.ts'
export { untagged } from './untagged.ts'
export { type WriteOptions, type WrittenCall, writeCalls } from './write.ts'
