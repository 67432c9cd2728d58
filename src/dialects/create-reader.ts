import {
  AnycallError,
  type FinishReason,
  newId,
  type ReplyEvent,
  type Tool,
  type ToolChoice,
} from '../conversation/index.ts'
import type { SpanRole } from './dialect.ts'
import { dialectNamed } from './registry.ts'

export interface ReadOptions {
  tools: readonly Tool[]
  dialect?: string
  trigger?: string
  toolChoice?: ToolChoice
  parallelCalls?: boolean
  delivery?: 'live' | 'whole'
  reasoning?: 'detect' | 'open'
  callsInReasoning?: boolean
  standalone?: boolean
  fences?: 'strict' | 'lenient'
  looseCalls?: boolean
  naturalLanguage?: boolean
  newCallId?: () => string
  trace?: (role: SpanRole, start: number, end: number) => void
}

export interface ToolCallReader {
  push(text: string): ReplyEvent[]
  end(reason?: FinishReason): ReplyEvent[]
  readonly report: ReadReport
}

export interface ReadReport {
  sawToolCallSyntax: boolean
  rejectedByPolicy: boolean
  rejectedToolNames: string[]
}

/**
 * A reader for one reply. Only the dialects with a reader of their own can be named so far, and what else the options
 * ask for comes with the universal reader. Throws an AnycallError for a dialect that there is none of.
 */
export function createReader(options: ReadOptions): ToolCallReader {
  const dialect = dialectNamed(options.dialect ?? 'tool-call-json')
  if (!dialect) throw new AnycallError('invalid-request', `there is no dialect ${options.dialect}`)
  const reader = dialect.createReader({
    tools: options.tools,
    toolChoice: { type: 'auto' },
    parallelCalls: true,
    trigger: options.trigger ?? '<<CALL>>',
    newCallId: options.newCallId ?? (() => newId('call_')),
    reasoningOpen: options.reasoning === 'open',
    ...(options.trace && { trace: options.trace }),
  })
  return {
    push: (text) => reader.push(text),
    end: (reason = 'stop') => reader.end(reason),
    report: { sawToolCallSyntax: false, rejectedByPolicy: false, rejectedToolNames: [] },
  }
}
