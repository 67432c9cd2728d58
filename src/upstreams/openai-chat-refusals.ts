import { isJsonObject, type JsonObject } from '../conversation/index.ts'

/** The fields of a message that servers have for its reasoning: DeepSeek's and llama-server's; that of Groq, Cerebras and Ollama. */
export const reasoningFields = ['reasoning_content', 'reasoning'] as const
export type ReasoningField = (typeof reasoningFields)[number]

/** Fields that some servers and models refuse, and that a request can do without. */
export type Refusable = 'stream_options' | ReasoningField

/**
 * Words with which a field is refused. Groq, Cerebras: `property 'reasoning_content' is unsupported`. Mistral and others in
 * Python: `body.messages.1.assistant.reasoning_content: Extra inputs are not permitted`.
 */
const refusing = /unsupported|not support|not permitted|unknown|unrecogni[sz]ed|unexpected/i

/** How a refusal names what it is about; the first that fits counts. */
const refusals: readonly { field: Refusable; names: RegExp; ofMessages?: true }[] = [
  { field: 'stream_options', names: /stream_options/ },
  { field: 'reasoning_content', names: /reasoning_content/, ofMessages: true },
  // As a name: the bare word may be about the model's own.
  { field: 'reasoning', names: /['"`.]reasoning\b/, ofMessages: true },
]

/** Which field of a body a server's refusal is about; undefined where it is about none that can be spared. */
export function refusedField(body: JsonObject, text: string): Refusable | undefined {
  if (!refusing.test(text)) return undefined
  const messages = Array.isArray(body.messages) ? body.messages.filter(isJsonObject) : []
  return refusals.find(
    ({ field, names, ofMessages }) =>
      names.test(text) && (ofMessages ? messages : [body]).some((holder) => holder[field] !== undefined),
  )?.field
}
