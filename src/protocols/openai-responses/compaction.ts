import { isJsonObject, type JsonObject, newId, type UserTurn } from '../../conversation/index.ts'
import { partsOf } from './items/input-list.ts'
import { itemIds } from './items/items.ts'
import type { OpenedTexts } from './sealed-items.ts'

/** The item that ends the input of a request for a compaction. */
export const trigger: JsonObject = { type: 'compaction_trigger' }

/** True for an item with the summary of the items before it. Codex once had another name for it. */
export function isCompaction({ type }: JsonObject): boolean {
  return type === 'compaction' || type === 'compaction_summary'
}

/** Returns the items without those that request a compaction, and a flag for such items. */
export function withoutTriggers(items: readonly unknown[]): { items: readonly unknown[]; compacts: boolean } {
  const others = items.filter((item) => !isJsonObject(item) || item.type !== trigger.type)
  return { items: others, compacts: others.length < items.length }
}

/**
 * Returns the items of a conversation after its last compaction: before it only messages of the user and the system,
 * whose words a summary does not replace. Clients leave the others out themselves, unless they name a previous
 * response.
 */
export function withoutCompacted(items: readonly unknown[], opened: OpenedTexts): readonly unknown[] {
  const last = items.findLastIndex(
    (item) => isJsonObject(item) && isCompaction(item) && summaryOf(item, opened) !== undefined,
  )
  if (last < 0) return items
  return items.filter((item, index) => index >= last || isKept(item))
}

/** Returns the messages that are kept, as the answer of a compaction lists them. */
export function keptMessages(items: readonly unknown[]): JsonObject[] {
  return items
    .filter(isJsonObject)
    .filter(isKept)
    .map((item) => ({
      id: newId(itemIds.message),
      status: 'completed',
      ...item,
      type: 'message',
      content: partsOf(item),
    }))
}

/** True for a message that is not of the assistant. What is no item at all is reported later. */
function isKept(item: unknown): boolean {
  if (!isJsonObject(item)) return true
  return (item.type === undefined || item.type === 'message') && item.role !== undefined && item.role !== 'assistant'
}

/** Returns the summary of a compaction; undefined if it was not sealed with this secret. */
export function summaryOf({ encrypted_content: envelope }: JsonObject, opened: OpenedTexts): string | undefined {
  return typeof envelope === 'string' ? opened.get(envelope) : undefined
}

/** Returns a summary as a turn. It is not the model's own: a model that reads on from it would write summaries. */
export function summaryTurn(summary: string): UserTurn {
  return { role: 'user', parts: [{ type: 'text', text: `${introduction}\n\n${summary}` }] }
}

const introduction =
  'The conversation so far was replaced by this summary of it. Continue the work from here; do not repeat what is done.'

/** The turn that asks the model for a summary. The prompt before it stays as it is, so that the engine has read most of it. */
export const askForSummary: UserTurn = {
  role: 'user',
  parts: [
    {
      type: 'text',
      text: `Write a summary of this conversation. It will replace the conversation: you will continue the work with nothing but the user's messages and this summary.

Include, as far as they exist:
- the user's goals, and all requirements, preferences and decisions, in exact words where these matter
- what was done, with exact names: files, functions, commands, ids, versions
- results and errors that are still of use, and facts that were found out
- the state of the work now, and the steps that are left, in order

Be complete but brief. Answer with the summary as plain text only, and call no tool.`,
    },
  ],
}
