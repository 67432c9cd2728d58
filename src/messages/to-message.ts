import type { AssistantTurn, Reply, ReplyPart } from '../conversation/index.ts'
import type { ParsedReply } from '../dialects/index.ts'
import {
  type AssistantMessage as AnthropicMessage,
  encodeAssistant as toAnthropicParts,
} from '../protocols/anthropic/index.ts'
import { settledParts } from '../protocols/index.ts'
import {
  type AssistantMessage as OpenAIMessage,
  encodeAssistant as toOpenAIParts,
} from '../protocols/openai-chat/index.ts'

/** A whole reply, as returned by `collectReply` or `parseToolCalls`. */
export type AnyReply = Pick<Reply, 'parts'> | Pick<ParsedReply, 'calls' | 'incomplete' | 'text' | 'reasoning'>

const onlyFunctions = { functionCall: false, customTools: new Set<string>() }

/**
 * Returns a reply as the assistant's message of OpenAI's Chat Completions API, to append to the history. A call that broke off is text,
 * as no result will answer it.
 *
 * @example
 * messages.push(toOpenAIMessage(reply))
 */
export function toOpenAIMessage(reply: AnyReply): OpenAIMessage {
  return toOpenAIParts(partsOf(reply), onlyFunctions)
}

/**
 * Returns a reply as the assistant's message of Anthropic's Messages API, to append to the history. A call that broke off is text, as no
 * result will answer it.
 *
 * @example
 * messages.push(toAnthropicMessage(reply))
 */
export function toAnthropicMessage(reply: AnyReply): AnthropicMessage {
  return toAnthropicParts(partsOf(reply))
}

/**
 * Returns a reply as the assistant's turn of a conversation, to append to its `turns`. A call that broke off is text, as no result will
 * answer it.
 *
 * @example
 * conversation.turns.push(toAssistantTurn(reply))
 */
export function toAssistantTurn(reply: AnyReply): AssistantTurn {
  const parts = partsOf(reply).map((part): AssistantTurn['parts'][number] => {
    if (part.type !== 'call') return part
    const { type, id, name, arguments: json } = part
    return { type, id, name, arguments: json }
  })
  return { role: 'assistant', parts }
}

/** Returns the parts of a reply. What `parseToolCalls` returns has no order: reasoning, text and calls. */
function partsOf(reply: AnyReply): ReplyPart[] {
  if ('parts' in reply) return settledParts(reply.parts)
  const { calls, incomplete, text, reasoning } = reply
  const parts: ReplyPart[] = [
    { type: 'reasoning', text: reasoning },
    { type: 'text', text },
    ...calls.map(({ id, name, json }) => ({ type: 'call', id, name, arguments: json, complete: true }) as const),
    ...incomplete.map(({ id, name, json }) => ({ type: 'call', id, name, arguments: json, complete: false }) as const),
  ]
  return settledParts(parts.filter((part) => part.type === 'call' || part.text !== ''))
}
