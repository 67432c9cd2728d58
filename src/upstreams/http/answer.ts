import { type JsonBounds, jsonExcess } from '../../json/index.ts'
import { maxErrorLength } from '../refusals/error-text.ts'
import type { HttpResponse } from '../transport/transport.ts'
import { type ErrorSource, redact, UpstreamError } from './upstream-error.ts'

/** The number of bytes of an error's body that are read. */
export const maxErrorBytes: number = maxErrorLength

/** The number of bytes of an answer that are read. A model's card, as Ollama shows it, has some megabytes. */
export const maxAnswerBytes: number = 64 * 1024 * 1024

export function isSuccess({ status }: HttpResponse): boolean {
  return status >= 200 && status < 300
}

/** The beginning of a body as text; bytes past `maxBytes` are not read. */
export async function readText({ body }: Pick<HttpResponse, 'body'>, maxBytes: number): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  let length = 0
  for await (const bytes of body) {
    text += decoder.decode(bytes, { stream: true })
    length += bytes.length
    if (length > maxBytes) break
  }
  return text + decoder.decode()
}

/** Ollama's description of a model with its tokenizer has a million values; it is requested once per model. */
const answerBounds: JsonBounds = { values: 3_000_000, depth: 200 }

/**
 * Parses an answer. Undefined if it is not JSON or exceeds the bounds; the caller's error names the expected content.
 */
export function parseAnswer(text: string): unknown {
  if (jsonExcess(text, answerBounds) !== undefined) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The error for an answer that does not follow the API; `what` is missing from it. */
export function strangeAnswer(source: ErrorSource, what: string, text: string, server: string): UpstreamError {
  const shown = redact(text, source.secrets).slice(0, 200)
  return new UpstreamError(
    'upstream',
    `Upstream "${source.upstream}" has no ${what} at its url: it sent "${shown}". Check that the url is that of ${server}.`,
    false,
  )
}
