import { argumentError } from './argument-error.ts'
import type { Conversation, Turn } from './conversation.ts'
import { isJsonObject } from './json-value.ts'
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

/** Throws an AnycallError for a value that is no conversation: callers without types may give any. */
export function checkConversation(input: Pick<ConversationInput, 'system' | 'turns'>): void {
  if (!isJsonObject(input)) throw argumentError('conversation', 'an object with turns', input)
  const { system, turns } = input
  if (system !== undefined && typeof system !== 'string') throw argumentError('system', 'a text', system)
  if (!Array.isArray(turns)) throw argumentError('turns', 'a list of turns', turns)
  for (const [index, turn] of turns.entries()) {
    const place = `turns[${index}]`
    if (!isJsonObject(turn)) throw argumentError(place, 'a turn', turn)
    if (!Array.isArray(turn.parts) && turn.role !== 'system')
      throw argumentError(`${place}.parts`, 'a list', turn.parts)
  }
}

/**
 * Returns a conversation with its defaults filled in: no system text, no tools, free choice, parallel calls. Throws an
 * AnycallError for tools that are not tools, and for turns that are not turns.
 */
export function completeConversation(input: ConversationInput): Conversation {
  checkConversation(input)
  const { turns, tools } = input
  return {
    ...input,
    model: input.model ?? '',
    system: input.system ?? '',
    toolChoice: input.toolChoice ?? { type: 'auto' },
    parallelCalls: input.parallelCalls ?? true,
    stopSequences: input.stopSequences ?? [],
    sampling: input.sampling ?? {},
    turns: [...turns],
    tools: toolsForReading(tools ?? []),
    ...(input.listedTools && { listedTools: toolsForReading(input.listedTools) }),
  }
}
