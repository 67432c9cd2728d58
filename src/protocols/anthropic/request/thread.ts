import { AnycallError, isJsonObject, type JsonObject } from '../../../conversation/index.ts'

/** The field that names the message to continue from. */
export const threadField = 'thread.previous_message_id'

/**
 * Throws `not-found` for a request that continues a message thread. A thread is a conversation that the server stores; the tool
 * runner of Anthropic's SDK creates threads automatically. None is stored here, so a request that continues one lacks all earlier
 * messages. On this error the SDK sends the whole conversation.
 */
export function refuseContinuation({ thread }: JsonObject): void {
  if (!isJsonObject(thread) || thread.type !== 'continue') return
  throw new AnycallError(
    'not-found',
    `${threadField}: no message threads are kept here; send the whole conversation in messages`,
    { param: threadField },
  )
}
