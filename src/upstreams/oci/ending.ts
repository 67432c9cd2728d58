import type { FinishReason } from '../../conversation/index.ts'
import type { ObjectContent } from '../http/wire-format.ts'
import type { UpstreamEvent } from '../upstream.ts'

type Ending = FinishReason | 'failed'

/**
 * Finish reasons in lower case: of Cohere's models, and of the models of the GENERIC format (Llama, Grok, Gemini,
 * OpenAI's).
 */
const endings: Readonly<Record<string, Ending>> = {
  complete: 'stop',
  stop: 'stop',
  eos: 'stop',
  tool_call: 'stop',
  tool_calls: 'stop',
  stop_sequence: 'stop-sequence',
  length: 'length',
  max_tokens: 'length',
  content_filter: 'content-filter',
  safety: 'content-filter',
  error_toxic: 'content-filter',
  error: 'failed',
  error_limit: 'failed',
  user_cancel: 'failed',
}

/** Adds the end of a reply for a finish reason of the service; for a failure the reason, as far as it is known. */
export function addEnd(content: ObjectContent, finishReason: string, errorMessage: unknown): void {
  const ending = endings[finishReason.toLowerCase()] ?? 'stop'
  if (ending !== 'failed') content.events.push({ type: 'finish', reason: ending })
  else {
    const isSaid = typeof errorMessage === 'string' && errorMessage !== ''
    content.failed = isSaid ? `${finishReason}: ${errorMessage}` : finishReason
  }
}

export function addText(events: UpstreamEvent[], type: 'text' | 'reasoning', text: unknown): void {
  if (typeof text === 'string' && text !== '') events.push({ type, text })
}
