import type { Upstream } from '../upstream.ts'
import { createCompletionsUpstream, type EngineOptions } from './completions.ts'

/** An upstream for vLLM. Throws an AnycallError for options that are wrong. */
export function createVllmUpstream(options: EngineOptions): Upstream {
  return createCompletionsUpstream(options, {
    type: 'vllm',
    fields: {
      // The prompt has the model's first token as its chat template writes it.
      add_special_tokens: false,
      // Markers are special tokens in many models: they must come out as text, and as they are.
      skip_special_tokens: false,
      spaces_between_special_tokens: false,
    },
    // Since 0.12; older versions have other names for it, and ignore unknown fields.
    constrain: ({ tag }) => ({ structured_outputs: { structural_tag: JSON.stringify(tag) } }),
    // Its back end `guidance` takes Lark.
    constrainByLark: (grammar) => ({ structured_outputs: { grammar } }),
    sendsTokens: false,
    lengthFromModels: false,
    reserve: 0,
  })
}
