import type { ImagePart, TextPart } from './conversation.ts'

/** A message for a model that only takes text. Tools, calls and results are part of the text. */
export interface ChatMessage {
  role: 'system' | 'user' | 'assistant'
  parts: (TextPart | ImagePart)[]
  /** The reasoning of an earlier assistant turn, for models that take it beside the text. */
  reasoning?: string
}
