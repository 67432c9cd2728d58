import type { JsonObject, ReplyPart, Usage } from '../../conversation/index.ts'
import type { ReplyContext } from '../protocol.ts'

/**
 * Characters in a token, to estimate the tokens of a reply that the upstream did not count: about the average of
 * English prose. Rounded up, so that a reply that says something never counts as nothing. The field is a required
 * number in the API, so an estimate is given rather than none.
 */
const charactersPerToken = 4

/** The usage of a reply: what the upstream counted, else what was estimated. */
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

/** The characters of a part of a reply that the model wrote as such. */
export function charactersOf(part: ReplyPart): number {
  return part.type === 'call' ? part.name.length + part.arguments.length : part.text.length
}
