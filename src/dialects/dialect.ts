import type { AssistantPart, FinishReason, ReplyEvent, ResultPart, Tool } from '../conversation/index.ts'
import type { CallPolicy } from './call-gate.ts'

/** How one model family writes reasoning, text and calls. */
export interface Dialect {
  name: string
  /** Whom it suits, in words. */
  families: string
  /** Where the format comes from. */
  source: string
  /** A call as the model writes it. */
  example: string
  /** True when calls count only behind the conversation's trigger. */
  usesTrigger: boolean
  /** The instructions for a prompt: the tools, how to call them, and what this reply may call. */
  describe(policy: CallPolicy, voice: Voice): string
  /**
   * The text of an earlier assistant turn as the model would have written it; reasoning is left out. `tools` are those
   * offered: in formats without types their schemas say how a value must be written to be read back as it was.
   */
  renderAssistant(parts: readonly AssistantPart[], voice: Voice, tools?: readonly Tool[]): string
  /** The text of a tool's result. Images in it are the caller's: `text` is what stands for the content. */
  renderResult(result: ResultPart, voice: Voice): string
  /** Text of others with the dialect's marks broken, reversibly: readers of this dialect put them back. */
  neutralise(text: string, voice: Voice): string
  createReader(options: ReaderOptions): Reader
}

/** What makes a dialect this conversation's own. */
export interface Voice {
  /** The conversation's trigger, with a `<` in it; unused by dialects without one. */
  trigger: string
}

/** Push a piece of model text in, get reply events out. */
export interface Reader {
  push(text: string): ReplyEvent[]
  /** The text is over; `reason` is what the upstream gave. The last event is `finish`. */
  end(reason: FinishReason): ReplyEvent[]
}

export interface ReaderOptions extends CallPolicy, Voice {
  /** Makes the id of a call. */
  newCallId: () => string
  /** True where the prompt has already opened the model's reasoning. */
  reasoningOpen?: boolean
  /** Told of every stretch of the model's text, in order and without gaps: [start, end) in UTF-16 units. */
  trace?: (role: SpanRole, start: number, end: number) => void
}

/**
 * `argument`: what of a call becomes its arguments; `repaired`: where it was mended; `rejected`: a call that is refused,
 * and so text.
 */
export type SpanRole = 'text' | 'reasoning' | 'marker' | 'name' | 'argument' | 'repaired' | 'rejected'
