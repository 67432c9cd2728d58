import {
  AnycallError,
  type FinishEvent,
  type JsonObject,
  newId,
  type Reply,
  type ReplyEvent,
} from '../../conversation/index.ts'
import type { StreamEncoder } from '../protocol.ts'
import { ResponseEvents } from './events.ts'
import { failureEvents } from './failure.ts'
import { itemIds } from './items/items.ts'
import { finishedState, type ResponseState, type ResponsesContext, responseOf, secondsNow } from './response.ts'
import { encodeUsage } from './usage.ts'

/** The services that the answer to a compaction needs. */
export interface CompactionReply {
  /** Returns the summary for the client to send back. */
  seal(text: string): Promise<string>
  /** The items that go before it in the answer of `POST /v1/responses/compact`. */
  before: JsonObject[]
}

/** Returns the state of a response to a compaction: its one item has the model's text. Throws if there is none. */
export async function compactedState(
  summary: string,
  finish: FinishEvent,
  characters: number,
  context: ResponsesContext,
  { seal }: CompactionReply,
): Promise<ResponseState> {
  if (summary.trim() === '') {
    throw new AnycallError(
      'upstream',
      'The model wrote no summary of the conversation; ask again, or compact it at the client.',
    )
  }
  const item = { id: newId(itemIds.compaction), type: 'compaction', encrypted_content: await seal(summary.trim()) }
  return finishedState(finish, [item], encodeUsage(finish.usage, context, characters), secondsNow())
}

/** Encodes the answer of `POST /v1/responses/compact`. */
export async function encodeCompacted(
  reply: Reply,
  context: ResponsesContext,
  compaction: CompactionReply,
): Promise<JsonObject> {
  const { output, usage } = await stateOf(reply, context, compaction)
  return {
    id: context.id,
    object: 'response.compaction',
    created_at: context.created,
    output: [...compaction.before, ...output],
    usage: usage ?? null,
  }
}

/** Returns the state of a response to a whole reply. */
export function stateOf(
  { parts, finish }: Reply,
  context: ResponsesContext,
  compaction: CompactionReply,
): Promise<ResponseState> {
  const texts = parts.map((part) => (part.type === 'text' ? part.text : ''))
  const characters = parts.reduce((sum, part) => sum + (part.type === 'call' ? part.arguments : part.text).length, 0)
  return compactedState(texts.join(''), finish, characters, context, compaction)
}

/** Returns an encoder that writes a reply as the one item of a compaction, once all of it is there. */
export function createCompactionEncoder(context: ResponsesContext, compaction: CompactionReply): StreamEncoder {
  const events = new ResponseEvents(context)
  let summary = ''
  let characters = 0
  let isOver = false
  return {
    start: () => events.start(),
    async encode(batch: readonly ReplyEvent[]) {
      for (const event of batch) {
        if (event.type === 'text') summary += event.text
        if (event.type === 'text' || event.type === 'reasoning') characters += event.text.length
        if (event.type !== 'finish' || isOver) continue
        const state = await compactedState(summary, event, characters, context, compaction)
        isOver = true
        await context.options.made(() => responseOf(context, state))
        const items = state.output.map((item, index) => events.whole(index, item))
        return items.join('') + events.response(`response.${state.status}`, state)
      }
      return ''
    },
    ping: () => ': ping\n\n',
    fail(error) {
      if (isOver) return ''
      isOver = true
      return failureEvents(events, error, [])
    },
  }
}
