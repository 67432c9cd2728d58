import type { AssistantTurn, Conversation, ReplyEvent, ReplyStream, UserTurn } from '../../conversation/index.ts'
import { demandsCall, missingCallNotice, missingCallRequest } from '../../dialects/index.ts'
import type { GenerationContext } from '../../upstreams/index.ts'
import { append, withUsageOf } from '../reply/reply-streams.ts'
import { withTurns } from './follow-up.ts'

/** Starts a reply to a conversation. */
export type Generate = (conversation: Conversation) => Promise<ReplyStream>

/**
 * Returns the reply to a conversation. A required call that does not come is requested once more, before any of the
 * reply is sent.
 */
export async function withDemandedCall(
  conversation: Conversation,
  generate: Generate,
  context: GenerationContext,
): Promise<ReplyStream> {
  const reply = await generate(conversation)
  if (!demandsCall(conversation)) return reply
  const first = await untilCall(reply)
  if (first.type === 'call') return first.reply

  context.log('warn', 'required-call-missing', { requestId: context.requestId })
  const second = await askAgain(conversation, first.events, generate, context)
  if (second.type === 'call') return withUsageOf(first.events, second.reply)
  return withUsageOf(second.events, whole([{ type: 'notice', notice: missingCallNotice }, ...first.events]))
}

type Beginning = { type: 'call'; reply: ReplyStream } | { type: 'no-call'; events: ReplyEvent[] }

/** Reads a reply up to its first call; a reply without calls is read to its end. */
async function untilCall(reply: ReplyStream): Promise<Beginning> {
  const events: ReplyEvent[] = []
  const batches = reply[Symbol.asyncIterator]()
  for (let next = await batches.next(); !next.done; next = await batches.next()) {
    append(events, next.value)
    if (next.value.some((event) => event.type === 'call-start')) {
      return { type: 'call', reply: resumed(events, batches) }
    }
  }
  return { type: 'no-call', events }
}

async function* resumed(begun: ReplyEvent[], rest: AsyncIterator<ReplyEvent[]>): ReplyStream {
  try {
    yield begun
    for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value
  } finally {
    await rest.return?.()
  }
}

async function* whole(events: ReplyEvent[]): ReplyStream {
  yield events
}

/** Asks once more for the call. When even asking fails, the first reply is still there to be given. */
async function askAgain(
  conversation: Conversation,
  events: readonly ReplyEvent[],
  generate: Generate,
  context: GenerationContext,
): Promise<Beginning> {
  try {
    return await untilCall(await generate(withRequest(conversation, events)))
  } catch (error) {
    if (context.signal.aborted) throw error
    const why = error instanceof Error ? error.message : String(error)
    context.log('warn', 'required-call-failed', { requestId: context.requestId, error: why })
    return { type: 'no-call', events: [] }
  }
}

/** The conversation with the reply that lacked the call, and a plain request for it. */
function withRequest(conversation: Conversation, events: readonly ReplyEvent[]): Conversation {
  const text = events.map((event) => (event.type === 'text' ? event.text : '')).join('')
  const reply: AssistantTurn[] = text.trim() === '' ? [] : [{ role: 'assistant', parts: [{ type: 'text', text }] }]
  const request: UserTurn = { role: 'user', parts: [{ type: 'text', text: missingCallRequest(conversation) }] }
  return withTurns(conversation, [...reply, request])
}
