import { AnycallError, isJsonObject, type JsonObject } from '../../conversation/index.ts'

/** The field that names what a request continues from. */
export const threadField = 'thread.previous_message_id'

/**
 * A message thread is a conversation that the server keeps; the tool runner of Anthropic's SDK begins one by itself. None
 * is kept here: beginning one asks for nothing, but a request that continues one lacks all that came before. Told that
 * its thread is not found, the SDK sends the whole conversation.
 */
export function refuseContinuation({ thread }: JsonObject): void {
  if (!isJsonObject(thread) || thread.type !== 'continue') return
  throw new AnycallError(
    'not-found',
    `${threadField}: no message threads are kept here; send the whole conversation in messages`,
    { param: threadField },
  )
}
