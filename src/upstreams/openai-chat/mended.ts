import { isJsonObject, type JsonObject, type JsonValue, shortId } from '../../conversation/index.ts'
import { isChatName, type ToolNames } from '../tool-names.ts'

/**
 * What of a conversation some servers refuse as it stands:
 * - `user-behind-result`: what a user says right behind the result of a call (Mistral).
 * - `missing-reasoning`: a message of the assistant without its reasoning, where the model thinks (DeepSeek V4, Kimi K2.5). Clients of
 *   OpenAI's standard do not send it back.
 * - `thinking-on`: the same, where a stand-in for the reasoning is refused.
 * - `missing-signature`: a call without Gemini 3's signature of what it thought, which no client carries.
 * - `unfit-ids`: ids of calls that are not nine letters and digits (Mistral), or too long: those of another server, or anycall's own.
 * - `unfit-names`: names of tools of more than 64 characters, or with others than letters, digits, `_` and `-`: MCP's.
 */
export type Mendable =
  | 'user-behind-result'
  | 'missing-reasoning'
  | 'thinking-on'
  | 'missing-signature'
  | 'unfit-ids'
  | 'unfit-names'

/** Whether the messages of a body give reason for a refusal that can be mended. */
export function lacks(body: JsonObject, what: Exclude<Mendable, 'thinking-on'>): boolean {
  const { messages } = body
  if (!Array.isArray(messages)) return false
  switch (what) {
    case 'user-behind-result':
      return messages.some((_, at) => isBehindResult(messages, at))
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

export interface Mending {
  /** What the model was seen to refuse. */
  refused: ReadonlySet<string>
  /** False where the client wants no reasoning. */
  mayThink: boolean
  /** The tools' names as they are to be sent, where they are others. */
  names: ToolNames | undefined
}

/** Mends in a body, which nobody else has, what its model was seen to refuse. */
export function mend(body: JsonObject, { refused, mayThink, names }: Mending): void {
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
  if (refused.has('user-behind-result')) body.messages = saidInResults(body.messages)
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

/** The functions that a body names: its tools, the one that must be called, and those that were. */
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

/** What Google documents for calls that Gemini did not make, or whose signatures are lost. */
const anySignature = { google: { thought_signature: 'skip_thought_signature_validator' } }

function withSignatures(message: JsonValue): JsonValue {
  const calls = callsOf(message)
  if (calls.length === 0 || !isJsonObject(message)) return message
  return { ...message, tool_calls: calls.map((call) => ({ ...call, extra_content: anySignature })) }
}

/** True where a user's message stands right behind the result of a call. */
function isBehindResult(messages: readonly JsonValue[], at: number): boolean {
  const [before, message] = [messages[at - 1], messages[at]]
  return isJsonObject(before) && before.role === 'tool' && isJsonObject(message) && message.role === 'user'
}

/** What a user says right behind a result, as agents' reminders stand there, as a part of that: nothing else may come between it and the model. */
function saidInResults(messages: readonly JsonValue[]): JsonValue[] {
  return messages.flatMap((message, at): JsonValue[] => {
    if (isBehindResult(messages, at) && typeof contentOf(message) === 'string') return []
    const [content, next] = [contentOf(message), contentOf(messages[at + 1])]
    const isFollowed = isBehindResult(messages, at + 1) && typeof content === 'string' && typeof next === 'string'
    return [isFollowed && isJsonObject(message) ? { ...message, content: `${content}\n\n${next}` } : message]
  })
}

function contentOf(message: JsonValue | undefined): JsonValue | undefined {
  return isJsonObject(message) ? message.content : undefined
}
