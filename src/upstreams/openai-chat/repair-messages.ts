import { isJsonObject, type JsonObject, type JsonValue, shortId } from '../../conversation/index.ts'
import type { RepairablePart } from '../refusals/refusals.ts'
import { isChatName, type ToolNames } from '../tool-names.ts'

/** True if the messages of a body give reason for a refusal that can be repaired. */
export function needsRepair(body: JsonObject, part: Exclude<RepairablePart, 'thinking-on'>): boolean {
  const { messages } = body
  if (!Array.isArray(messages)) return false
  switch (part) {
    case 'user-after-result':
      return messages.some((_, at) => isAfterResult(messages, at))
    case 'missing-reasoning':
      return messages.some(lacksReasoning)
    case 'missing-signature':
      return messages.some((message) => callsOf(message).some(lacksSignature))
    case 'unfit-ids':
      return messages.some((message) => callsOf(message).some(({ id }) => typeof id === 'string' && !isFitId(id)))
    case 'unfit-names':
      return functionsOf(body).some(({ name }) => typeof name === 'string' && !isChatName(name))
  }
}

export interface MessageRepair {
  /** The parts that the model was seen to refuse. */
  refused: ReadonlySet<string>
  /** False if the client wants no reasoning. */
  mayThink: boolean
  /** The tools' names as they are to be sent; undefined: as they are. */
  names: ToolNames | undefined
}

/** Repairs in place the parts of a body that its model was seen to refuse. The caller must own the body. */
export function repair(body: JsonObject, { refused, mayThink, names }: MessageRepair): void {
  if (!Array.isArray(body.messages)) return
  if (names) {
    for (const one of functionsOf(body)) if (typeof one.name === 'string') one.name = names.sent(one.name)
  }
  if (refused.has('unfit-ids')) body.messages = body.messages.map(withFitIds)
  if (refused.has('missing-reasoning') && body.messages.some(lacksReasoning)) {
    if (mayThink && !refused.has('thinking-on')) body.messages = body.messages.map(withReasoning)
    else {
      body.thinking = { type: 'disabled' }
      delete body.reasoning_effort
    }
  }
  if (refused.has('missing-signature')) body.messages = body.messages.map(withSignatures)
  if (refused.has('user-after-result')) body.messages = withUsersInResults(body.messages)
}

function lacksReasoning(message: JsonValue): boolean {
  return isJsonObject(message) && message.role === 'assistant' && message.reasoning_content === undefined
}

/** An empty text counts as missing (Kimi). */
function withReasoning(message: JsonValue): JsonValue {
  return lacksReasoning(message) && isJsonObject(message) ? { ...message, reasoning_content: ' ' } : message
}

function callsOf(message: JsonValue | undefined): JsonObject[] {
  const calls = isJsonObject(message) ? message.tool_calls : undefined
  return Array.isArray(calls) ? calls.filter(isJsonObject) : []
}

/** The functions in a body: its tools, the one in its tool choice, and those of earlier calls. */
function functionsOf({ tools, tool_choice, messages }: JsonObject): JsonObject[] {
  const holders = [tools, tool_choice, Array.isArray(messages) ? messages.flatMap(callsOf) : []].flat()
  return holders.flatMap((one) => (isJsonObject(one) && isJsonObject(one.function) ? [one.function] : []))
}

function isFitId(id: string): boolean {
  return shortId(id) === id
}

function fitId(id: JsonValue | undefined): JsonValue | undefined {
  return typeof id === 'string' ? shortId(id) : id
}

function withFitIds(message: JsonValue): JsonValue {
  if (!isJsonObject(message)) return message
  if (message.role === 'tool') return { ...message, tool_call_id: fitId(message.tool_call_id) }
  const calls = callsOf(message)
  return calls.length === 0
    ? message
    : { ...message, tool_calls: calls.map((call) => ({ ...call, id: fitId(call.id) })) }
}

function lacksSignature(call: JsonObject): boolean {
  return call.extra_content === undefined
}

/** Google documents this value for calls from other models and for calls with lost signatures. */
const anySignature = { google: { thought_signature: 'skip_thought_signature_validator' } }

function withSignatures(message: JsonValue): JsonValue {
  const calls = callsOf(message)
  if (calls.length === 0 || !isJsonObject(message)) return message
  return { ...message, tool_calls: calls.map((call) => ({ ...call, extra_content: anySignature })) }
}

/** True if a user's message is right after the result of a call. */
function isAfterResult(messages: readonly JsonValue[], at: number): boolean {
  const [before, message] = [messages[at - 1], messages[at]]
  return isJsonObject(before) && before.role === 'tool' && isJsonObject(message) && message.role === 'user'
}

/** Moves a user's message that is right after a result, such as an agent's reminder, into the result: nothing may come between it and the model. */
function withUsersInResults(messages: readonly JsonValue[]): JsonValue[] {
  return messages.flatMap((message, at): JsonValue[] => {
    if (isAfterResult(messages, at) && typeof contentOf(message) === 'string') return []
    const [content, next] = [contentOf(message), contentOf(messages[at + 1])]
    const isFollowed = isAfterResult(messages, at + 1) && typeof content === 'string' && typeof next === 'string'
    return [isFollowed && isJsonObject(message) ? { ...message, content: `${content}\n\n${next}` } : message]
  })
}

function contentOf(message: JsonValue | undefined): JsonValue | undefined {
  return isJsonObject(message) ? message.content : undefined
}
