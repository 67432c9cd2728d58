import { newId } from '../conversation/index.ts'
import type { AcceptOptions, CallPolicy, Dialect, PromptContext, Reader, ReasoningStart } from '../dialects/index.ts'

/** Options for reading the model's text. */
export interface ReadingOptions {
  /** `open`: the model's chat template has already opened its reasoning, so the text begins within it. */
  reasoning?: ReasoningStart
  /** The uncertain calls that count. Default: none of them. */
  accept?: AcceptOptions
}

/** Reads one reply. */
export type ReplyReader = Pick<Reader, 'push' | 'end'>

/** Options for reading one reply: the tools it may call, and the marks of calls. */
export interface Reading extends CallPolicy {
  dialect: Dialect
  promptContext: PromptContext
  options: ReadingOptions
}

/** A reader for one reply. All of this room's reading starts here. */
export function openReader({
  dialect,
  promptContext,
  options,
  tools,
  toolChoice,
  parallelCalls,
}: Reading): ReplyReader {
  return dialect.createReader({
    tools,
    toolChoice,
    parallelCalls,
    ...(dialect.usesTrigger && { trigger: promptContext.trigger }),
    newCallId: () => newId('call_'),
    ...options,
  })
}
