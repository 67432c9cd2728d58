import type { FinishEvent, FinishReason, JsonObject, Reply } from '../../conversation/index.ts'
import { estimateOutputTokens } from '../openai/estimate.ts'
import type { ReplyContext } from '../protocol.ts'
import { charactersOf, type WholePart, wholeParts } from '../whole-calls.ts'
import type { Endpoint, OllamaOptions } from './decode.ts'

export type OllamaContext = ReplyContext<OllamaOptions>

const doneReasons: Readonly<Record<FinishReason, string>> = {
  stop: 'stop',
  calls: 'stop',
  length: 'length',
  'stop-sequence': 'stop',
  'content-filter': 'stop',
}

/** Encodes a whole reply. Its one message has a field for each kind of part, so texts before and after calls are joined. */
export function encodeReply(reply: Reply, context: OllamaContext): JsonObject {
  let [content, thinking, characters] = ['', '', 0]
  const calls: JsonObject[] = []
  for (const part of wholeParts(reply)) {
    characters += charactersOf(part)
    if (part.type === 'text') content += part.text
    else if (part.type === 'reasoning') thinking += part.text
    else calls.push(encodeCall(part, calls.length))
  }
  const said: Said = { content, ...(thinking !== '' && { thinking }), ...(calls.length > 0 && { tool_calls: calls }) }
  return {
    ...head(context),
    ...encodeSaid(said, context.options.endpoint),
    ...encodeEnd(reply.finish, context, characters),
  }
}

// An alias and no interface: bodies are JSON objects, to which TypeScript assigns aliases alone.
/** The model's output, all of it or a piece. */
export type Said = { content: string; thinking?: string; tool_calls?: JsonObject[] }

/** Encodes the model's output: in a message, or at the top level for a single prompt. */
export function encodeSaid({ content, ...said }: Said, endpoint: Endpoint): JsonObject {
  return endpoint === 'chat' ? { message: { role: 'assistant', content, ...said } } : { response: content, ...said }
}

/** Encodes a call. Its id is a member that older clients ignore. */
export function encodeCall(call: Extract<WholePart, { type: 'call' }>, index: number): JsonObject {
  return { id: call.id, function: { index, name: call.name, arguments: call.arguments } }
}

/** Encodes the members that each object of a reply begins with. */
export function head({ model, created }: Pick<OllamaContext, 'model' | 'created'>): JsonObject {
  return { model, created_at: new Date(created * 1000).toISOString() }
}

/**
 * Encodes the end of a reply: its reason, the tokens as the upstream counted them or as an estimate, and durations in nanoseconds.
 * `firstMs` is the time until the first event; undefined if it was not seen.
 */
export function encodeEnd(
  { reason, usage }: Pick<FinishEvent, 'reason' | 'usage'>,
  { options, estimateInputTokens }: OllamaContext,
  characters: number,
  firstMs: number = 0,
): JsonObject {
  const total = options.elapsed()
  return {
    done: true,
    done_reason: doneReasons[reason],
    total_duration: nanoseconds(total),
    load_duration: 0,
    prompt_eval_count: usage?.inputTokens ?? estimateInputTokens(),
    prompt_eval_duration: nanoseconds(firstMs),
    eval_count: usage?.outputTokens ?? estimateOutputTokens(characters),
    eval_duration: nanoseconds(total - firstMs),
  }
}

/** Clients divide by durations, so none is zero. */
function nanoseconds(ms: number): number {
  return Math.max(1, Math.round(ms * 1e6))
}
