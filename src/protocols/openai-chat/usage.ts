import type { JsonObject, Usage } from '../../conversation/index.ts'
import { estimateOutputTokens } from '../openai/estimate.ts'
import type { ReplyContext } from '../protocol.ts'

/** Encodes the usage of a reply: the upstream's counts, or else estimates. */
export function encodeUsage(
  usage: Usage | undefined,
  { estimateInputTokens }: Pick<ReplyContext, 'estimateInputTokens'>,
  replyCharacters: number,
): JsonObject {
  const promptTokens = usage?.inputTokens ?? estimateInputTokens()
  const completionTokens = usage?.outputTokens ?? estimateOutputTokens(replyCharacters)
  return {
    prompt_tokens: promptTokens,
    completion_tokens: completionTokens,
    total_tokens: promptTokens + completionTokens,
    prompt_tokens_details: { cached_tokens: usage?.cachedTokens ?? 0 },
    completion_tokens_details: { reasoning_tokens: usage?.reasoningTokens ?? 0 },
  }
}
