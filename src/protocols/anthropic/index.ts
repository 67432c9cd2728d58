import type { SynchronousProtocol } from '../protocol.ts'
import { type AnthropicOptions, decodeRequest } from './decode.ts'
import { encodeReply } from './encode.ts'
import { encodeError } from './error.ts'
import { createEncoder } from './stream.ts'

export { type AnthropicOptions, decodeCountTokens, decodeHistory } from './decode.ts'
export { type AssistantMessage, encodeAssistant } from './encode.ts'
export { encodeModel, encodeModelList, encodeTokenCount } from './models.ts'

/** Anthropic's Messages API, `POST /v1/messages`. */
export const anthropicMessages: SynchronousProtocol<AnthropicOptions> = {
  name: 'anthropic-messages',
  ids: { reply: 'msg_', call: 'toolu_' },
  decode: decodeRequest,
  encodeReply,
  createEncoder,
  encodeError,
}
