import { type Attributes, type Span, SpanStatusCode } from '@opentelemetry/api'
import type { FinishReason, Usage } from '../../conversation/index.ts'

/** The finish reasons by the names that instrumentations give them: those of Chat Completions. */
const reasons: Readonly<Record<FinishReason, string>> = {
  stop: 'stop',
  calls: 'tool_calls',
  length: 'length',
  'stop-sequence': 'stop',
  'content-filter': 'content_filter',
}

/** Returns the attributes of a reply that has ended. */
export function outcomeOf({ reason, usage = {} }: { reason?: FinishReason; usage?: Usage }): Attributes {
  return {
    ...(reason && { 'gen_ai.response.finish_reasons': [reasons[reason]] }),
    ...(usage.inputTokens !== undefined && { 'gen_ai.usage.input_tokens': usage.inputTokens }),
    ...(usage.outputTokens !== undefined && { 'gen_ai.usage.output_tokens': usage.outputTokens }),
    ...(usage.cachedTokens !== undefined && { 'gen_ai.usage.cache_read.input_tokens': usage.cachedTokens }),
  }
}

/** Ends a span; `error`: the code of a failure. A client that disconnected is not a failure. */
export function endSpan(span: Span, error: string | undefined): void {
  if (error !== undefined) span.setAttribute('error.type', error)
  if (error !== undefined && error !== 'cancelled') span.setStatus({ code: SpanStatusCode.ERROR })
  span.end()
}
