import type { AssistantPart, FinishReason, ReplyEvent, ResultPart, Tool, ToolChoice } from '../../conversation/index.ts'
import type { SpanRole } from '../../grammar/index.ts'
import type { FormatData } from './format.ts'
import type { ReadReport } from './report.ts'

export type { SpanRole } from '../../grammar/index.ts'

/** The calls that the client allows a reply to make. */
export interface CallPolicy {
  tools: readonly Tool[]
  toolChoice: ToolChoice
  parallelCalls: boolean
}

/** The way in which one model family writes reasoning, text and calls. */
export interface Dialect {
  name: string
  /** The model families that use it, in words. */
  families: string
  /** The source of the format's description. */
  source: string
  /** A call as the model writes it. */
  example: string
  /** True if calls count only after the conversation's trigger. */
  usesTrigger: boolean
  /** The names of arguments that can be written as they are. Absent: any name. */
  keys?: RegExp
  /** The syntax of its calls as data. Grammars are made from it; absent in dialects that make their own. */
  format?: FormatData
  /** The instructions for a prompt: the tools, the form of calls, and the calls that this reply may make. */
  describe(policy: CallPolicy, context: PromptContext): string
  /** The list of the tools alone, as `describe` has it, for a prompt that the user wrote. */
  listTools(tools: readonly Tool[], context: PromptContext): string
  /**
   * The text of an earlier assistant turn in the form in which the model would have written it; reasoning is left out.
   * `tools` are those offered: in formats without types their schemas determine how a value must be written to be read
   * back unchanged.
   */
  renderAssistant(parts: readonly AssistantPart[], context: PromptContext, tools?: readonly Tool[]): string
  /** Renders the text of a tool's result. The caller handles images in it: `text` replaces the content. */
  renderResult(result: ResultPart, context: PromptContext): string
  /** Text of others with the dialect's marks broken, reversibly: readers of this dialect put them back. */
  neutralise(text: string, context: PromptContext): string
  createReader(options: ReaderOptions): Reader
}

/** The conversation that a dialect writes for. */
export interface PromptContext {
  /** The conversation's trigger, with a `<` in it; unused by dialects without one. */
  trigger: string
  /**
   * The tools that the reply may call. Readers find some calls by the tools' names, so their beginnings (`f(a=1`) are broken in text
   * of others only if the tools are given here. The same holds for `accept`.
   */
  tools?: readonly Tool[]
  /** The uncertain calls that the reader of the replies accepts. */
  accept?: AcceptOptions
}

/** Push a piece of model text in, get reply events out. */
export interface Reader {
  push(text: string): ReplyEvent[]
  /** Ends the text; `reason` is the upstream's. The last event is `finish`. */
  end(reason: FinishReason): ReplyEvent[]
  /**
   * The offset of the call that is being read, from its opening marker on and whether or not any of it was emitted;
   * undefined outside of calls.
   */
  readonly openCallAt?: number | undefined
  /** The findings so far beside the events. */
  readonly report: ReadReport
}

export interface ReaderOptions extends CallPolicy {
  /** The conversation's trigger: calls count only after it. Without one they count anywhere. */
  trigger?: string
  /** Makes the id of a call; without it ids are random. */
  newCallId?: () => string
  /** `open`: the prompt has already opened the model's reasoning, so the text begins within it. Default: `detect`. */
  reasoning?: ReasoningStart
  /** The uncertain calls that are accepted. Default: none. */
  accept?: AcceptOptions
  /** `whole`: a call is emitted once all of it was read, a broken one is text. */
  delivery?: Delivery
  /** True if the text is either calls alone or contains none; decided at its end. */
  standalone?: boolean
  /** True to keep the ids that the model writes if they have the usual form. */
  modelIds?: boolean
  /** Called with every stretch of the model's text, in order and without gaps: [start, end) in UTF-16 units. */
  trace?: (role: SpanRole, start: number, end: number) => void
}

/** The state in which a reply begins. `open`: inside reasoning that the prompt opened. `detect`: the text shows it. */
export type ReasoningStart = 'detect' | 'open'

/**
 * The uncertain calls that are accepted. All of them are off by default, because prose and code look the same. Readers, the AI SDK middleware
 * and the gateway's configuration (`reading`) have the same members.
 *
 * @example
 * parseToolCalls(text, { tools, accept: { naturalLanguage: true, fences: 'lenient' } })
 */
export interface AcceptOptions {
  /** `I'll use the f tool with {…}` is a call. Calls are then emitted whole. */
  naturalLanguage?: boolean
  /** `f({…})` and `f{…}` at the beginning of a line are calls. */
  looseCalls?: boolean
  /** Calls in reasoning are made. Without it they are thoughts. */
  callsInReasoning?: boolean
  /** `lenient`: a code block that ends the text and contains only calls is not an example. */
  fences?: 'strict' | 'lenient'
}

/** `live`: a call starts when its name is known, and its arguments stream; `whole`: it comes once all of it was read. */
export type Delivery = 'live' | 'whole'
