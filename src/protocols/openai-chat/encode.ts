import type { FinishReason, JsonObject, JsonValue, Reply } from '../../conversation/index.ts'
import type { ReplyContext } from '../protocol.ts'
import type { OpenAIChatOptions } from './decode.ts'
import { charactersOf, encodeUsage } from './usage.ts'

export const finishReasons: Readonly<Record<FinishReason, string>> = {
  stop: 'stop',
  calls: 'tool_calls',
  length: 'length',
  'stop-sequence': 'stop',
  'content-filter': 'content_filter',
}

/** A whole reply as a `chat.completion`. */
export function encodeReply(reply: Reply, context: ReplyContext<OpenAIChatOptions>): JsonValue {
  return {
    id: context.id,
    object: 'chat.completion',
    created: context.created,
    model: context.model,
    choices: [
      {
        index: 0,
        message: encodeMessage(reply),
        logprobs: null,
        finish_reason: finishReasons[reply.finish.reason],
      },
    ],
    usage: encodeUsage(
      reply.finish.usage,
      context,
      reply.parts.reduce((sum, part) => sum + charactersOf(part), 0),
    ),
  }
}

/**
 * The assistant message. It has one place for each kind of part, so texts before and after calls are joined. The
 * arguments of a call that broke off are given open, as they are; the finish reason says that the reply was cut.
 */
function encodeMessage(reply: Reply): JsonObject {
  let content = ''
  let reasoning = ''
  const calls: JsonObject[] = []
  for (const part of reply.parts) {
    if (part.type === 'text') content += part.text
    else if (part.type === 'reasoning') reasoning += part.text
    else calls.push({ id: part.id, type: 'function', function: { name: part.name, arguments: part.arguments } })
  }
  return {
    role: 'assistant',
    content: content === '' && calls.length > 0 ? null : content,
    refusal: null,
    ...(reasoning === '' ? {} : { reasoning_content: reasoning }),
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
  }
}
