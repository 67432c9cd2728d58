import type { Conversation, Turn } from '../../conversation/index.ts'

/**
 * Returns a conversation with more turns. A user's turn right after a user's turn is merged with it, as many chat templates want the roles
 * to take turns.
 */
export function withTurns(conversation: Conversation, more: readonly Turn[]): Conversation {
  const turns = [...conversation.turns]
  for (const turn of more) {
    const last = turns.at(-1)
    if (last?.role !== 'user' || turn.role !== 'user') {
      turns.push(turn)
      continue
    }
    turns.splice(-1, 1, { ...last, parts: [...last.parts, ...turn.parts] })
  }
  return { ...conversation, turns }
}
