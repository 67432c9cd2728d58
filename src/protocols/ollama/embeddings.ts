import { isJsonObject, type JsonObject, type JsonValue } from '../../conversation/index.ts'

/** Returns a request for embeddings in OpenAI's form; the older endpoint has its text in `prompt`. */
export function asEmbedRequest({ model, input, prompt, dimensions }: JsonObject): JsonObject {
  return { model, input: input ?? prompt ?? '', ...(dimensions !== undefined && { dimensions }) }
}

/**
 * Encodes embeddings that came in OpenAI's form, as `/api/embed` gives them, or the one of `/api/embeddings`. Undefined if the answer
 * has none.
 */
export function encodeEmbeddings(answer: unknown, { model }: JsonObject, isList: boolean): JsonObject | undefined {
  if (!isJsonObject(answer) || !Array.isArray(answer.data)) return undefined
  const embeddings = answer.data.flatMap((entry): JsonValue[] =>
    isJsonObject(entry) && Array.isArray(entry.embedding) ? [entry.embedding] : [],
  )
  if (!isList) return { embedding: embeddings[0] ?? [] }
  const counted = isJsonObject(answer.usage) ? answer.usage.prompt_tokens : undefined
  return { model, embeddings, ...(typeof counted === 'number' && { prompt_eval_count: counted }) }
}
