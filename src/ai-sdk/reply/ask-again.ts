import type {
  LanguageModelV3CallOptions,
  LanguageModelV3GenerateResult,
  LanguageModelV3Prompt,
  LanguageModelV3Usage,
} from '@ai-sdk/provider'
import type { Wanted } from './wanted.ts'

/** The text that the model answered, and the request to it. */
export interface Again {
  reply: string
  request: string
}

/** The parameters of the second request: the incomplete reply is added, and a plain request for the missing part. */
export function askedAgain(
  params: LanguageModelV3CallOptions,
  { reply, request: text }: Again,
): LanguageModelV3CallOptions {
  const request = { type: 'text' as const, text }
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
export async function askIfPossible<T>(
  ask: (again: Again) => Promise<T>,
  again: Again,
  signal: AbortSignal | undefined,
): Promise<T | undefined> {
  try {
    return await ask(again)
  } catch (error) {
    if (signal?.aborted) throw error
    return undefined
  }
}

/** A whole reply that must have something: the reply, or the result of asking for that once more. */
export async function wholeWith(
  wanted: Wanted,
  first: LanguageModelV3GenerateResult,
  ask: (again: Again) => Promise<LanguageModelV3GenerateResult>,
  signal: AbortSignal | undefined,
): Promise<LanguageModelV3GenerateResult> {
  if (first.finishReason.unified === 'error' || !wanted.isMissing(first)) return first
  const reply = first.content.map((part) => (part.type === 'text' ? part.text : '')).join('')
  const second = await askIfPossible(ask, { reply, request: wanted.request(first) }, signal)
  const usage = second ? sumOfUsage(first.usage, second.usage) : first.usage
  const given = second && wanted.replaces(second) ? second : first
  const { finishReason, providerMetadata } = given
  const finish = { type: 'finish' as const, finishReason, usage, ...(providerMetadata && { providerMetadata }) }
  const noted = wanted.noted(finish, given === first ? 'first' : 'second')
  return { ...given, usage, ...(noted.providerMetadata && { providerMetadata: noted.providerMetadata }) }
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
