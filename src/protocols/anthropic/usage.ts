import type { FinishEvent, JsonObject, Usage } from '../../conversation/index.ts'
import type { ReplyContext } from '../protocol.ts'

/**
 * Characters a token, for upstreams that do not count: English text and code have three to five with every common tokenizer, and a
 * client only needs the order of magnitude to manage its context.
 */
const charactersPerToken = 4

/** The usage of a reply that is about to begin: only the prompt is known, by estimate. */
export function encodeInitialUsage({ estimateInputTokens }: Estimate): JsonObject {
  return encodeTokens({ inputTokens: estimateInputTokens() }, 0)
}

/** The usage of a finished reply: what the upstream counted, estimates for what it did not. */
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
  { inputTokens = 0, cachedTokens = 0, cacheWriteTokens = 0 }: Usage,
  outputTokens: number,
): JsonObject {
  return {
    // Anthropic counts what was read from a cache, or written to it, beside the input tokens, not within them.
    input_tokens: Math.max(0, inputTokens - cachedTokens - cacheWriteTokens),
    cache_creation_input_tokens: cacheWriteTokens,
    cache_read_input_tokens: cachedTokens,
    output_tokens: outputTokens,
  }
}
