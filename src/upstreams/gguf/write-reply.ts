import type { FinishReason } from '../../conversation/index.ts'
import { cancelled } from '../transport-error.ts'
import type { PromptRequest, UpstreamEvent } from '../upstream.ts'
import type { EngineModel, EngineSampling } from './engine.ts'
import type { SequencePool } from './sequence-pool.ts'
import { StopTexts } from './stop-texts.ts'
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

/** A grammar that the engine takes. */
export interface HeldGrammar {
  /** In GBNF. */
  text: string
  /** What stands behind the first of these is part of a call, the reply taken to begin on a new line; empty: all is; undefined: nothing is. */
  triggers: readonly string[] | undefined
}

/** The events of a reply: a batch for each token whose text is out. Leaving it, or the signal, ends it with the token that is being computed. */
export async function* writeReply(
  { model, pool, tokens, request, grammar }: ReplyTask,
  signal: AbortSignal,
): AsyncGenerator<UpstreamEvent[], void, undefined> {
  const sequence = await pool.take(tokens, signal)
  try {
    // The last token is always read: what follows it is computed with it.
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
    const stops = new StopTexts(texts)
    const limit = Math.min(request.maxTokens ?? Number.POSITIVE_INFINITY, model.contextSize - tokens.length)
    let outputTokens = 0
    let reason: FinishReason = 'length'
    let isStopped = false
    // In a call the grammar says where the end is: a file that a call writes may hold any marker.
    let isCall = grammar?.triggers?.length === 0
    const triggers = new StopTexts(grammar?.triggers ?? [])
    // Some count at the beginning of a line only.
    triggers.push('\n')
    const options = { sampling: samplingOf(request), ...(grammar && { grammar: grammar.text }) }
    for await (const token of sequence.write(tokens.slice(at), options)) {
      throwIfAborted(signal)
      outputTokens++
      if (model.isEnd(token) || (!isCall && ends.has(token))) {
        reason = 'stop'
        break
      }
      const piece = text.push(token)
      const shown = isCall ? { text: stops.end() + piece, isStopped: false } : stops.push(piece)
      if (shown.text !== '') yield [{ type: 'text', text: shown.text }]
      isStopped = shown.isStopped
      isCall ||= triggers.push(piece).isStopped
      if (isStopped) reason = 'stop'
      if (isStopped || outputTokens >= limit) break
    }
    const last: UpstreamEvent[] = [
      { type: 'usage', usage: { inputTokens: tokens.length, outputTokens, cachedTokens } },
      { type: 'finish', reason },
    ]
    const rest = isStopped ? '' : isCall ? stops.end() + text.end() : restOf(text, stops)
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

/** What was held back; a stop may still come to light in it. */
function restOf(text: TokenText, stops: StopTexts): string {
  const shown = stops.push(text.end())
  return shown.isStopped ? shown.text : shown.text + stops.end()
}

/** llama.cpp's own, for what the client leaves open. */
const defaults = { temperature: 0.8, topP: 0.95, topK: 40, minP: 0.05, presencePenalty: 0, frequencyPenalty: 0 }

function samplingOf({ sampling }: Pick<PromptRequest, 'sampling'>): EngineSampling {
  const { seed = Math.floor(Math.random() * 0xffffffff), ...others } = sampling
  return { ...defaults, ...others, seed: seed >>> 0 }
}

function throwIfAborted(signal: AbortSignal): void {
  if (signal.aborted) throw cancelled(signal)
}
