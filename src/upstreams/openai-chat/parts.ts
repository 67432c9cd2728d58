import { isJsonObject, type JsonObject } from '../../conversation/index.ts'
import type { ChatPart } from '../refusals/refusals.ts'
import { needsRepair } from './repair-messages.ts'

/** The fields of a message that servers have for its reasoning: DeepSeek's and llama-server's; that of Groq, Cerebras and Ollama. */
export const reasoningFields = ['reasoning_content', 'reasoning'] as const
export type ReasoningField = (typeof reasoningFields)[number]

/** The fields of a request for the most tokens of a reply. OpenAI's newer models take only the second, others only the first. */
export const maxTokensFields = ['max_tokens', 'max_completion_tokens'] as const
export type MaxTokensField = (typeof maxTokensFields)[number]

/** Efforts that few models support, and the nearest that most do. */
export const commonEfforts: ReadonlyMap<unknown, string> = new Map([
  ['minimal', 'low'],
  ['xhigh', 'high'],
  ['max', 'high'],
])

/** True if a body has a part that its server may refuse. */
export function hasPart(body: JsonObject, part: ChatPart): boolean {
  switch (part) {
    case 'user-after-result':
    case 'missing-reasoning':
    case 'missing-signature':
    case 'unfit-ids':
    case 'unfit-names':
      return needsRepair(body, part)
    case 'strict':
      return functionsOf(body).some(({ strict }) => strict !== undefined)
    case 'thinking-on':
      return body.thinking === undefined
    case 'effort-with-tools':
      return body.tools !== undefined && body.reasoning_effort !== 'none'
    case 'rare-effort':
      return commonEfforts.has(body.reasoning_effort)
    case 'no-effort':
      return body.reasoning_effort === 'none'
    case 'reasoning_content':
    case 'reasoning': {
      const { messages } = body
      return Array.isArray(messages) && messages.some((one) => isJsonObject(one) && one[part] !== undefined)
    }
    default:
      return body[part] !== undefined
  }
}

/** The definitions of a body's tools. */
export function functionsOf({ tools }: JsonObject): JsonObject[] {
  const entries = Array.isArray(tools) ? tools : []
  return entries.flatMap((tool) => (isJsonObject(tool) && isJsonObject(tool.function) ? [tool.function] : []))
}
