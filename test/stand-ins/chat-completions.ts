import { isJsonObject, type JsonObject, type JsonValue } from '../../src/conversation/index.ts'
import { writeReply } from '../../src/upstreams/scripted/model.ts'
import type { ChatMessage } from '../../src/upstreams/upstream.ts'
import { type StandInAnswer, sse } from './http-stand-in.ts'
import { obey, type Seen, toolOf } from './obedient-model.ts'

export interface ChatOptions {
  /** What of `tool_choice` the server reads: llama-server takes an object for `auto`. */
  readsNamedChoice: boolean
}

/**
 * `POST /v1/chat/completions` as all engines have it. With tools the model does what it is told; without, it follows its prompt, so that
 * a prompt which describes tools gets the calls in the text.
 */
export function chatCompletion(body: JsonObject, { readsNamedChoice }: ChatOptions): StandInAnswer {
  if (!Array.isArray(body.messages)) {
    return { type: 'json', status: 400, body: { error: { code: 400, message: "'messages' is required" } } }
  }
  const messages = body.messages.filter(isJsonObject)
  const tools = (Array.isArray(body.tools) ? body.tools : []).flatMap(toolOf)
  const base = { id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 0, model: body.model ?? '' }
  const chunk = (delta: JsonObject, finish: string | null = null): string =>
    sse({ ...base, choices: [{ index: 0, delta, finish_reason: finish }] })

  const pieces: string[] = [chunk({ role: 'assistant', content: '' })]
  let finish = 'stop'
  if (tools.length === 0) {
    const limit = typeof body.max_tokens === 'number' ? body.max_tokens : Number.POSITIVE_INFINITY
    const tokens = writeReply(messages.map(chatMessage)).match(/\s{0,4}\S{1,6}|\s{1,4}/gu) ?? []
    pieces.push(...tokens.slice(0, limit).map((content) => chunk({ content })))
    if (tokens.length > limit) finish = 'length'
  } else {
    const { text, calls } = obey(seen(messages, tools, body.tool_choice, readsNamedChoice))
    const made = body.parallel_tool_calls === false ? calls.slice(0, 1) : calls
    if (text !== '') pieces.push(chunk({ content: text }))
    if (made.length > 0) finish = 'tool_calls'
    for (const [index, { name, arguments: given }] of made.entries()) {
      const json = JSON.stringify(given)
      const head = { index, id: `call_${index}`, type: 'function', function: { name, arguments: '' } }
      pieces.push(chunk({ tool_calls: [head] }))
      for (const piece of json.match(/[\s\S]{1,5}/g) ?? []) {
        pieces.push(chunk({ tool_calls: [{ index, function: { arguments: piece } }] }))
      }
    }
  }
  pieces.push(chunk({}, finish))
  if (isJsonObject(body.stream_options) && body.stream_options.include_usage === true) {
    const usage = { prompt_tokens: 10, completion_tokens: pieces.length, total_tokens: 10 + pieces.length }
    pieces.push(sse({ ...base, choices: [], usage }))
  }
  return { type: 'stream', pieces: [...pieces, 'data: [DONE]\n\n'] }
}

function seen(
  messages: readonly JsonObject[],
  tools: Seen['tools'],
  choice: JsonValue | undefined,
  readsNamedChoice: boolean,
): Seen {
  const last = messages.findLastIndex(({ role }) => role === 'user')
  const results = messages.slice(last + 1).flatMap((message) => (message.role === 'tool' ? [contentOf(message)] : []))
  const named = isJsonObject(choice) && isJsonObject(choice.function) ? choice.function.name : undefined
  const isNamed = readsNamedChoice && named !== undefined
  return {
    asked: contentOf(messages[last] ?? {}),
    tools: isNamed ? tools.filter(({ name }) => name === named) : choice === 'none' ? [] : tools,
    results,
    isForced: choice === 'required' || isNamed,
  }
}

function chatMessage(message: JsonObject): ChatMessage {
  const role = message.role === 'system' || message.role === 'assistant' ? message.role : 'user'
  return { role, parts: [{ type: 'text', text: contentOf(message) }] }
}

function contentOf({ content }: JsonObject): string {
  if (typeof content === 'string') return content
  const parts = Array.isArray(content) ? content : []
  return parts.map((part) => (isJsonObject(part) && typeof part.text === 'string' ? part.text : '')).join('')
}
