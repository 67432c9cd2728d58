import type { JSONObject, LanguageModelV3StreamPart } from '@ai-sdk/provider'
import type { Notice } from '../conversation/index.ts'

export type FinishPart = Extract<LanguageModelV3StreamPart, { type: 'finish' }>

/** A finish part with anycall's findings among the metadata; nothing is added if there are none. */
export function withMetadata(part: FinishPart, findings: JSONObject): FinishPart {
  if (Object.keys(findings).length === 0) return part
  const anycall = { ...part.providerMetadata?.anycall, ...findings }
  return { ...part, providerMetadata: { ...part.providerMetadata, anycall } }
}

/** A notice as plain JSON. */
export function noticeObject({ code, message, span }: Notice): JSONObject {
  return { code, message, ...(span && { span: [...span] }) }
}
