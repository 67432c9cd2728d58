import type { FinishEvent, JsonObject, Usage } from '../../conversation/index.ts'

/**
 * Characters a token, for upstreams that do not count: English text and code have three to five with every common tokenizer, and a
 * client only needs the order of magnitude to manage its context.
 */
const charactersPerToken = 4

/** The usage of a reply that is about to begin: only the prompt is known, by estimate. */
export function encodeInitialUsage(estimated: Usage): JsonObject {
  return encodeTokens(estimated, 0)
}

/** The usage of a finished reply: what the upstream counted, estimates for what it did not. */
export function encodeFinalUsage(finish: FinishEvent, estimated: Usage, replyCharacters: number): JsonObject {
  const usage = { ...estimated, ...finish.usage }
  return encodeTokens(usage, finish.usage?.outputTokens ?? Math.ceil(replyCharacters / charactersPerToken))
}

function encodeTokens({ inputTokens = 0, cachedTokens = 0 }: Usage, outputTokens: number): JsonObject {
  return {
    // Anthropic counts what was read from a cache beside the input tokens, not within them.
    input_tokens: Math.max(0, inputTokens - cachedTokens),
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: cachedTokens,
    output_tokens: outputTokens,
  }
}
