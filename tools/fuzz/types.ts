import type {
  AssistantPart,
  FinishReason,
  ReadOptions,
  ReplyEvent,
  SpanRole,
  Tool,
  ToolCallReader,
} from '../../src/index.ts'

/** The parts of the library that the fuzzer uses. */
export interface Library {
  createReader: CreateReader
  dialects: readonly WritingDialect[]
}

export type CreateReader = (options: ReadOptions) => ToolCallReader

/** A dialect, as far as the fuzzer writes in it. */
export interface WritingDialect {
  name: string
  example: string
  usesTrigger: boolean
  renderAssistant(parts: readonly AssistantPart[], context: { trigger: string }, tools: readonly Tool[]): string
  neutralise(text: string, context: { trigger: string }): string
}

/** A model's text, and how it is read; both deliveries are. What is not there has its usual value. */
export interface FuzzCase {
  dialect: string
  text: string
  options: CaseOptions
}

export interface CaseOptions
  extends Pick<
    ReadOptions,
    'trigger' | 'toolChoice' | 'parallelCalls' | 'reasoning' | 'accept' | 'standalone' | 'modelIds'
  > {
  /** The names of the tools that are offered; without it all are. */
  offered?: readonly string[]
  /** The reason why the text ended; `stop` by default. */
  reason?: FinishReason
}

export interface Span {
  role: SpanRole
  start: number
  end: number
}

/** The result of reading a text in pieces. */
export interface Reading {
  /** The events with touching pieces merged. */
  events: ReplyEvent[]
  /** The roles of the text, touching stretches of one role merged. */
  spans: Span[]
  report: unknown
  /** True if an event changed after it was emitted. */
  hasChanged: boolean
}

/** The library to search for faults, and the bound of the search: a time, or a number of texts. */
export interface Hunt {
  /** The address of the library's main file. */
  file: string
  seed: string
  minutes?: number
  texts?: number
  /** One dialect alone. */
  dialect: string | undefined
}

/** A law that a text broke. */
export interface Fault {
  law: string
  message: string
}

export interface Finding extends Fault {
  case: FuzzCase
  /** The text before it was made small. */
  from: string
}

/** An input that takes more steps than its length justifies. */
export interface SlowInput {
  dialect: string
  options: CaseOptions
  prefix: string
  fragment: string
  short: { length: number; steps: number }
  long: { length: number; steps: number }
}

/** Random choices that are the same for the same seed. */
export interface Random {
  /** A whole number from 0 up to `below`, which is not reached. */
  int(below: number): number
  chance(share: number): boolean
  pick<Item>(list: readonly Item[]): Item
}
