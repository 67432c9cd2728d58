export { defineDialect } from './define-dialect.ts'
export type { CallForm, DialectDefinition, ReasoningMarkers } from './definition.ts'
export { type DefinitionProblem, type DefinitionProblemCode, DialectError } from './problems.ts'
