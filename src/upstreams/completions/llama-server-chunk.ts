import type { FinishReason, JsonObject, Usage } from '../../conversation/index.ts'
import { isJsonObject } from '../../conversation/index.ts'
import type { ObjectContent, WireFormat } from '../http/wire-format.ts'
import type { UpstreamEvent } from '../upstream.ts'
import type { ReplyStops } from './reply-stops.ts'

/** By `stop_type`. A `word` is one of the prompt's own stops: the turn is over, as at the end of generation. */
const finishReasons: Readonly<Record<string, FinishReason>> = { limit: 'length', word: 'stop', eos: 'stop' }

/**
 * Returns the format of `/completion`'s replies, streamed or whole, up to one of `stops`. `onModel` receives the name
 * of the model that wrote the reply.
 */
export function completionFormat(onModel: (model: string) => void, stops: ReplyStops): WireFormat {
  const completion = new Completion(stops)
  return {
    noun: 'a completion of llama-server',
    server: 'a llama-server',
    framing: 'sse',
    isReply: (value) => typeof value.content === 'string' && value.stop === true,
    read: (value) => {
      if (value.stop === true && typeof value.model === 'string') onModel(value.model)
      return completion.read(value)
    },
  }
}

/** The pieces of a reply have `stop: false`; the last event has `stop: true`, no `[DONE]` follows it. */
class Completion {
  readonly #stops: ReplyStops
  #isStopped = false

  constructor(stops: ReplyStops) {
    this.#stops = stops
  }

  read(value: JsonObject): ObjectContent {
    const isOver = value.stop === true
    // A chunk after a stop is either the server's last event, if the stop is the text of the token that ended the
    // reply, or more text.
    const isLeft = this.#isStopped && !isOver
    const text = this.#shown(value, isOver)
    const events: UpstreamEvent[] = text === '' ? [] : [{ type: 'text', text }]
    if (!isOver && !isLeft) return { events }
    const usage = readUsage(value)
    if (usage) events.push({ type: 'usage', usage })
    const reason = this.#isStopped ? undefined : finishReasons[String(value.stop_type)]
    events.push({ type: 'finish', reason: reason ?? 'stop' })
    return { events, isLast: true, isLeft }
  }

  #shown({ content, stop_type: by }: JsonObject, isOver: boolean): string {
    if (this.#isStopped) return ''
    const { text, isStopped } = this.#stops.push(typeof content === 'string' ? content : '')
    this.#isStopped = isStopped
    return isOver && !isStopped ? text + this.#stops.end(by === 'eos') : text
  }
}

/**
 * Reads usage. `tokens_cached` is the size of the prompt cache afterwards. The tokens found in it are in the timings as
 * `cache_n`; before late 2025 the timings had only the number of tokens that were processed.
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
