import { encodeError } from '../openai/error.ts'
import type { SynchronousProtocol } from '../protocol.ts'
import { decode, type OpenAIChatOptions } from './decode.ts'
import { encodeReply } from './encode.ts'
import { createEncoder } from './stream.ts'

export { decodeHistory, type OpenAIChatOptions } from './decode.ts'
export { type AssistantMessage, encodeAssistant } from './encode.ts'
export { encodeModel, encodeModelList } from './models.ts'

/** OpenAI Chat Completions: `POST /v1/chat/completions`. */
export const openaiChat: SynchronousProtocol<OpenAIChatOptions> = {
  name: 'openai-chat',
  ids: { reply: 'chatcmpl-', call: 'call_' },
  decode,
  encodeReply,
  createEncoder,
  encodeError,
}
