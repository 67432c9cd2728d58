import type { LanguageModelV3Prompt } from '@ai-sdk/provider'
import type { Tool, UserPart } from '../../conversation/index.ts'
import { type ConversationBeginning, createTrigger } from '../../dialects/index.ts'

/** The secret if a program gives none: the trigger is then the same in every process, as serverless functions need it. */
const noSecret = 'anycall'

/** Returns the trigger of the conversation that begins with `prompt`, as `createTrigger` makes it. */
export function triggerOfPrompt(
  prompt: LanguageModelV3Prompt,
  tools: readonly Tool[],
  secret: string = noSecret,
): Promise<string> {
  return createTrigger({ ...beginningOf(prompt), tools }, { secret })
}

/** Returns the texts that stay the same throughout a conversation. */
function beginningOf(prompt: LanguageModelV3Prompt): ConversationBeginning {
  const system = prompt.flatMap((message) => (message.role === 'system' ? [message.content] : []))
  const first = prompt.find(({ role }) => role !== 'system')
  const parts = first?.role === 'user' ? first.content : []
  const texts = parts.flatMap((part): UserPart[] => (part.type === 'text' ? [{ type: 'text', text: part.text }] : []))
  return { system: JSON.stringify(system), turns: [{ role: 'user', parts: texts }] }
}
