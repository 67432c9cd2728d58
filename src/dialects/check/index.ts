export { type CheckExample, type CheckOptions, checkDialect, type Finding, type Law } from './check-dialect.ts'
