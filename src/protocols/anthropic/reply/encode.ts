import {
  type FinishEvent,
  type FinishReason,
  isClosed,
  isRefusal,
  type JsonObject,
  type Reply,
  type ReplyCall,
  type ReplyPart,
} from '../../../conversation/index.ts'
import { begunParts, callAsText } from '../../begun-calls.ts'
import type { ReplyContext } from '../../protocol.ts'
import { parseArguments } from '../../whole-calls.ts'
import type { AnthropicOptions } from '../request/decode.ts'
import { encodeFinalUsage } from './usage.ts'

const stopReasons: Readonly<Record<FinishReason, string>> = {
  stop: 'end_turn',
  calls: 'tool_use',
  length: 'max_tokens',
  'stop-sequence': 'stop_sequence',
  'content-filter': 'refusal',
}

/**
 * The signature of every thinking block. The API signs each block to verify it later; clients such as Claude Code only store
 * it and send it back, and nothing verifies it here, so one constant serves for all.
 */
export const thinkingSignature = 'YW55Y2FsbA=='

/** Encodes a whole reply as the body of a JSON response. */
export function encodeReply(reply: Reply, context: ReplyContext<AnthropicOptions>): JsonObject {
  const parts = begunParts(reply.parts)
  const { content } = encodeAssistant(parts)
  const usage = encodeFinalUsage(reply.finish, context, countCharacters(parts))
  return encodeMessage(context, content, encodeStop(reply.finish, parts.some(isRefusal)), usage)
}

// Aliases and no interfaces: bodies are JSON objects, to which TypeScript assigns aliases alone.

/** The assistant's message, as a history has it. */
export type AssistantMessage = { role: 'assistant'; content: EncodedBlock[] }

type EncodedBlock =
  | { type: 'text'; text: string }
  | { type: 'thinking'; thinking: string; signature: string }
  | { type: 'tool_use'; id: string; name: string; input: JsonObject }

/** Encodes the parts of a reply. */
export function encodeAssistant(parts: readonly ReplyPart[]): AssistantMessage {
  return { role: 'assistant', content: shownParts(parts).map(encodePart) }
}

/** Encodes a message, whole or about to begin. */
export function encodeMessage(
  context: ReplyContext<AnthropicOptions>,
  content: JsonObject[],
  stop: JsonObject,
  usage: JsonObject,
): JsonObject {
  return {
    id: context.id,
    type: 'message',
    role: 'assistant',
    model: context.model,
    content: content.map(asReplyBlock),
    ...stop,
    diagnostics: null,
    usage,
  }
}

/** Returns a block with the members that the API's schema requires of a reply's blocks; in a history they may be absent. */
export function asReplyBlock(block: JsonObject): JsonObject {
  // A list or null; AI SDK 6 takes no null.
  const { type, text = '', id = '', name = '', input = {} } = block
  // Written out: V8 takes 6 us for each member that is added to a copy.
  if (type === 'text') return { type, text, citations: [] }
  return type === 'tool_use' ? { type, id, name, input, caller: { type: 'direct' } } : block
}

/**
 * Encodes the reason why the reply ended; null values if it has not. `isRefused`: the reply has words instead of the
 * requested JSON, which the API reports like a refusal of the model.
 */
export function encodeStop(finish: FinishEvent | undefined, isRefused: boolean = false): JsonObject {
  const isOwnEnd = finish?.reason === 'stop'
  return {
    stop_reason:
      finish === undefined ? null : isOwnEnd && isRefused ? stopReasons['content-filter'] : stopReasons[finish.reason],
    stop_sequence: finish?.stopSequence ?? null,
    stop_details: null,
    container: null,
  }
}

/** Returns the parts as the stream shows them: no empty blocks, and so no two texts next to each other. */
function shownParts(parts: readonly ReplyPart[]): ReplyPart[] {
  const shown: ReplyPart[] = []
  for (const part of parts) {
    if (part.type === 'call') {
      shown.push(part)
      continue
    }
    if (part.text === '' && !isSealed(part)) continue
    const last = shown.at(-1)
    if (last?.type === part.type && !isClosed(last))
      shown[shown.length - 1] = { ...last, ...part, text: last.text + part.text }
    else shown.push(part)
  }
  return shown
}

/** True for reasoning that the client keeps in the signature, even if it has no words. */
function isSealed(part: ReplyPart): boolean {
  return part.type === 'reasoning' && part.sealed !== undefined
}

function encodePart(part: ReplyPart): EncodedBlock {
  switch (part.type) {
    case 'text':
      return { type: 'text', text: part.text }
    case 'reasoning':
      return { type: 'thinking', thinking: part.text, signature: part.sealed ?? thinkingSignature }
    case 'call':
      return encodeCall(part)
  }
}

function encodeCall(call: ReplyCall): EncodedBlock {
  const input = call.complete ? parseArguments(call.arguments) : undefined
  // A whole body has no open JSON. Closing it would invent a call that the model did not make, so it becomes text.
  if (input === undefined) return { type: 'text', text: callAsText(call) }
  return { type: 'tool_use', id: call.id, name: call.name, input }
}

function countCharacters(parts: readonly ReplyPart[]): number {
  let count = 0
  for (const part of parts) count += part.type === 'call' ? part.name.length + part.arguments.length : part.text.length
  return count
}
