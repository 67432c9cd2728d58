import { ReplyCollector, type ReplyPart } from '../../conversation/index.ts'
import type { ExchangeRecord } from '../record/exchange.ts'

/** The content of a reply; the ids of calls and the pieces in which it came are left out, as each generation has others. */
export interface ReplyContent {
  parts: (Exclude<ReplyPart, { type: 'call' }> | Omit<Extract<ReplyPart, { type: 'call' }>, 'id'>)[]
  finish?: string
  error?: string
}

/** Returns the content of an exchange's reply. */
export function replyContentOf({ reply, finish, error }: ExchangeRecord): ReplyContent {
  const collector = new ReplyCollector()
  collector.push(reply.map(({ event }) => event))
  const parts = collector.parts.map((part): ReplyContent['parts'][number] => {
    if (part.type !== 'call') return part
    const { id: _, ...call } = part
    return call
  })
  return { parts, ...(finish !== undefined && { finish }), ...(error && { error: error.code }) }
}

/** True for two exchanges whose replies have the same content. */
export function isSameReply(one: ExchangeRecord, other: ExchangeRecord): boolean {
  return JSON.stringify(replyContentOf(one)) === JSON.stringify(replyContentOf(other))
}
