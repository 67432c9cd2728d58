import type {
  AcceptOptions,
  FinishReason,
  Notice,
  ReplyCollector,
  ReplyEvent,
  Tool,
  ToolChoice,
} from '../../../src/index.ts'
import type {
  ChatTemplate,
  Loaded,
  LoadOptions,
  RawVariables,
  Rendered,
  RenderOptions,
} from '../../../src/templates/index.ts'
import type { TemplateAnalysis, TemplateDialect } from './template-types.ts'

/** The parts of the library that the scores use, so that a test can replace it. */
export interface Library {
  createReader: (options: ReaderOptions) => TextReader
  ReplyCollector: new () => ReplyCollector
  /** From `anycall/templates`; absent if only readers are scored. */
  safeLoadTemplate?: (source: string, options: LoadOptions) => Loaded
  safeRenderTemplate?: (template: ChatTemplate, input: RawVariables, options: RenderOptions) => Rendered
  analyzeTemplate?: (template: ChatTemplate) => TemplateAnalysis
  templateDialect?: (analysis: TemplateAnalysis) => TemplateDialect
}

export interface TextReader {
  push(text: string): ReplyEvent[]
  end(reason?: FinishReason): ReplyEvent[]
  readonly report: Report
}

export interface Report {
  sawToolCallSyntax: boolean
  rejectedByPolicy: boolean
  rejectedToolNames: readonly string[]
}

/** The options that a case may set for its reading. */
export interface CaseOptions {
  accept?: AcceptOptions
  parallelCalls?: boolean
  standalone?: boolean
  reasoning?: 'detect' | 'open'
  toolChoice?: ToolChoice
}

export interface ReaderOptions extends CaseOptions {
  tools: readonly Tool[]
  delivery: 'whole'
  trigger?: string
  newCallId: () => string
}

/** One model output and the reply that a reader must return. */
export interface TextCase {
  id: string
  source: string
  output: string
  /** The pieces it came in; they join to the output. */
  chunks?: readonly string[]
  tools: readonly Tool[]
  trigger?: string
  options: CaseOptions
  truncated: boolean
  unknownTool: boolean
  /** The expected message, then those that are as good. */
  messages: readonly [ExpectedMessage, ...ExpectedMessage[]]
  /** The fields of the case that are not understood, and therefore ignored. */
  warnings: readonly string[]
}

/** Absent parts are not compared. */
export interface ExpectedMessage {
  content?: string
  reasoning?: string
  calls?: readonly ExpectedCall[]
  contains: readonly string[]
  excludes: readonly string[]
  report: Partial<Report>
}

export interface ExpectedCall {
  name: string
  /** A JSON value. */
  arguments?: unknown
  id?: string
}

/** The result of reading a text. */
export interface Reading {
  content: string
  reasoning: string
  /** The complete calls. */
  calls: readonly ReadCall[]
  incomplete: readonly ReadCall[]
  report: Report
  notices: readonly Notice[]
  /** All of it in order, as JSON text without generated ids: two readings with the same text are alike. */
  canonical: string
  /** Faults that no reading may have, whatever the text. */
  faults: readonly string[]
}

export interface ReadCall {
  name: string
  /** Absent if the model wrote none. */
  id?: string
  /** The arguments as JSON text. */
  json: string
}

/** Something about a reading that is not as it should be. Both sides are there, or a note is. */
export interface Difference {
  what: string
  expected?: string
  got?: string
  note?: string
}

export interface Failure {
  id: string
  file: string
  source: string
  /** The part of the reply that the prompt had begun, if any. */
  begun?: string
  /** The model's text; absent if the case has none. */
  output?: string
  /** The codes of the notices that the reader gave. */
  notices?: readonly string[]
  differences: readonly Difference[]
}

export interface Score {
  passed: number
  total: number
}

export interface SectionScore extends Score {
  failures: readonly Failure[]
  files: Record<string, Score>
  warnings: readonly string[]
  /** Notes about a file in addition to its score. */
  notes?: Record<string, readonly string[]>
  /** Counts in addition to cases that passed. */
  figures?: Record<string, number | Record<string, number>>
}

/** The settings of random messages. */
export interface Drawing {
  /** The same messages are drawn for the same seed. */
  seed: number
  /** The number for each template. */
  random: number
}

export interface Section {
  name: string
  /** The score of that part of a folder; undefined if the folder has no such part. */
  score: (folder: string, library: Library, drawing?: Drawing) => SectionScore | undefined
}
