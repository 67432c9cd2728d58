import { newId, type ResponseFormat } from '../../conversation/index.ts'
import {
  type AcceptOptions,
  type CallPolicy,
  type Dialect,
  JsonAnswer,
  type PromptContext,
  type Reader,
  type ReasoningStart,
} from '../../dialects/index.ts'

/** Options for reading the model's text. */
export interface ReadingOptions {
  /** `open`: the model's chat template has already opened its reasoning, so the text begins within it. */
  reasoning?: ReasoningStart
  /** The uncertain calls that are accepted. Default: none. */
  accept?: AcceptOptions
}

/** Reads one reply. */
export interface ReplyReader extends Pick<Reader, 'push' | 'end'> {
  /** Takes note of a call that the provider itself read: beside a call there is no value. */
  noteCall?(): void
}

/** Options for reading one reply: the tools it may call, and the marks of calls. */
export interface Reading extends CallPolicy {
  dialect: Dialect
  promptContext: PromptContext
  options: ReadingOptions
  /** The format of the reply's text. */
  format?: ResponseFormat
}

/** A reader for one reply. All of this room's reading starts here. */
export function openReader({
  dialect,
  promptContext,
  options,
  tools,
  toolChoice,
  parallelCalls,
  format,
}: Reading): ReplyReader {
  const reader = dialect.createReader({
    tools,
    toolChoice,
    parallelCalls,
    ...(dialect.usesTrigger && { trigger: promptContext.trigger }),
    newCallId: () => newId('call_'),
    ...options,
  })
  if (!format) return reader
  const answer = new JsonAnswer(format)
  return {
    push: (text) => answer.read(reader.push(text)),
    end: (reason) => answer.read(reader.end(reason)),
    noteCall: () => answer.noteCall(),
  }
}
