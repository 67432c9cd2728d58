/** The names of the dialects, which the build puts in. */
declare const DIALECT_NAMES: readonly string[]

declare module '*.css' {}
