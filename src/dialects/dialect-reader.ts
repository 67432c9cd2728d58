import {
  AnycallError,
  argumentError,
  type FinishReason,
  type ReplyEvent,
  type ToolChoice,
  type ToolDefinition,
  toolsForReading,
} from '../conversation/index.ts'
import type { AcceptOptions, Delivery, Dialect, Reader, ReasoningStart, SpanRole } from './format/dialect.ts'
import type { ReadReport } from './format/report.ts'

/** Options for reading a reply. */
export interface ReadOptions {
  /** The tools that may be called, in any form that `normalizeTools` takes: OpenAI's, Anthropic's, MCP's, with Zod schemas, or bare names. A call of any other is text. */
  tools: readonly ToolDefinition[]
  /** The name of a dialect, or one; without it any dialect is read. */
  dialect?: string | Dialect
  /** A literal that the prompt tells the model to write before its calls. Only calls after it count. */
  trigger?: string
  toolChoice?: ToolChoice
  /** False: the first call counts, others are text. */
  parallelCalls?: boolean
  /** `live`, as is usual: a call starts when its name is known. `whole`: once all of it was read; a broken one is text. */
  delivery?: Delivery
  /** `open`: the prompt has opened the model's reasoning, so the text begins within it. */
  reasoning?: ReasoningStart
  /** The uncertain calls that are accepted. Default: none. */
  accept?: AcceptOptions
  /** The text is calls and nothing else, or it is text: known at its end. */
  standalone?: boolean
  /** False: ids that the model writes are not used. */
  modelIds?: boolean
  newCallId?: () => string
  /** Called with every stretch of the text, in order and without gaps: [start, end) in UTF-16 units. */
  trace?: (role: SpanRole, start: number, end: number) => void
}

/** Push a piece of model text in, get reply events out. */
export interface ToolCallReader {
  push(text: string): ReplyEvent[]
  /** Ends the text; `reason` is the reason for it. The last event is `finish`. A `push` after it throws. */
  end(reason?: FinishReason): ReplyEvent[]
  readonly report: ReadReport
  /** The reader as a stream; a reader is used in one way only. */
  stream(): TransformStream<string, ReplyEvent>
}

/** Options for reading the reply of one given dialect. */
export interface DialectReadOptions extends Omit<ReadOptions, 'dialect'> {
  /** The dialect, as `defineDialect`, `templateDialect` or `getDialect` returns it. */
  dialect: Dialect
}

/**
 * Returns a reader for one reply of a given dialect. A program that imports it from `anycall/format` bundles no other dialect. Throws
 * an AnycallError for a dialect by its name, and for tools that are not tools.
 *
 * @example
 * const dialect = defineDialect({ name: 'alcove', calls: sequence('<call>', jsonCall(), '</call>') })
 * const reader = createReader({ tools: ['now'], dialect })
 * const events = [...reader.push('<call>{"name": "now", "arguments": {}}</call>'), ...reader.end()]
 */
export function createDialectReader(options: DialectReadOptions): ToolCallReader {
  return new OneReplyReader(openReader(options))
}

/** A class, because an object with a getter has its own hidden class, which no compiled code is specialised for. */
class OneReplyReader implements ToolCallReader {
  readonly #reader: Reader
  #isOver = false

  constructor(reader: Reader) {
    this.#reader = reader
  }

  /** Its own, so that it can be given away as a function. */
  readonly push = (text: string): ReplyEvent[] => {
    if (this.#isOver)
      throw new AnycallError('invalid-request', 'push: the reader was ended; create a reader for each reply.')
    if (typeof text !== 'string') throw argumentError('push', 'a piece of text', text)
    return this.#reader.push(text)
  }
  readonly end = (reason: FinishReason = 'stop'): ReplyEvent[] => {
    this.#isOver = true
    return this.#reader.end(reason)
  }
  readonly stream = (): TransformStream<string, ReplyEvent> => streamOf(this.#reader)

  get report(): ReadReport {
    return this.#reader.report
  }
}

function openReader(options: DialectReadOptions): Reader {
  const { dialect, tools, toolChoice, parallelCalls, modelIds, trigger, accept, newCallId, ...others } = options
  if (typeof dialect?.createReader !== 'function') {
    throw argumentError('dialect', 'a dialect; createReader of "anycall" takes names', dialect)
  }
  checkTrigger(trigger)
  if (newCallId && typeof newCallId !== 'function') throw argumentError('newCallId', 'a function', newCallId)
  return dialect.createReader({
    ...others,
    ...(trigger && { trigger }),
    ...(accept && { accept }),
    ...(newCallId && { newCallId }),
    tools: toolsForReading(tools),
    toolChoice: toolChoice ?? { type: 'auto' },
    parallelCalls: parallelCalls ?? true,
    modelIds: modelIds ?? true,
  })
}

/** Throws an AnycallError for a trigger that is no text. */
export function checkTrigger(trigger: unknown): void {
  if (typeof (trigger ?? '') !== 'string') throw argumentError('trigger', 'a text', trigger)
}

function streamOf(reader: Reader): TransformStream<string, ReplyEvent> {
  return new TransformStream({
    transform: (text, controller) => {
      for (const event of reader.push(text)) controller.enqueue(event)
    },
    flush: (controller) => {
      for (const event of reader.end('stop')) controller.enqueue(event)
    },
  })
}
