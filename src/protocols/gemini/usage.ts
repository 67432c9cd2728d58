import type { JsonObject, Usage } from '../../conversation/index.ts'
import { estimateOutputTokens } from '../openai/estimate.ts'
import type { ReplyContext } from '../protocol.ts'

/** Encodes the usage of a reply: the upstream's counts, or else estimates. Thoughts are counted apart from the reply. */
export function encodeUsage(
  usage: Usage | undefined,
  { estimateInputTokens }: Pick<ReplyContext, 'estimateInputTokens'>,
  replyCharacters: number,
): JsonObject {
  const prompt = usage?.inputTokens ?? estimateInputTokens()
  const output = usage?.outputTokens ?? estimateOutputTokens(replyCharacters)
  const thoughts = Math.min(usage?.reasoningTokens ?? 0, output)
  return {
    promptTokenCount: prompt,
    candidatesTokenCount: output - thoughts,
    totalTokenCount: prompt + output,
    ...(usage?.cachedTokens !== undefined && { cachedContentTokenCount: usage.cachedTokens }),
    ...(thoughts > 0 && { thoughtsTokenCount: thoughts }),
    promptTokensDetails: [{ modality: 'TEXT', tokenCount: prompt }],
  }
}
