import type { FinishReason, JsonObject, Usage } from '../conversation/index.ts'
import { isJsonObject } from '../conversation/index.ts'
import type { UpstreamEvent } from './upstream.ts'
import type { ObjectContent, WireFormat } from './wire-format.ts'

/** By `stop_type`. A `word` is one of the prompt's own stops: the turn is over, as at the end of generation. */
const finishReasons: Readonly<Record<string, FinishReason>> = { limit: 'length', word: 'stop', eos: 'stop' }

/** A reply of `/completion`, streamed or whole; `onModel` is told which model wrote it. */
export function completionFormat(onModel: (model: string) => void): WireFormat {
  return {
    noun: 'a completion of llama-server',
    server: 'a llama-server',
    framing: 'sse',
    isReply: (value) => typeof value.content === 'string' && value.stop === true,
    read: (value) => {
      if (value.stop === true && typeof value.model === 'string') onModel(value.model)
      return readCompletion(value)
    },
  }
}

/** The pieces have `stop: false`; the last event has `stop: true`, no `[DONE]` follows it. */
function readCompletion(value: JsonObject): ObjectContent {
  const events: UpstreamEvent[] = []
  if (typeof value.content === 'string' && value.content !== '') events.push({ type: 'text', text: value.content })
  if (value.stop !== true) return { events }
  const usage = readUsage(value)
  if (usage) events.push({ type: 'usage', usage })
  events.push({ type: 'finish', reason: finishReasons[String(value.stop_type)] ?? 'stop' })
  return { events, isLast: true }
}

/**
 * `tokens_cached` is not what was found in the prompt cache, but what is in it afterwards. That is in the timings: as `cache_n`,
 * before late 2025 only as the part of the prompt that was read anew.
 */
function readUsage({ tokens_evaluated: input, tokens_predicted: output, timings }: JsonObject): Usage | undefined {
  const usage: Usage = {}
  if (typeof input === 'number') usage.inputTokens = input
  if (typeof output === 'number') usage.outputTokens = output
  const { cache_n: cached, prompt_n: read } = isJsonObject(timings) ? timings : {}
  if (typeof cached === 'number') usage.cachedTokens = cached
  else if (typeof input === 'number' && typeof read === 'number' && read <= input) usage.cachedTokens = input - read
  return Object.keys(usage).length === 0 ? undefined : usage
}
