import type { FinishReason } from '../../conversation/index.ts'
import type { HeldGrammar } from '../completions/held-grammar.ts'
import { ReplyStops } from '../completions/reply-stops.ts'
import { cancelled } from '../transport/transport-error.ts'
import type { PromptRequest, UpstreamEvent } from '../upstream.ts'
import type { EngineModel, EngineSampling } from './engine.ts'
import type { SequencePool } from './sequence-pool.ts'
import { TokenText } from './token-text.ts'

/** A reply to be written by a model in memory. */
export interface ReplyTask {
  model: EngineModel
  pool: SequencePool
  /** The prompt; shorter than the model's context. */
  tokens: readonly number[]
  request: Pick<PromptRequest, 'maxTokens' | 'sampling' | 'stops'>
  grammar?: HeldGrammar
}

/**
 * Yields the events of a reply: one batch per token with emitted text. If the caller stops reading or the signal
 * aborts, generation ends with the current token.
 */
export async function* generateReply(
  { model, pool, tokens, request, grammar }: ReplyTask,
  signal: AbortSignal,
): AsyncGenerator<UpstreamEvent[], void, undefined> {
  const sequence = await pool.take(tokens, signal)
  try {
    // The last token is always read: the next one is computed with it.
    const cachedTokens = await sequence.rewind(tokens.slice(0, -1))
    let at = cachedTokens
    while (tokens.length - at > model.batchSize) {
      throwIfAborted(signal)
      await sequence.read(tokens.slice(at, at + model.batchSize))
      at += model.batchSize
    }
    throwIfAborted(signal)

    const text = new TokenText(model, tokens)
    const { tokens: ends, texts } = stopsOf(model, request.stops)
    const stops = new ReplyStops(texts, grammar ? grammar.triggers : undefined)
    const limit = Math.min(request.maxTokens ?? Number.POSITIVE_INFINITY, model.contextSize - tokens.length)
    let outputTokens = 0
    let reason: FinishReason = 'length'
    let isStopped = false
    const options = { sampling: samplingOf(request), ...(grammar && { grammar: grammar.text }) }
    for await (const token of sequence.write(tokens.slice(at), options)) {
      throwIfAborted(signal)
      outputTokens++
      if (model.isEnd(token) || (!stops.isCall && ends.has(token))) {
        reason = 'stop'
        break
      }
      const shown = stops.push(text.push(token))
      if (shown.text !== '') yield [{ type: 'text', text: shown.text }]
      isStopped = shown.isStopped
      if (isStopped) reason = 'stop'
      if (isStopped || outputTokens >= limit) break
    }
    const last: UpstreamEvent[] = [
      { type: 'usage', usage: { inputTokens: tokens.length, outputTokens, cachedTokens } },
      { type: 'finish', reason },
    ]
    const rest = isStopped ? '' : restOf(text, stops)
    yield rest === '' ? last : [{ type: 'text', text: rest }, ...last]
  } finally {
    pool.release(sequence)
  }
}

/** Markers that are tokens end the reply as such: spelled out in a file that a call writes, they end nothing. */
function stopsOf(
  model: EngineModel,
  stops: readonly string[],
): { tokens: ReadonlySet<number>; texts: readonly string[] } {
  const tokens = new Set<number>()
  const texts: string[] = []
  for (const stop of stops) {
    const [token, ...others] = model.tokenize(stop)
    if (token !== undefined && others.length === 0 && model.isSpecial(token)) tokens.add(token)
    else texts.push(stop)
  }
  return { tokens, texts }
}

/**
 * Returns the text that was held back at the end, up to a stop in it. The token that ends a turn is not part of the
 * text.
 */
function restOf(text: TokenText, stops: ReplyStops): string {
  const shown = stops.push(text.end())
  return shown.isStopped ? shown.text : shown.text + stops.end(false)
}

/** llama.cpp's own defaults, for settings that the client leaves open. */
const defaults = { temperature: 0.8, topP: 0.95, topK: 40, minP: 0.05, presencePenalty: 0, frequencyPenalty: 0 }

function samplingOf({ sampling }: Pick<PromptRequest, 'sampling'>): EngineSampling {
  const { seed = Math.floor(Math.random() * 0xffffffff), ...others } = sampling
  return { ...defaults, ...others, seed: seed >>> 0 }
}

function throwIfAborted(signal: AbortSignal): void {
  if (signal.aborted) throw cancelled(signal)
}
