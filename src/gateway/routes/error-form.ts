import type { AnycallError, JsonValue } from '../../conversation/index.ts'
import { anthropicMessages } from '../../protocols/anthropic/index.ts'
import { encodeError as encodeGeminiError } from '../../protocols/gemini/index.ts'
import { encodeError as encodeOllamaError } from '../../protocols/ollama/index.ts'
import { openaiChat } from '../../protocols/openai-chat/index.ts'
import type { GatewayRequest } from '../http/http.ts'
import { speaksAnthropic, speaksGemini } from './clients.ts'
import { api, v1 } from './paths.ts'

/** Encodes an error as a response. */
export type ErrorForm = (error: AnycallError, requestId: string) => { status: number; body: JsonValue }

const messagesPath = RegExp(`^${v1}/messages(?:/|$)`)
const ollamaPath = RegExp(`^${api}/`)

/** Returns the form of errors that a client expects, also at paths of no protocol. */
export function errorFormOf(request: GatewayRequest): ErrorForm {
  const { path } = request
  if (messagesPath.test(path) || speaksAnthropic(request)) return anthropicMessages.encodeError
  if (speaksGemini(request)) return encodeGeminiError
  return ollamaPath.test(path) ? encodeOllamaError : openaiChat.encodeError
}
