import type { Tool } from '../conversation/index.ts'
import type { Marks } from './marks.ts'
import type { ModelText } from './model-text.ts'

/** How calls are written: what a dialect's data is compiled to. */
export interface CallSyntax {
  /** How a call begins, in lower case: `<invoke`. What follows must end the word. */
  opener: string
  /** The literals that are not to stand in text of others. */
  marks: readonly string[]
  createCallReader(sink: CallSink): CallReader
}

/** Reads one call from its opener on. */
export interface CallReader {
  /** `more`: wants more text; `complete`: the call is over, its text taken; `broken`: what stands here is no call. */
  read(source: ModelText): CallStatus
}

export type CallStatus = 'more' | 'complete' | 'broken'

/** Where a call reader tells what it finds. */
export interface CallSink {
  /** The name is whole. Gives the tool that it names; undefined where the call is refused, and then only read past. */
  name(name: string): Tool | undefined
  /** A piece of the arguments' JSON text. */
  argument(json: string): void
  /** Something about this call; `at` is the place in the source's text. */
  notice(code: string, message: string, at: number): void
}

/** What every reader of a dialect needs beside its syntax. */
export interface ReadingContext {
  marks: Marks
}
