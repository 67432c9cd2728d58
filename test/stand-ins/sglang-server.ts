import { isJsonObject, type JsonObject } from '../../src/conversation/index.ts'
import {
  type CompletionsServer,
  type CompletionsServerOptions,
  type ServerTraits,
  startCompletionsServer,
} from './completions-server.ts'
import { json, type StandInAnswer } from './http-stand-in.ts'

/** An error as SGLang writes it. */
export function refuseAsSglang(message: string, status: number = 400): StandInAnswer {
  return json({ object: 'error', message, type: 'BadRequest', param: null, code: status }, status)
}

const traits: ServerTraits = {
  owner: 'sglang',
  check: (body, promptTokens, contextLength) => {
    const output = body.max_tokens ?? 16
    if (typeof output !== 'number' || !Number.isInteger(output)) return 'max_tokens: Input should be a valid integer'
    if (output <= 0) return 'max_tokens must be positive'
    if (promptTokens >= contextLength) {
      return `The input (${promptTokens} tokens) is longer than the model's context length (${contextLength} tokens).`
    }
    const total = promptTokens + output
    return total < contextLength
      ? undefined
      : `Requested token count exceeds the model's maximum context length of ${contextLength} tokens. You requested a total of ${total} tokens: ${promptTokens} tokens from the input messages and ${output} tokens for the completion.`
  },
  refuse: refuseAsSglang,
  addsBos: () => true,
  tagOf: ({ response_format: format }: JsonObject) =>
    isJsonObject(format) && format.type === 'structural_tag' ? format : undefined,
  // The tokenizer's own limit if none is set.
  tokenizerLength: () => 1e30,
  stopField: 'matched_stop',
  chunk: {},
  choice: {},
}

/** A stand-in for SGLang, with the obedient model. Written from its sources. */
export function startSglangServer(options: CompletionsServerOptions = {}): Promise<CompletionsServer> {
  return startCompletionsServer(traits, options)
}
