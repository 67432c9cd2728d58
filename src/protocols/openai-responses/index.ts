import { encodeError } from '../openai/error.ts'
import type { Protocol } from '../protocol.ts'
import { encodeCompacted } from './compaction-reply.ts'
import { decode, decodeCompact, type OpenAIResponsesOptions, type Services } from './decode.ts'
import { encodeReply } from './encode.ts'
import { createEncoder } from './stream.ts'

export type { OpenAIResponsesOptions, Services } from './decode.ts'
export { type ResponseMemory, resolved as resolveReferences } from './history.ts'
export { encodeInputItems, encodeItem, encodeItems } from './items/input-list.ts'
export {
  conversationType,
  itemsIn,
  itemsToAdd,
  newConversation,
  shownConversation,
  withId as withItemId,
  withMetadata,
} from './items/kept-conversation.ts'

/** OpenAI Responses: `POST /v1/responses`. `services` are shared by its requests. */
export function openaiResponses(services: Services): Protocol<OpenAIResponsesOptions> {
  return {
    name: 'openai-responses',
    ids: { reply: 'resp_', call: 'call_' },
    decode: (body) => decode(body, services),
    encodeReply,
    createEncoder,
    encodeError,
  }
}

/** OpenAI Responses: `POST /v1/responses/compact`. */
export function openaiCompact(services: Services): Protocol<OpenAIResponsesOptions> {
  return {
    ...openaiResponses(services),
    decode: (body) => decodeCompact(body, services),
    encodeReply: (reply, context) => {
      const { compaction } = context.options
      return compaction ? encodeCompacted(reply, context, compaction) : encodeReply(reply, context)
    },
  }
}

/** Encodes the tokens of a prompt, for `POST /v1/responses/input_tokens`. */
export function encodeInputTokens(tokens: number): { object: string; input_tokens: number } {
  return { object: 'response.input_tokens', input_tokens: tokens }
}
