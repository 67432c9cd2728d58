import type { FinishEvent, JsonObject, Usage } from '../../../conversation/index.ts'
import type { ReplyContext } from '../../protocol.ts'

/**
 * Characters per token, for upstreams that do not count. English text and code have three to five with every common tokenizer,
 * and a client needs only the order of magnitude to manage its context.
 */
const charactersPerToken = 4

/** Encodes the usage of a reply that is about to begin: an estimate of the prompt. */
export function encodeInitialUsage({ estimateInputTokens }: Estimate): JsonObject {
  return encodeTokens({ inputTokens: estimateInputTokens() }, 0)
}

/** Encodes the usage of a finished reply: the upstream's counts, and estimates for missing ones. */
export function encodeFinalUsage(
  { usage = {} }: FinishEvent,
  { estimateInputTokens }: Estimate,
  replyCharacters: number,
): JsonObject {
  const counted = usage.inputTokens === undefined ? { ...usage, inputTokens: estimateInputTokens() } : usage
  return encodeTokens(counted, usage.outputTokens ?? Math.ceil(replyCharacters / charactersPerToken))
}

type Estimate = Pick<ReplyContext, 'estimateInputTokens'>

function encodeTokens(
  { inputTokens = 0, cachedTokens = 0, cacheWriteTokens = 0, reasoningTokens }: Usage,
  outputTokens: number,
): JsonObject {
  return {
    // Anthropic counts tokens read from or written to a cache apart from the input tokens, not as part of them.
    input_tokens: Math.max(0, inputTokens - cachedTokens - cacheWriteTokens),
    cache_creation_input_tokens: cacheWriteTokens,
    cache_read_input_tokens: cachedTokens,
    output_tokens: outputTokens,
    output_tokens_details: reasoningTokens === undefined ? null : { thinking_tokens: reasoningTokens },
    // About Anthropic's own service; the API's schema requires them.
    server_tool_use: null,
    cache_creation: null,
    inference_geo: null,
    service_tier: null,
    speed: null,
  }
}
