import { isJsonObject, type JsonObject } from '../../src/conversation/index.ts'
import type { AnthropicBlock, AnthropicPlay } from './anthropic-server.ts'
import { contentText, replyTo, type SeenChat, type SeenMessage, TokenLimit } from './obedient-chat.ts'

/** Returns the answer of an obedient model to a request of the Messages API. */
export function followAnthropic(body: JsonObject): AnthropicPlay {
  const limit = new TokenLimit(body.max_tokens)
  const blocks: AnthropicBlock[] = []
  const { text, calls } = replyTo(chatOf(body))
  const thinks = isJsonObject(body.thinking) && body.thinking.type !== 'disabled'
  if (thinks) blocks.push({ type: 'thinking', pieces: limit.take('I do what I am told.') })
  if (text !== '' && !limit.isMet) blocks.push({ type: 'text', pieces: limit.take(text) })
  for (const [index, { name, arguments: given }] of calls.entries()) {
    if (limit.isMet) break
    // A call without arguments comes without a piece of them.
    const pieces = Object.keys(given).length === 0 ? [] : limit.take(JSON.stringify(given))
    blocks.push({ type: 'tool_use', id: `toolu_0${index}`, name, pieces })
  }
  return { type: 'message', blocks, outputTokens: limit.used, ...(limit.isMet && { stopReason: 'max_tokens' }) }
}

function chatOf({ system, messages, tools, tool_choice: choice }: JsonObject): SeenChat {
  const offered = (Array.isArray(tools) ? tools : []).filter(isJsonObject).map(({ name, input_schema: schema }) => {
    return { name: String(name), parameters: isJsonObject(schema) ? schema : {} }
  })
  const { type, name, disable_parallel_tool_use: isSingle }: JsonObject = isJsonObject(choice) ? choice : {}
  const callable = type === 'none' ? [] : type === 'tool' ? offered.filter((tool) => tool.name === name) : offered
  const chat = (Array.isArray(messages) ? messages : []).filter(isJsonObject).map(readMessage)
  return {
    messages: system === undefined ? chat : [{ role: 'system', text: contentText(system) }, ...chat],
    tools: offered.length === 0 ? undefined : callable,
    isForced: type === 'any' || type === 'tool',
    isSingle: isSingle === true,
  }
}

function readMessage({ role, content }: JsonObject): SeenMessage {
  const blocks: JsonObject[] = Array.isArray(content) ? content.filter(isJsonObject) : []
  const results = blocks.flatMap((block) => (block.type === 'tool_result' ? [contentText(block.content)] : []))
  return { role: role === 'assistant' ? role : 'user', text: contentText(content), results }
}
