import { isClosed, type JsonObject, newId, type Reply, type ReplyPart } from '../../conversation/index.ts'
import { BegunObject } from '../../json/index.ts'
import { begunParts, callAsText } from '../begun-calls.ts'
import { charactersOf } from '../openai/estimate.ts'
import { envelopeText } from '../sealed-reasoning.ts'
import { stateOf } from './compaction-reply.ts'
import {
  builtInCallItem,
  customInput,
  endStatus,
  formOf,
  isWritten,
  itemIds,
  messageItem,
  reasoningItem,
  writtenCallItem,
} from './items/items.ts'
import {
  changingMembers,
  finishedState,
  headOf,
  hidesSealed,
  isCut,
  type ResponseState,
  type ResponsesContext,
  responseOf,
  secondsNow,
  withoutSealed,
} from './response.ts'
import { encodeUsage } from './usage.ts'

/** Encodes a whole reply as a `response`. */
export async function encodeReply(reply: Reply, context: ResponsesContext): Promise<BegunObject> {
  const { compaction } = context.options
  if (compaction) return withMade(await stateOf(reply, context, compaction), context)
  const parts = begunParts(reply.parts)
  const encoded = parts.map((part) => encodeCall(part, context))
  const characters = parts.reduce((sum, part) => sum + charactersOf(part), 0)
  const output: JsonObject[] = []
  const joined = joinTexts(encoded, context.options.sealing !== undefined)
  for (const part of joined) {
    const isComplete = part !== joined.at(-1) || !isCut(reply.finish)
    output.push('item' in part ? part.item : await encodeText(part, isComplete, context))
  }
  const usage = encodeUsage(reply.finish.usage, context, characters)
  return withMade(finishedState(reply.finish, output, usage, secondsNow()), context)
}

async function withMade(state: ResponseState, context: ResponsesContext): Promise<BegunObject> {
  await context.options.made(() => responseOf(context, state))
  const members = changingMembers(state)
  members.output = hidesSealed(context) ? state.output.map(withoutSealed) : state.output
  members.usage = state.usage ?? null
  return new BegunObject(headOf(context), members)
}

type TextualPart = Exclude<ReplyPart, { type: 'call' }>

type EncodedPart = TextualPart | { type: 'call'; item: JsonObject }

/** Encodes a call; one without a matching item becomes text. */
function encodeCall(part: ReplyPart, { options }: ResponsesContext): EncodedPart {
  if (part.type !== 'call') return part
  const tool = options.tools.declaredAs(part.name)
  const call = { id: newId(itemIds[tool.kind]), callId: part.id, tool }
  if (!isWritten(tool)) {
    const item = builtInCallItem(call, part)
    return item ? { type: 'call', item } : { type: 'text', text: callAsText(part) }
  }
  const written = tool.kind === 'custom' ? customInput(part.arguments) : part.arguments
  return { type: 'call', item: writtenCallItem(call, endStatus(part.complete), written) }
}

/** Returns the parts as the stream shows them: no empty items, and no two of the same type next to each other. */
function joinTexts(parts: readonly EncodedPart[], seals: boolean): EncodedPart[] {
  const isKept = (part: TextualPart): boolean => seals && isClosed(part)
  const joined: EncodedPart[] = []
  for (const part of parts) {
    const last = joined.at(-1)
    if ('item' in part) joined.push(part)
    else if (part.text === '' && !isKept(part)) continue
    else if (last && !('item' in last) && last.type === part.type && formOf(last) === formOf(part) && !isKept(last)) {
      joined[joined.length - 1] = { ...last, ...part, text: last.text + part.text }
    } else joined.push(part)
  }
  return joined
}

async function encodeText(part: TextualPart, isComplete: boolean, { options }: ResponsesContext): Promise<JsonObject> {
  if (part.type === 'text') return messageItem(newId(itemIds.message), endStatus(isComplete), formOf(part), part.text)
  const { sealing } = options
  const isSealed = sealing?.isIncluded || part.opaque !== undefined
  const sealed = isSealed ? await sealing?.seal(envelopeText([part])) : undefined
  // The upstream encrypts only reasoning that has ended.
  const hasEnded = isComplete || part.opaque !== undefined
  return reasoningItem(newId(itemIds.reasoning), options.reasoningForm, part.text || undefined, sealed, hasEnded)
}
