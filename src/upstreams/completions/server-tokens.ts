import { isJsonObject } from '../../conversation/index.ts'
import { strangeAnswer } from '../http/answer.ts'
import type { HttpApi, RequestContext } from '../http/api.ts'

/** A text as the tokens of a model. */
export interface ServerTokens {
  ids: number[]
  /** Tokens of context, if the server reports it. */
  contextLength?: number
}

/**
 * Asks `POST /tokenize` of vLLM and SGLang for the tokens of a text, without any that are added to it. Throws an
 * AnycallError, with the code `not-found` if the server has no such endpoint.
 */
export async function tokenize(
  api: HttpApi,
  model: string,
  text: string,
  context: RequestContext,
): Promise<ServerTokens> {
  const answer = await api.askModel('/tokenize', context, { model, prompt: text, add_special_tokens: false })
  const { value } = answer
  if (!isJsonObject(value) || !Array.isArray(value.tokens)) {
    throw strangeAnswer(api.source(context.clientKey), 'list of tokens', answer.text, 'a vLLM or SGLang server')
  }
  const ids = value.tokens.filter((id) => typeof id === 'number')
  const { max_model_len: length } = value
  return typeof length === 'number' && length > 0 ? { ids, contextLength: length } : { ids }
}
