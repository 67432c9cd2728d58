import { createReader, type Dialect, dialects, type ReadOptions, type ToolCallReader } from '../dialects/index.ts'

export type { ReadOptions, ReadReport, SpanRole } from '../dialects/index.ts'

/** The part of the dialects' room that reads model text, so that a test can stand in for it. */
export interface Reading {
  dialects: readonly DialectFacts[]
  /** Throws an AnycallError for options that do not go together. */
  createReader(options: ReadOptions): TextReader
}

/** What `anycall dialects` says of a dialect. */
export type DialectFacts = Pick<Dialect, 'name' | 'families' | 'source' | 'example' | 'usesTrigger'>

/** What `anycall read` needs of a reader. */
export type TextReader = Pick<ToolCallReader, 'push' | 'end' | 'report'>

/** anycall's own dialects and reader. */
export const ownReading: Reading = { dialects, createReader }
