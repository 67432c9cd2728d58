import type { StandInServer } from './http-stand-in.ts'
import { startLlamaServer } from './llama-server.ts'
import { obedientTemplate } from './obedient-model.ts'
import { startSglangServer } from './sglang-server.ts'
import { startVllmServer } from './vllm-server.ts'

/** A server to run against where there is no real one. */
export interface StandIn {
  start(options: { pieceDelayMs: number }): Promise<StandInServer>
  model: string
  /** The text of the template file that its users have, where the server shows none. */
  template?: string
}

/** What people find beside the model: a tokenizer config. */
const tokenizerConfig = JSON.stringify({ chat_template: obedientTemplate, bos_token: '<s>', eos_token: '<|im_end|>' })

/** By the types of upstreams. */
export const standIns: Readonly<Record<string, StandIn>> = {
  'llama-server': { start: startLlamaServer, model: 'obedient' },
  vllm: { start: startVllmServer, model: 'obedient', template: tokenizerConfig },
  sglang: { start: startSglangServer, model: 'obedient', template: tokenizerConfig },
}
