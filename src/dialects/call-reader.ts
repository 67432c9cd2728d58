import type { Tool } from '../conversation/index.ts'
import type { ModelText } from './model-text.ts'

/** How calls are written: what a dialect's data is compiled to. */
export interface CallSyntax {
  /** How a call begins and ends, in lower case: `<invoke`, `</invoke`. */
  opener: string
  closer: string
  /** The literals that are not to stand in text of others. */
  marks: readonly string[]
  /** A reader for one call in `source`, whose place is at the opener. */
  createCallReader(source: ModelText, sink: CallSink): CallReader
}

/** Reads one call from its opener on. */
export interface CallReader {
  read(): CallStatus
}

/**
 * `more`: wants more text; `complete`: the call is over, its text taken; `broken`: it cannot be read on;
 * `no-call`: it never was one, the opener was only talked about.
 */
export type CallStatus = 'more' | 'complete' | 'broken' | 'no-call'

/** Where a call reader tells what it finds. */
export interface CallSink {
  /** The name is whole. Gives the tool that it names; undefined where the call is refused, and then only read past. */
  name(name: string): Tool | undefined
  /** A piece of the arguments' JSON text. */
  argument(json: string): void
  /** Something about this call; `offset` is the place in all of the model's text. */
  notice(code: string, message: string, offset: number): void
}
