import { type ConversationInput, completeConversation } from '../conversation/index.ts'
import {
  type ChatConversation,
  type EncodedMessages,
  encodeConversation,
  encodeTools,
  encodeTurns,
  type ToolsParam,
} from '../upstreams/index.ts'

const nothing: ReadonlySet<never> = new Set()

/**
 * Returns a conversation in the form of OpenAI's Chat Completions API: `messages`, and `tools`, `tool_choice` and
 * `parallel_tool_calls` if the conversation has tools. Reasoning is in `reasoning_content` of the messages.
 *
 * @example
 * const client = new OpenAI()
 * await client.chat.completions.create({ model: 'gpt-5', ...toOpenAI(conversation) })
 */
export function toOpenAI(conversation: ConversationInput): ChatConversation {
  return encodeConversation(completeConversation(conversation), 'reasoning_content')
}

/**
 * Returns a conversation in the form of Anthropic's Messages API: `system`, `messages`, and `tools` and `tool_choice`
 * if the conversation has tools. Reasoning is left out, because the API accepts it only with its own signature.
 *
 * @example
 * const client = new Anthropic()
 * await client.messages.create({ model: 'claude-opus-5', max_tokens: 1000, ...toAnthropic(conversation) })
 */
export function toAnthropic(conversation: ConversationInput): EncodedMessages & ToolsParam {
  const complete = completeConversation(conversation)
  return { ...encodeTurns(complete, { withReasoning: false }), ...encodeTools(complete, nothing) }
}
