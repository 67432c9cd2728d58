import type { JsonObject } from '../conversation/index.ts'
import { readContextOverflow } from './context-length.ts'
import type { HttpApi } from './http-api.ts'
import { chatFormat } from './openai-chat-chunk.ts'
import { encodeChatRequest, type MaxTokensField } from './openai-chat-request.ts'
import type { GenerationContext, MessagesRequest, ToolsRequest, UpstreamEvent } from './upstream.ts'
import { readErrorText } from './upstream-error.ts'

export interface ChatEndpoint {
  /** The path of the endpoint in the API. */
  path: string
  maxTokensField?: MaxTokensField
}

/** Starts a chat completion. */
export type ChatGeneration = (
  request: MessagesRequest | ToolsRequest,
  context: GenerationContext,
) => Promise<AsyncIterable<UpstreamEvent[]>>

/** Chat completions of a server that speaks OpenAI's API, whatever else it has; made once for each upstream. */
export function chatGeneration(api: HttpApi, { path, maxTokensField = 'max_tokens' }: ChatEndpoint): ChatGeneration {
  /** False once the server has refused to be asked for usage. */
  let asksForUsage = true

  function spare(body: JsonObject, status: number, text: string, context: GenerationContext): JsonObject | undefined {
    if (status !== 400 && status !== 422) return undefined
    const { stream_options: usage, [maxTokensField]: maxTokens, ...rest } = body
    if (usage !== undefined && text.includes('stream_options')) {
      asksForUsage = false
      context.log('info', 'upstream.no-usage', { upstream: api.name, status })
      return maxTokens === undefined ? rest : { ...rest, [maxTokensField]: maxTokens }
    }
    // The reply may be longer than the room that the prompt leaves (Claude Code always allows 32000 tokens): without a
    // bound of its own the reply ends where the context does, which comes to the same.
    if (
      maxTokens !== undefined &&
      readContextOverflow(`${readErrorText(text)}\n${text}`)?.type === 'prompt-and-output'
    ) {
      context.log('info', 'upstream.max-tokens-dropped', { upstream: api.name, maxTokens })
      return usage === undefined ? rest : { ...rest, stream_options: usage }
    }
    return undefined
  }

  return (request, context) => {
    const encoded = encodeChatRequest(request, maxTokensField)
    const { stream_options: _, ...plain } = encoded
    return api.stream(
      {
        path,
        body: () => (asksForUsage ? encoded : plain),
        format: () => chatFormat({ takesCalls: request.type === 'tools' }),
        spare: (body, status, text) => spare(body, status, text, context),
      },
      context,
    )
  }
}
