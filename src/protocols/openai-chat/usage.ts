import type { JsonObject, ReplyPart, Usage } from '../../conversation/index.ts'
import type { ReplyContext } from '../protocol.ts'

/**
 * Characters per token, to estimate the tokens of a reply that the upstream did not count: about the average of English
 * prose. Rounded up, so that a reply with text never counts as zero. The API requires a number here, hence the estimate.
 */
const charactersPerToken = 4

/** Encodes the usage of a reply: the upstream's counts, or else estimates. */
export function encodeUsage(
  usage: Usage | undefined,
  { estimateInputTokens }: Pick<ReplyContext, 'estimateInputTokens'>,
  replyCharacters: number,
): JsonObject {
  const promptTokens = usage?.inputTokens ?? estimateInputTokens()
  const completionTokens = usage?.outputTokens ?? Math.ceil(replyCharacters / charactersPerToken)
  return {
    prompt_tokens: promptTokens,
    completion_tokens: completionTokens,
    total_tokens: promptTokens + completionTokens,
    prompt_tokens_details: { cached_tokens: usage?.cachedTokens ?? 0 },
    completion_tokens_details: { reasoning_tokens: usage?.reasoningTokens ?? 0 },
  }
}

/** Counts the characters of a part of a reply. */
export function charactersOf(part: ReplyPart): number {
  return part.type === 'call' ? part.name.length + part.arguments.length : part.text.length
}
