import type { JsonObject } from '../../conversation/index.ts'
import { encodeSampling } from '../openai-chat/request.ts'
import type { PromptRequest, ToolsRequest } from '../upstream.ts'
import type { HeldGrammar } from './held-grammar.ts'

/**
 * Fields of the last event. By default it repeats the whole prompt and the grammar among the settings: hundreds of
 * kilobytes for an agent's request.
 */
const responseFields = [
  'content',
  'stop',
  'stop_type',
  'model',
  'tokens_predicted',
  'tokens_evaluated',
  'timings',
] as const

/**
 * The body of `POST /completion`, streamed. `prompt` is the request's, without the part that the server adds; `held` is
 * the grammar of its constraint. If it constrains calls, the server must not look for stops: it would find them in
 * arguments, too.
 */
export function encodePrompt(request: PromptRequest, prompt: string, held: HeldGrammar | undefined): JsonObject {
  const { model, maxTokens } = request
  const stops = held?.triggers ? [] : request.stops
  const body: JsonObject = {
    // A server with one model looks past it; one that routes to several needs it.
    model,
    prompt,
    stream: true,
    cache_prompt: true,
    return_tokens: false,
    response_fields: [...responseFields],
    ...encodeSampling(request.sampling),
  }
  if (maxTokens !== undefined) body.n_predict = maxTokens
  if (stops.length > 0) body.stop = [...stops]
  const preserved = preservedTokens(request)
  if (preserved.length > 0) body.preserved_tokens = preserved
  if (held) body.grammar = held.text
  return body
}

/**
 * Special tokens are emitted as text only if they are listed here; those that are no single token are ignored.
 * Otherwise a stop that is a special token would not be seen, nor a call that begins with one.
 */
function preservedTokens({ preservedTokens, stops, constraint }: PromptRequest): string[] {
  const grammar = constraint?.type === 'structural-tag' ? undefined : constraint?.grammar
  const words = (grammar?.triggers ?? []).flatMap((trigger) => {
    if (typeof trigger === 'string') return [trigger]
    return trigger.type === 'word' ? [trigger.value] : []
  })
  return [...new Set([...preservedTokens, ...(grammar?.preservedTokens ?? []), ...words, ...stops])]
}

/**
 * A request with tools as the server's chat API takes it: it reads only the texts of `tool_choice`, and takes the object that
 * names a tool for `auto`. The same is said by offering that tool alone.
 */
export function withoutNamedChoice(request: ToolsRequest): ToolsRequest {
  const { toolChoice, tools } = request.conversation
  if (toolChoice.type !== 'named') return request
  const named = tools.filter(({ name }) => name === toolChoice.name)
  return { ...request, conversation: { ...request.conversation, tools: named, toolChoice: { type: 'required' } } }
}
