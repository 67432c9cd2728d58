import type { AssistantPart, Turn, UserPart } from '../../conversation/index.ts'
import { estimateParts } from '../plans/tokens.ts'

type Part = UserPart | AssistantPart

/** Parts of a conversation that are removed together: a call with its result, a reply with the message that it answers. */
export interface Step {
  parts: readonly Part[]
  /** The number of items: messages, texts and reasoning of replies, calls, results. */
  items: number
  tokens: number
}

/** A user's message, and the replies to it, each with the results of its calls. */
interface Exchange {
  message: Part[]
  replies: Part[][]
}

/**
 * Returns the steps that may leave a conversation, the oldest first. System text, the last message of the user and the last
 * reply to it stay. The message of an earlier exchange leaves with the last reply to it, so that no history begins with a reply.
 *
 * @example
 * removableSteps(conversation.turns).reduce((tokens, step) => tokens + step.tokens, 0)
 */
export function removableSteps(turns: readonly Turn[]): Step[] {
  const exchanges = exchangesOf(turns)
  const last = exchanges.pop()
  const earlier = exchanges.flatMap(({ message, replies }) => [
    ...replies.slice(0, -1).map((reply) => stepOf([], reply)),
    stepOf(message, replies.at(-1) ?? []),
  ])
  return [...earlier, ...(last?.replies.slice(0, -1) ?? []).map((reply) => stepOf([], reply))]
}

function exchangesOf(turns: readonly Turn[]): Exchange[] {
  const exchanges: Exchange[] = []
  const replyOfCall = new Map<string, Part[]>()
  const current = (): Exchange => {
    const last = exchanges.at(-1)
    if (last) return last
    const first: Exchange = { message: [], replies: [] }
    exchanges.push(first)
    return first
  }
  for (const turn of turns) {
    if (turn.role === 'assistant') {
      const reply: Part[] = [...turn.parts]
      current().replies.push(reply)
      for (const part of turn.parts) if (part.type === 'call') replyOfCall.set(part.id, reply)
    } else if (turn.role === 'user') {
      const message: Part[] = []
      for (const part of turn.parts) {
        if (part.type === 'result') (replyOfCall.get(part.callId) ?? current().message).push(part)
        else message.push(part)
      }
      if (message.length > 0) exchanges.push({ message, replies: [] })
    }
  }
  return exchanges
}

function stepOf(message: readonly Part[], reply: readonly Part[]): Step {
  const parts = [...message, ...reply]
  return { parts, items: Math.min(1, message.length) + reply.length, tokens: estimateParts(parts) }
}
