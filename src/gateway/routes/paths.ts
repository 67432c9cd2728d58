/**
 * The beginning of an API's paths. Clients differ in whether their base URL ends with /v1 (the AI SDK's provider for
 * Anthropic requires one that does, Anthropic's own SDK one that does not), so a missing one and a doubled one are
 * accepted.
 */
export const v1 = '(?:/v1){0,2}'

/** The same for Google's API, which has more versions, and Vertex AI's places of models. */
export const google =
  '(?:/v1(?:beta\\d?|alpha)?){0,2}(?:/projects/[^/]{1,100}/locations/[^/]{1,100})?(?:/publishers/[^/]{1,100})?'

/** The same for Ollama's API: some clients have the base URL of OpenAI's, or one that ends with /api. */
export const api = '(?:/v1)?(?:/api){1,2}'

/** Returns the text of a part of a path; one that is not percent-encoded is used as it is. */
export function decodePath(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

/**
 * The end of the path of one model. Names have colons and slashes (`qwen2.5:7b`), but the name of a method of the Gemini API after a colon
 * is a separate path, which has no `GET`.
 */
export const oneModel = '/models/(?!.*:(?:generateContent|streamGenerateContent|countTokens)$).+$'
