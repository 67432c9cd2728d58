import type {
  LanguageModelV3CallOptions,
  LanguageModelV3GenerateResult,
  LanguageModelV3Prompt,
  LanguageModelV3Usage,
} from '@ai-sdk/provider'
import { type CallPolicy, missingCallNotice, missingCallRequest } from '../dialects/index.ts'
import { type FinishPart, noticeObject, withMetadata } from './findings.ts'

/** The parameters once more, with the reply that lacked its call and a plain request for it. */
export function askedAgain(
  params: LanguageModelV3CallOptions,
  policy: CallPolicy,
  reply: string,
): LanguageModelV3CallOptions {
  const request = { type: 'text' as const, text: missingCallRequest(policy) }
  const last = params.prompt.at(-1)
  if (reply.trim() === '' && last?.role === 'user') {
    const continued = { ...last, content: [...last.content, { ...request, text: `\n\n${request.text}` }] }
    return { ...params, prompt: [...params.prompt.slice(0, -1), continued] }
  }
  const answered: LanguageModelV3Prompt =
    reply.trim() === '' ? [] : [{ role: 'assistant', content: [{ type: 'text', text: reply }] }]
  return { ...params, prompt: [...params.prompt, ...answered, { role: 'user', content: [request] }] }
}

/** Asks once more. Undefined if even asking fails: the first reply is still available. */
export async function ask<T>(
  again: (reply: string) => Promise<T>,
  reply: string,
  signal: AbortSignal | undefined,
): Promise<T | undefined> {
  try {
    return await again(reply)
  } catch (error) {
    if (signal?.aborted) throw error
    return undefined
  }
}

/** A whole reply to a request that requires a call: the reply, or the result of asking for the call once more. */
export async function wholeWithCall(
  first: LanguageModelV3GenerateResult,
  again: (reply: string) => Promise<LanguageModelV3GenerateResult>,
  signal: AbortSignal | undefined,
): Promise<LanguageModelV3GenerateResult> {
  const { finishReason, providerMetadata } = first
  if (beginsCall(first) || finishReason.unified === 'error') return first
  const text = first.content.map((part) => (part.type === 'text' ? part.text : '')).join('')
  const second = await ask(again, text, signal)
  const usage = second ? sumOfUsage(first.usage, second.usage) : first.usage
  if (second && beginsCall(second)) return { ...second, usage }
  const noted = withMissingCall({ type: 'finish', finishReason, usage, ...(providerMetadata && { providerMetadata }) })
  return { ...first, usage, ...(noted.providerMetadata && { providerMetadata: noted.providerMetadata }) }
}

/** A call that broke off began as well: in a stream it is out already. */
function beginsCall({ content, providerMetadata }: LanguageModelV3GenerateResult): boolean {
  return providerMetadata?.anycall?.incomplete !== undefined || content.some((part) => part.type === 'tool-call')
}

/** The end of a reply that lacks the call that it was asked for twice. */
export function withMissingCall(finish: FinishPart): FinishPart {
  const known = finish.providerMetadata?.anycall?.notices
  const missing = noticeObject(missingCallNotice)
  return withMetadata(finish, { notices: [...(Array.isArray(known) ? known : []), missing] })
}

/** The tokens of two replies; counts that neither has stay unknown. */
export function sumOfUsage(one: LanguageModelV3Usage, other: LanguageModelV3Usage): LanguageModelV3Usage {
  return {
    inputTokens: sumOfEach(one.inputTokens, other.inputTokens, ['total', 'noCache', 'cacheRead', 'cacheWrite']),
    outputTokens: sumOfEach(one.outputTokens, other.outputTokens, ['total', 'text', 'reasoning']),
  }
}

function sumOfEach<K extends string>(
  one: Record<K, number | undefined>,
  other: Record<K, number | undefined>,
  keys: readonly K[],
): Record<K, number | undefined> {
  const total = { ...one }
  for (const key of keys) {
    if (other[key] !== undefined) total[key] = (one[key] ?? 0) + other[key]
  }
  return total
}
