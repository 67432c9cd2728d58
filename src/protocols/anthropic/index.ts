import type { SynchronousProtocol } from '../protocol.ts'
import { encodeReply } from './reply/encode.ts'
import { encodeError } from './reply/error.ts'
import { createEncoder } from './reply/stream.ts'
import { type AnthropicOptions, decodeRequest } from './request/decode.ts'

export { encodeModel, encodeModelList, encodeTokenCount } from './models.ts'
export { type AssistantMessage, encodeAssistant } from './reply/encode.ts'
export { type AnthropicOptions, decodeCountTokens, decodeHistory } from './request/decode.ts'

/** Anthropic's Messages API, `POST /v1/messages`. */
export const anthropicMessages: SynchronousProtocol<AnthropicOptions> = {
  name: 'anthropic-messages',
  ids: { reply: 'msg_', call: 'toolu_' },
  decode: decodeRequest,
  encodeReply,
  createEncoder,
  encodeError,
}
