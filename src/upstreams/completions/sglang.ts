import type { Upstream } from '../upstream.ts'
import { createCompletionsUpstream, type EngineOptions } from './completions.ts'

/** An upstream for SGLang. Throws an AnycallError for options that are wrong. */
export function createSglangUpstream(options: EngineOptions): Upstream {
  return createCompletionsUpstream(options, {
    type: 'sglang',
    // Markers are special tokens in many models: they must come out as text. Its `/v1/completions` has no other switch for that.
    fields: { skip_special_tokens: false },
    constrain: ({ tag }) => ({ response_format: tag }),
    // Its back end `llguidance` takes Lark that begins with `%llguidance`.
    constrainByLark: (grammar) => ({ ebnf: grammar }),
    // There is no `add_special_tokens` either: the model's first token is added to every text, even if it has one.
    sendsTokens: true,
    // `/tokenize` returns the tokenizer's own limit, which may be any number.
    lengthFromModels: true,
    // Prompt and output together must stay below the context's length.
    reserve: 1,
  })
}
