import type { JsonObject } from '../../src/conversation/index.ts'
import { followAnthropic } from './anthropic-model.ts'
import { startAnthropicServer } from './anthropic-server.ts'
import { startLlamaServer } from './llama-server.ts'
import { obedientTemplate } from './obedient-model.ts'
import { ociModels, startObedientOci } from './oci-model.ts'
import { startObedientOllama } from './ollama-model.ts'
import { startOpenAIServer } from './openai-server.ts'
import { startResponsesServer } from './responses-server.ts'
import { startSglangServer } from './sglang-server.ts'
import { startVllmServer } from './vllm-server.ts'

/** A server to test with if there is no real one, with the obedient model. */
export interface StandIn {
  /** The type of upstream that uses it. */
  type: string
  start(options: { pieceDelayMs: number }): Promise<RunningStandIn>
  model: string
  /** The text of the template file that its users have, if the server shows none. */
  template?: string
}

export interface RunningStandIn {
  /** The upstream in the gateway's configuration. */
  upstream: JsonObject
  /** The number of clients that left during a reply. */
  leaves(): number
  close(): Promise<void>
}

interface RecordingServer {
  url: string
  requests: readonly { closedEarly: boolean }[]
  close(): Promise<void>
}

/** A file that is usually beside the model: a tokenizer configuration. */
const tokenizerConfig = JSON.stringify({ chat_template: obedientTemplate, bos_token: '<s>', eos_token: '<|im_end|>' })

function at(type: string, start: (options: { pieceDelayMs: number }) => Promise<RecordingServer>): StandIn {
  return {
    type,
    model: 'obedient',
    start: async (options) => {
      const server = await start(options)
      const leaves = (): number => server.requests.filter(({ closedEarly }) => closedEarly).length
      return { upstream: { type, url: server.url }, leaves, close: () => server.close() }
    },
  }
}

export const standIns: readonly StandIn[] = [
  at('openai-chat', startOpenAIServer),
  at('openai-responses', startResponsesServer),
  at('anthropic', (options) => startAnthropicServer({ ...options, models: ['obedient'], play: followAnthropic })),
  at('ollama', startObedientOllama),
  at('llama-server', startLlamaServer),
  { ...at('vllm', startVllmServer), template: tokenizerConfig },
  { ...at('sglang', startSglangServer), template: tokenizerConfig },
  ...Object.values(ociModels).map((model) => ({
    type: 'oci-generative-ai',
    model,
    start: async (options: { pieceDelayMs: number }): Promise<RunningStandIn> => {
      const { server, upstream, close } = await startObedientOci(options)
      return { upstream, leaves: () => server.closedEarly, close }
    },
  })),
]
