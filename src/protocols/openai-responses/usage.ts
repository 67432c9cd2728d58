import type { JsonObject, Usage } from '../../conversation/index.ts'
import { estimateOutputTokens } from '../openai/estimate.ts'
import type { ReplyContext } from '../protocol.ts'

/** Encodes the usage of a reply: the upstream's counts, or else estimates. */
export function encodeUsage(
  usage: Usage | undefined,
  { estimateInputTokens }: Pick<ReplyContext, 'estimateInputTokens'>,
  replyCharacters: number,
): JsonObject {
  const inputTokens = usage?.inputTokens ?? estimateInputTokens()
  const outputTokens = usage?.outputTokens ?? estimateOutputTokens(replyCharacters)
  return {
    input_tokens: inputTokens,
    input_tokens_details: {
      cached_tokens: usage?.cachedTokens ?? 0,
      cache_write_tokens: usage?.cacheWriteTokens ?? 0,
    },
    output_tokens: outputTokens,
    output_tokens_details: { reasoning_tokens: usage?.reasoningTokens ?? 0 },
    total_tokens: inputTokens + outputTokens,
  }
}
