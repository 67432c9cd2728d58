import type { JsonObject } from '../../conversation/index.ts'
import type { HttpApi } from '../http/api.ts'
import { readContextOverflow } from '../http/context-length.ts'
import { readErrorText } from '../http/error-text.ts'
import { readOutputLimit } from '../http/output-limit.ts'
import type { WireFormat } from '../http/wire-format.ts'
import { chatName, ToolNames } from '../tool-names.ts'
import type { GenerationContext, MessagesRequest, ToolsRequest, UpstreamEvent } from '../upstream.ts'
import { chatFormat } from './chunk.ts'
import { type ChatManners, KnownManners } from './manners.ts'
import { maxTokensFields, type Refusable, refusedPart } from './refusals.ts'
import { type ChatFields, encodeChatRequest } from './request.ts'

/** Mostly 400 and 422; llama-server and oMLX answer 500 where a chat template refuses the conversation, mlx-lm 404. */
const refusalStatuses: ReadonlySet<number> = new Set([400, 404, 422, 500])

export interface ChatEndpoint extends Partial<ChatFields> {
  /** The path of the endpoint in the API. */
  path: string
}

/** Starts a chat completion. */
export type ChatGeneration = (
  request: MessagesRequest | ToolsRequest,
  context: GenerationContext,
) => Promise<AsyncIterable<UpstreamEvent[]>>

/** Chat completions of a server that speaks OpenAI's API, whatever else it has; made once for each upstream. */
export function chatGeneration(api: HttpApi, { path, ...more }: ChatEndpoint): ChatGeneration {
  const fields: ChatFields = { maxTokensField: 'max_tokens', takesTemplateVariables: false, ...more }
  const manners = new KnownManners()

  return (request, context) => {
    const { model } = request
    /** What was refused of this request. */
    const refused = new Set<Refusable>()
    let mostTokens = Number.POSITIVE_INFINITY
    let isBounded = true

    const learned = (): ChatManners => {
      const spared = isBounded ? refused : new Set([...refused, ...maxTokensFields])
      return manners.of(model, { refused: spared, mostTokens })
    }
    /** The tools' names where they must be others. */
    const names = (): ToolNames | undefined =>
      request.type === 'tools' && learned().refused.has('unfit-names')
        ? new ToolNames(request.conversation, chatName)
        : undefined
    const body = (): JsonObject => encodeChatRequest(request, fields, learned(), names())
    const spare = (sent: JsonObject, status: number, text: string): JsonObject | undefined => {
      if (!refusalStatuses.has(status)) return undefined
      const said = readErrorText(text)
      // The reply may be longer than the room that the prompt leaves (Claude Code always allows 32000 tokens): without a
      // bound of its own the reply ends where the context does, which comes to the same.
      const maxTokens = sent.max_tokens ?? sent.max_completion_tokens
      if (maxTokens !== undefined && readContextOverflow(said, text)?.type === 'prompt-and-output') {
        isBounded = false
        context.log('info', 'upstream.max-tokens-dropped', { upstream: api.name, maxTokens })
        return body()
      }
      const most = readOutputLimit(said)
      if (most !== undefined && most > 0 && most < Number(maxTokens)) {
        mostTokens = most
        context.log('info', 'upstream.max-tokens-lowered', { upstream: api.name, model, maxTokens: most })
        return body()
      }
      const part = refusedPart(sent, said)
      if (part === undefined || refused.has(part)) return undefined
      refused.add(part)
      context.log('info', 'upstream.refused', { upstream: api.name, model, part })
      return body()
    }
    // Only now it is known that the refusals were read right.
    const before = (): UpstreamEvent[] => {
      manners.learn(model, { refused, mostTokens })
      return []
    }
    const format = (): WireFormat => {
      const sent = names()
      return chatFormat({
        sawReasoning: (field) => manners.reasonsIn(model, field),
        ...(sent && { toolName: (name: string) => sent.original(name) }),
      })
    }
    return api.stream({ path, body, format, spare, before }, context)
  }
}
