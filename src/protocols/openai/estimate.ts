import type { ReplyPart } from '../../conversation/index.ts'

/**
 * Characters per token, to estimate the tokens of a reply that the upstream did not count: about the average of English
 * prose. The APIs require a number here, hence the estimate.
 */
const charactersPerToken = 4

/** Estimates the tokens of a reply. Rounded up, so that a reply with text never counts as zero. */
export function estimateOutputTokens(replyCharacters: number): number {
  return Math.ceil(replyCharacters / charactersPerToken)
}

/** Counts the characters of a part of a reply. */
export function charactersOf(part: ReplyPart): number {
  return part.type === 'call' ? part.name.length + part.arguments.length : part.text.length
}
