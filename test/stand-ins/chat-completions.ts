import { isJsonObject, type JsonObject } from '../../src/conversation/index.ts'
import { json, type StandInAnswer, sse } from './http-stand-in.ts'
import { contentText, replyTo, type SeenChat, type SeenMessage, TokenLimit } from './obedient-chat.ts'
import { toolOf } from './obedient-model.ts'

export interface ChatOptions {
  /** True if the server reads an object as `tool_choice`: llama-server takes one for `auto`. */
  readsNamedChoice: boolean
}

/** `POST /v1/chat/completions` in the form of all engines, answered by the obedient model. */
export function chatCompletion(body: JsonObject, { readsNamedChoice }: ChatOptions): StandInAnswer {
  if (!Array.isArray(body.messages)) return json({ error: { code: 400, message: "'messages' is required" } }, 400)
  const base = { id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 0, model: body.model ?? '' }
  const chunk = (delta: JsonObject, finish: string | null = null): string =>
    sse({ ...base, choices: [{ index: 0, delta, finish_reason: finish }] })

  const limit = new TokenLimit(body.max_completion_tokens ?? body.max_tokens)
  const { text, calls } = replyTo(chatOf(body, readsNamedChoice))
  const pieces = [chunk({ role: 'assistant', content: '' }), ...limit.take(text).map((content) => chunk({ content }))]
  for (const [index, { name, arguments: given }] of calls.entries()) {
    if (limit.isMet) break
    const head = { index, id: `call_${index}`, type: 'function', function: { name, arguments: '' } }
    pieces.push(chunk({ tool_calls: [head] }))
    for (const piece of limit.take(JSON.stringify(given))) {
      pieces.push(chunk({ tool_calls: [{ index, function: { arguments: piece } }] }))
    }
  }
  pieces.push(chunk({}, limit.isMet ? 'length' : calls.length > 0 ? 'tool_calls' : 'stop'))
  if (isJsonObject(body.stream_options) && body.stream_options.include_usage === true) {
    const usage = { prompt_tokens: 10, completion_tokens: limit.used, total_tokens: 10 + limit.used }
    pieces.push(sse({ ...base, choices: [], usage }))
  }
  return { type: 'stream', pieces: [...pieces, 'data: [DONE]\n\n'] }
}

function chatOf(body: JsonObject, readsNamedChoice: boolean): SeenChat {
  const { tool_choice: choice, parallel_tool_calls: parallel } = body
  const tools = (Array.isArray(body.tools) ? body.tools : []).flatMap(toolOf)
  const named = isJsonObject(choice) && isJsonObject(choice.function) ? choice.function.name : undefined
  const isNamed = readsNamedChoice && named !== undefined
  return {
    messages: (Array.isArray(body.messages) ? body.messages : []).filter(isJsonObject).map(readMessage),
    tools:
      tools.length === 0
        ? undefined
        : choice === 'none'
          ? []
          : isNamed
            ? tools.filter(({ name }) => name === named)
            : tools,
    isForced: choice === 'required' || isNamed,
    isSingle: parallel === false,
  }
}

function readMessage({ role, content }: JsonObject): SeenMessage {
  const text = contentText(content)
  if (role === 'tool') return { role: 'user', text, results: [text] }
  return { role: role === 'system' || role === 'assistant' ? role : 'user', text }
}
