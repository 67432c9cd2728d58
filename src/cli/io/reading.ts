import type { Tool } from '../../conversation/index.ts'
import {
  createReader,
  type Dialect,
  dialects,
  type ReadOptions as LibraryReadOptions,
  type ToolCallReader,
} from '../../dialects/index.ts'

export type { ReadReport, SpanRole } from '../../dialects/index.ts'

/** How a reply is read; the flags give the tools in anycall's own form. */
export interface ReadOptions extends LibraryReadOptions {
  tools: readonly Tool[]
}

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
