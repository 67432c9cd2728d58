import { AnycallError, type Conversation, type Notice } from '../conversation/index.ts'
import { decodeHistory as decodeAnthropic } from '../protocols/anthropic/index.ts'
import type { DecodedRequest } from '../protocols/index.ts'
import { decodeHistory as decodeOpenAI } from '../protocols/openai-chat/index.ts'
import { HistoryError } from './history-error.ts'

/**
 * The fields of a request that a history has. Only `messages` is required; other fields of the API (`system`, `tool_choice`,
 * `temperature`, and so on) are read as the API reads them.
 */
export interface HistoryInput {
  messages: readonly object[]
  tools?: readonly object[] | null | undefined
  model?: string | undefined
}

/** The result of a `safe…` function: the conversation with notices of omissions and changes, or the error. */
export type HistoryResult = { type: 'conversation'; conversation: Conversation; notices: Notice[] } | HistoryError

/**
 * Returns the conversation of messages and tools of OpenAI's Chat Completions API. The fields are those of a request; a model is not
 * required. Throws a HistoryError with the path of the wrong field in `param`.
 *
 * @example
 * const conversation = fromOpenAI({
 *   messages: [{ role: 'user', content: 'Weather in Paris?' }],
 *   tools: [{ type: 'function', function: { name: 'get_weather', parameters: { type: 'object' } } }],
 * })
 */
export function fromOpenAI(history: HistoryInput): Conversation {
  return conversationOf(safeFromOpenAI(history))
}

/**
 * Returns the conversation of messages, system text and tools of Anthropic's Messages API. The fields are those of a request; a model is
 * not required. Throws a HistoryError with the path of the wrong field in `param`.
 *
 * @example
 * const conversation = fromAnthropic({
 *   system: 'Answer briefly.',
 *   messages: [{ role: 'user', content: 'Weather in Paris?' }],
 *   tools: [{ name: 'get_weather', input_schema: { type: 'object' } }],
 * })
 */
export function fromAnthropic(history: HistoryInput & { system?: unknown }): Conversation {
  return conversationOf(safeFromAnthropic(history))
}

/**
 * Returns the conversation of messages of OpenAI's Chat Completions API with notices of omissions and changes, or the
 * HistoryError. The value may come from outside: nothing about it is trusted.
 *
 * @example
 * const read = safeFromOpenAI(await request.json())
 * if (read.type === 'error') console.error(read.param, read.message)
 * else console.log(read.conversation.turns.length, read.notices)
 */
export function safeFromOpenAI(history: unknown): HistoryResult {
  return resultOf(() => decodeOpenAI(history))
}

/**
 * Returns the conversation of messages of Anthropic's Messages API with notices of omissions and changes, or the
 * HistoryError. The value may come from outside: nothing about it is trusted.
 *
 * @example
 * const read = safeFromAnthropic(await request.json())
 * if (read.type === 'error') console.error(read.param, read.message)
 * else console.log(read.conversation.turns.length, read.notices)
 */
export function safeFromAnthropic(history: unknown): HistoryResult {
  return resultOf(() => decodeAnthropic(history))
}

function resultOf(decode: () => DecodedRequest): HistoryResult {
  try {
    const { conversation, notices } = decode()
    return { type: 'conversation', conversation, notices }
  } catch (error) {
    if (!AnycallError.isInstance(error)) throw error
    return new HistoryError(error)
  }
}

function conversationOf(result: HistoryResult): Conversation {
  if (result.type === 'error') throw result
  return result.conversation
}
