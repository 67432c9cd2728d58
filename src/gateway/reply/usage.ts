import type { ReplyEvent, ReplyStream, Usage } from '../../conversation/index.ts'

/** The reply with the tokens of an attempt before it counted in: both were paid for. */
export async function* withUsageOf(other: readonly ReplyEvent[], reply: ReplyStream): ReplyStream {
  const spent = other.find((event) => event.type === 'finish')?.usage
  for await (const events of reply) {
    yield events.map((event) =>
      event.type === 'finish' && spent ? { ...event, usage: sum(spent, event.usage ?? {}) } : event,
    )
  }
}

/** What two generations used together; what neither says is not said. */
export function sum(one: Usage, other: Usage): Usage {
  const total: Usage = {}
  for (const key of ['inputTokens', 'outputTokens', 'cachedTokens', 'cacheWriteTokens', 'reasoningTokens'] as const) {
    if (one[key] !== undefined || other[key] !== undefined) total[key] = (one[key] ?? 0) + (other[key] ?? 0)
  }
  return total
}
