import { type JsonObject, RecentMap } from '../../conversation/index.ts'
import type { HttpApi } from '../http/api.ts'
import type { WireFormat } from '../http/wire-format.ts'
import { LearnedLimits } from '../refusals/learned-limits.ts'
import type { ChatPart } from '../refusals/refusals.ts'
import { RequestLimits } from '../refusals/request-limits.ts'
import { chatName, ToolNames } from '../tool-names.ts'
import type { GenerationContext, MessagesRequest, ToolsRequest, UpstreamEvent } from '../upstream.ts'
import { chatFormat } from './chunk.ts'
import { hasPart, type ReasoningField } from './parts.ts'
import { type ChatFields, encodeChatRequest } from './request.ts'

export interface ChatEndpoint extends Partial<ChatFields> {
  /** The path of the endpoint in the API. */
  path: string
}

/** Starts a chat completion. */
export type ChatGeneration = (
  request: MessagesRequest | ToolsRequest,
  context: GenerationContext,
) => Promise<AsyncIterable<UpstreamEvent[]>>

/** Returns the chat completions of a server with OpenAI's API. Created once for each upstream. */
export function chatGeneration(api: HttpApi, { path, ...more }: ChatEndpoint): ChatGeneration {
  const fields: ChatFields = {
    maxTokensField: 'max_tokens',
    takesTemplateVariables: false,
    formatForbidsCalls: false,
    ...more,
  }
  const learned = new LearnedLimits<ChatPart>()
  /** By model: the field in which it gave its reasoning, in which it takes it back. */
  const reasoningFields = new RecentMap<string, ReasoningField>()

  return (request, context) => {
    const { model } = request
    // Without a limit, the reply ends at the end of the context (Claude Code always allows 32000 tokens).
    const limits = new RequestLimits({
      api: 'chat',
      upstream: api.name,
      model,
      learned,
      log: context.log,
      isBoundOptional: true,
    })
    /** The tools' names if they must be others. */
    const names = (): ToolNames | undefined =>
      request.type === 'tools' && limits.refused.has('unfit-names')
        ? new ToolNames(request.conversation, chatName)
        : undefined
    const body = (): JsonObject =>
      encodeChatRequest(request, fields, {
        refused: limits.refused,
        reasoningField: reasoningFields.get(model) ?? 'reasoning_content',
        ...(request.maxTokens !== undefined && { maxTokens: limits.bound(request.maxTokens) }),
        names: names(),
      })
    const reduce = (sent: JsonObject, status: number, text: string): JsonObject | undefined => {
      const refused = {
        maxTokens: sent.max_tokens ?? sent.max_completion_tokens,
        isIn: (part: ChatPart) => hasPart(sent, part),
      }
      return limits.learn(refused, status, text) ? body() : undefined
    }
    const before = (): UpstreamEvent[] => {
      limits.keep()
      return []
    }
    const format = (): WireFormat => {
      const sent = names()
      return chatFormat({
        sawReasoning: (field) => void reasoningFields.set(model, field),
        ...(sent && { toolName: (name: string) => sent.original(name) }),
      })
    }
    return api.stream({ path, body, format, reduce, before }, context)
  }
}
