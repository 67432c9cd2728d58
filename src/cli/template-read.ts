import type { ReplyEvent } from '../conversation/index.ts'
import { createReader as openReader } from '../dialects/index.ts'
import type { TemplateDialect } from '../templates/index.ts'
import type { Reading, ReadOptions, TextReader } from './reading.ts'
import { begunBy } from './template-facts.ts'

/**
 * Reads what the model of a template wrote behind a prompt of that template, which may have begun the reply. With `--reasoning` the caller
 * says where the text begins, and the prompt's beginning is left out.
 */
export function templateReading(dialect: TemplateDialect): Reading {
  return { dialects: [], createReader: (options) => createReader(dialect, options) }
}

function createReader(dialect: TemplateDialect, options: ReadOptions): TextReader {
  const begun = options.reasoning === undefined ? (begunBy(dialect, undefined, options.tools) ?? '') : ''
  const { open } = dialect.analysis.reasoning
  // The reader knows that a model may write the opening marker once more.
  if (open !== '' && begun.trim() === open) return openReader({ ...options, dialect, reasoning: 'open' })
  const { trace } = options
  const { length } = begun
  const reader = openReader({
    ...options,
    dialect: { ...dialect, createReader: (given) => dialect.createReader({ ...given, begun }) },
    ...(trace && {
      trace: (role, start, end) => {
        if (end > length) trace(role, Math.max(0, start - length), end - length)
      },
    }),
  })
  const inText = (events: ReplyEvent[]) => events.map((event) => withSpanBehind(event, length))
  return {
    push: (text) => inText(reader.push(text)),
    end: (reason) => inText(reader.end(reason)),
    get report() {
      return reader.report
    },
  }
}

/** What the prompt has begun is no part of the text, so places are counted behind it. */
function withSpanBehind(event: ReplyEvent, length: number): ReplyEvent {
  if (event.type !== 'notice' || !event.notice.span) return event
  const [start, end] = event.notice.span
  return { ...event, notice: { ...event.notice, span: [Math.max(0, start - length), Math.max(0, end - length)] } }
}
