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
 * Returns a conversation as OpenAI's Chat Completions API takes it: `messages`, and `tools`, `tool_choice` and `parallel_tool_calls`
 * where the conversation has tools. Reasoning is in `reasoning_content` of the messages.
 *
 * @example
 * const client = new OpenAI()
 * await client.chat.completions.create({ model: 'gpt-5', ...toOpenAI(conversation) })
 */
export function toOpenAI(conversation: ConversationInput): ChatConversation {
  return encodeConversation(completeConversation(conversation), 'reasoning_content')
}

/**
 * Returns a conversation as Anthropic's Messages API takes it: `system`, `messages`, and `tools` and `tool_choice` where the
 * conversation has tools. Reasoning is left out, as the API takes it back only with its own signature.
 *
 * @example
 * const client = new Anthropic()
 * await client.messages.create({ model: 'claude-opus-5', max_tokens: 1000, ...toAnthropic(conversation) })
 */
export function toAnthropic(conversation: ConversationInput): EncodedMessages & ToolsParam {
  const complete = completeConversation(conversation)
  return { ...encodeTurns(complete, { withReasoning: false }), ...encodeTools(complete, nothing) }
}
