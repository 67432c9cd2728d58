import type { JsonObject } from '../conversation/index.ts'
import type { GbnfGrammar, GrammarTrigger } from '../grammar/index.ts'
import { stopsBeside } from './constraints.ts'
import { encodeSampling } from './openai-chat-request.ts'
import type { PromptRequest, ToolsRequest } from './upstream.ts'

/**
 * What the last event is to hold. Without a choice it repeats the whole prompt, and the grammar among the settings: hundreds of
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

/** The numbers of `common_grammar_trigger_type`. */
const triggerTypes: Readonly<Record<GrammarTrigger['type'], number>> = { word: 1, pattern: 2 }

/** The body of `POST /completion`, streamed. `prompt` is the request's, without what the server adds by itself. */
export function encodePrompt(request: PromptRequest, prompt: string): JsonObject {
  const { model, maxTokens, constraint } = request
  const stops = stopsBeside(request)
  const grammar = constraint?.type === 'gbnf' ? constraint.grammar : undefined
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
  const preserved = preservedTokens(request, grammar)
  if (preserved.length > 0) body.preserved_tokens = preserved
  // A lazy grammar without a trigger could never begin to hold; the server answers it with an error.
  if (grammar && !(grammar.isLazy && grammar.triggers.length === 0)) Object.assign(body, encodeGrammar(grammar))
  return body
}

function encodeGrammar({ grammar, isLazy, triggers }: GbnfGrammar): JsonObject {
  if (!isLazy) return { grammar }
  return {
    grammar,
    grammar_lazy: true,
    grammar_triggers: triggers.map(({ type, value }) => ({ type: triggerTypes[type], value })),
  }
}

/**
 * Special tokens come out as text only where they are listed here; those that are no single token are passed over. A stop that
 * is one would not be seen, and a trigger that is one is refused.
 */
function preservedTokens(request: PromptRequest, grammar: GbnfGrammar | undefined): string[] {
  const words = (grammar?.triggers ?? []).flatMap(({ type, value }) => (type === 'word' ? [value] : []))
  return [
    ...new Set([...request.preservedTokens, ...(grammar?.preservedTokens ?? []), ...words, ...stopsBeside(request)]),
  ]
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
