import { isJsonObject, type JsonObject } from '../../src/conversation/index.ts'
import {
  type CompletionsServer,
  type CompletionsServerOptions,
  type ServerTraits,
  startCompletionsServer,
} from './completions-server.ts'
import { json, type StandInAnswer } from './http-stand-in.ts'

/** An error as vLLM writes it. */
export function refuseAsVllm(message: string, status: number = 400): StandInAnswer {
  return json({ error: { message, type: 'BadRequestError', param: null, code: status } }, status)
}

const traits: ServerTraits = {
  owner: 'vllm',
  check: (body, promptTokens, contextLength) => {
    if (body.stream_options !== undefined && body.stream !== true) {
      return 'Stream options can only be defined when `stream=True`.'
    }
    for (const field of ['add_special_tokens', 'skip_special_tokens', 'spaces_between_special_tokens']) {
      if (body[field] !== undefined && typeof body[field] !== 'boolean')
        return `${field}: Input should be a valid boolean`
    }
    const output = typeof body.max_tokens === 'number' ? body.max_tokens : 16
    const room = contextLength - output
    if (promptTokens <= room) return undefined
    // It tokenises no further than one token more than there is room for.
    return `You passed ${Math.max(0, room) + 1} input tokens and requested ${output} output tokens. However, the model's context length is only ${contextLength} tokens, resulting in a maximum input length of ${room} tokens. Please reduce the length of the input prompt.`
  },
  refuse: refuseAsVllm,
  addsBos: (body) => body.add_special_tokens !== false,
  tagOf: ({ structured_outputs: outputs }: JsonObject) => {
    if (!isJsonObject(outputs) || outputs.structural_tag === undefined) return undefined
    return typeof outputs.structural_tag === 'string' ? JSON.parse(outputs.structural_tag) : null
  },
  tokenizerLength: (contextLength) => contextLength,
  stopField: 'stop_reason',
  chunk: { usage: null },
  choice: { token_ids: null, prompt_token_ids: null },
}

/** A stand-in for vLLM, with the obedient model. Written from its sources. */
export function startVllmServer(options: CompletionsServerOptions = {}): Promise<CompletionsServer> {
  return startCompletionsServer(traits, options)
}
