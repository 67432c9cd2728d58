export { eagerGrammar } from './gbnf/calls/eager-grammar.ts'
export { type GbnfGrammar, makeCallsGrammar } from './gbnf/calls/grammar.ts'
export { tokensIn, tokensOf } from './gbnf/calls/tokens.ts'
export { firstMarker } from './gbnf/calls/trigger.ts'
export { GrammarCache } from './gbnf/grammar-cache.ts'
export { readTextGrammar } from './gbnf/lark/read-text-grammar.ts'
export { matchText, type TextVerdict } from './gbnf/text/match.ts'
export { Machine } from './read/machine.ts'
export { compile, type Program } from './read/program.ts'
export { keysOfSlot } from './read/values/envelope-slots.ts'
export { LazyRegExp } from './regex/lazy-reg-exp.ts'
export { type Overlap, overlapOf } from './regex/overlap.ts'
export { printReplyGrammar, shownMarkers, tokensOfShape } from './reply/grammar.ts'
export { callsSchema } from './reply/json-schema-format.ts'
export { type LarkGrammar, printReplyLark } from './reply/lark.ts'
export { printReplyStructuralTag } from './reply/reply-tag.ts'
export type { OtherCalls, ReasoningShape, ReplyRequest, ReplyShape, Wrapping } from './reply/shape.ts'
export { printStructuralTag, type StructuralTag } from './reply/structural-tag.ts'
export type { BlockStatus, CallSink } from './scan/call-sink.ts'
export { ModelText, type SpanRole } from './scan/model-text.ts'
export { Scanner } from './scan/scanner.ts'
export { anySources, type Sought, soughtPattern, sourceGroups } from './scan/sought.ts'
export { patternTerminal, type Terminal } from './scan/terminal.ts'
export { appendTail } from './scan/text-tail.ts'
export { SchemaVariants, type Variant } from './schema/variants.ts'
export * from './tree/expression.ts'
export * as pattern from './tree/pattern.ts'
export {
  anyName,
  type Capture,
  longestName,
  nameChar,
  type Pattern,
  type PatternLike,
  patternOf,
} from './tree/pattern.ts'
export * from './tree/pattern-queries.ts'
export { wholeSource } from './tree/pattern-source.ts'
export { closeTag, nameBeginnings, openTag, type Tag } from './tree/tag.ts'
export { turnEnds, turnStarts } from './tree/turn-end.ts'
export { unreadableMarker } from './tree/unreadable-marker.ts'
export { untagged } from './tree/untagged.ts'
export { writeCalls } from './write/write.ts'
