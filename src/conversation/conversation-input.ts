import type { Conversation, Turn } from './conversation.ts'
import { type ToolDefinition, toolsForReading } from './normalize-tools.ts'

/**
 * A conversation as a program writes it. Only `turns` is required; tools may be in any form that `normalizeTools` takes.
 *
 * @example
 * const conversation: ConversationInput = {
 *   turns: [{ role: 'user', parts: [{ type: 'text', text: 'Weather in Paris?' }] }],
 *   tools: ['get_weather'],
 * }
 */
export interface ConversationInput extends Partial<Omit<Conversation, 'turns' | 'tools'>> {
  turns: readonly Turn[]
  tools?: readonly ToolDefinition[]
}

/**
 * Returns a conversation with its defaults filled in: no system text, no tools, free choice, parallel calls. Throws an
 * AnycallError for tools that are not tools.
 */
export function completeConversation(input: ConversationInput): Conversation {
  const { turns, tools = [] } = input
  return {
    model: '',
    system: '',
    toolChoice: { type: 'auto' },
    parallelCalls: true,
    stopSequences: [],
    sampling: {},
    ...input,
    turns: [...turns],
    tools: toolsForReading(tools),
  }
}
