import { isRefusal, type JsonObject, type ReplyCall } from '../../../conversation/index.ts'
import { CustomInput } from '../../openai/custom-input.ts'
import { builtInFields } from '../tools/calls.ts'
import type { DeclaredTool } from '../tools/tool-table.ts'

/** The state of an item: `in_progress` while it is written, `incomplete` if it broke off. */
export type ItemStatus = 'in_progress' | 'completed' | 'incomplete'

/** Returns the state of an item that has ended. */
export function endStatus(isComplete: boolean): ItemStatus {
  return isComplete ? 'completed' : 'incomplete'
}

/** The prefix of the id of each type of item. */
export const itemIds = {
  message: 'msg_',
  reasoning: 'rs_',
  function: 'fc_',
  custom: 'ctc_',
  shell: 'sh_',
  local_shell: 'lsh_',
  apply_patch: 'apc_',
  tool_search: 'tsc_',
  compaction: 'cmp_',
} as const

/** The kind of a message: an answer, or the reason why there is none. */
export type MessageForm = 'text' | 'refusal'

/** Returns the form of the message that has a text of a reply. */
export function formOf(said: { type: string; refusal?: true }): MessageForm {
  return isRefusal(said) ? 'refusal' : 'text'
}

/** Returns an object as JSON, with `text`, which is JSON, in place of its last member, an empty string. */
function endingWith(object: JsonObject, text: string): string {
  return `${JSON.stringify(object).slice(0, -'""}'.length)}${text}}`
}

/** Returns the part of a message. Nobody counts the probabilities of its tokens. */
export function messagePart(form: MessageForm, text: string): JsonObject {
  return form === 'refusal'
    ? { type: 'refusal', refusal: text }
    : { type: 'output_text', annotations: [], logprobs: [], text }
}

/** Returns a message; one without text has just begun. */
export function messageItem(id: string, status: ItemStatus, form: MessageForm, text?: string): JsonObject {
  const content = text === undefined ? [] : [messagePart(form, text)]
  return { id, type: 'message', status, role: 'assistant', content }
}

/** Returns the part of a message as JSON; `text` is JSON too, which is made once for all events that have it. */
export function writtenPart(form: MessageForm, text: string): string {
  return endingWith(messagePart(form, ''), text)
}

/** Returns a message that has been written as JSON, with its one part as JSON. */
export function writtenMessage(id: string, status: ItemStatus, form: MessageForm, part: string): string {
  return `${JSON.stringify(messageItem(id, status, form)).slice(0, -']}'.length)}${part}]}`
}

/** The form of reasoning: a summary if the request asked for one, else the text itself. */
export type ReasoningForm = 'summary' | 'content'

/** Returns the part of a reasoning item. */
export function reasoningPart(form: ReasoningForm, text: string): JsonObject {
  return { type: form === 'summary' ? 'summary_text' : 'reasoning_text', text }
}

/** Returns the part of a reasoning item as JSON; `text` is JSON too. */
export function writtenReasoningPart(form: ReasoningForm, text: string): string {
  return endingWith(reasoningPart(form, ''), text)
}

/**
 * Returns a reasoning item; one without text has just begun. `sealed` is the text for the client to send back. Only reasoning that broke off has a
 * status, as in the answers of OpenAI's API.
 */
export function reasoningItem(
  id: string,
  form: ReasoningForm,
  text?: string,
  sealed?: string,
  isComplete = true,
): JsonObject {
  const parts = text === undefined ? [] : [reasoningPart(form, text)]
  return {
    id,
    type: 'reasoning',
    ...(!isComplete && { status: endStatus(false) }),
    summary: form === 'summary' ? parts : [],
    ...(form === 'content' && { content: parts }),
    ...(sealed !== undefined && { encrypted_content: sealed }),
  }
}

/** The call of a tool, in the form of its item. */
export interface CallOfItem {
  /** The id of the item. */
  id: string
  callId: string
  tool: DeclaredTool
}

/** Returns the item of a call that is written piece by piece: of a function or a custom tool. `written`, its last member, is its arguments or its input. */
export function writtenCallItem({ id, callId, tool }: CallOfItem, status: ItemStatus, written: string): JsonObject {
  const isCustom = tool.kind === 'custom'
  return {
    id,
    type: isCustom ? 'custom_tool_call' : 'function_call',
    status,
    call_id: callId,
    name: tool.name,
    ...(tool.namespace !== undefined && { namespace: tool.namespace }),
    ...(isCustom ? { input: written } : { arguments: written }),
  }
}

/** Returns such an item as JSON; `written` is JSON too. */
export function writtenCall(call: CallOfItem, status: ItemStatus, written: string): string {
  return endingWith(writtenCallItem(call, status, ''), written)
}

/** Returns the item of a call with its own fields; undefined if it broke off or its arguments do not fit. */
export function builtInCallItem({ id, callId, tool }: CallOfItem, call: CompleteOrBroken): JsonObject | undefined {
  const { kind } = tool
  if (!call.complete || kind === 'function' || kind === 'custom') return undefined
  const fields = builtInFields(kind, call.arguments)
  return fields && { id, status: 'completed', call_id: callId, ...fields }
}

type CompleteOrBroken = Pick<ReplyCall, 'complete' | 'arguments'>

/** True for a tool whose calls go out as they are written. The others have structured items, which go out whole. */
export function isWritten({ kind }: DeclaredTool): boolean {
  return kind === 'function' || kind === 'custom'
}

/** Returns the whole input of a custom tool. */
export function customInput(json: string): string {
  return new CustomInput().push(json)
}
