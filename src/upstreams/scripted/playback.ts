import { AnycallError, type FinishReason, type Usage } from '../../conversation/index.ts'
import type { CallPiece, GenerationRequest, UpstreamEvent } from '../upstream.ts'

/** One reply, given piece by piece. */
export interface Play {
  /** One batch of events each. */
  pieces: readonly Piece[]
  /** Milliseconds before each piece. Default 0. */
  delayMs?: number
  /** The reason why the reply ends. Default `stop`. */
  finish?: FinishReason
  /** Counted from the pieces if absent. */
  usage?: Usage
  fault?: PlaybackFault
}

/** A piece of text, of reasoning, or of a call that the upstream makes itself. */
export type Piece = string | { reasoning: string } | CallPiece

export type PlaybackFault =
  /** The request is refused before the first piece. */
  | { type: 'status'; error: AnycallError }
  /** Ends the stream after this number of pieces, without a finish. */
  | { type: 'cut'; afterPieces: number }
  /** The pieces come, then nothing more, and no end. */
  | { type: 'hang' }

/**
 * The reply to the n-th request (counted from 0). Without an entry, the model generates an ordinary reply: a list with
 * one fault gives a fault and then ordinary replies.
 */
export type Playback = readonly Play[] | ((index: number, request: GenerationRequest) => Play | undefined)

/** The play of one text cut into pieces of `size` characters (code points: no surrogate pair is split). */
export function playText(text: string, size: number, more: Omit<Play, 'pieces'> = {}): Play {
  if (!Number.isInteger(size) || size < 1) {
    throw new RangeError(`playText: size is ${size}; pieces need a whole number of characters, 1 or more.`)
  }
  const characters = [...text]
  const pieces: string[] = []
  for (let at = 0; at < characters.length; at += size) pieces.push(characters.slice(at, at + size).join(''))
  return { ...more, pieces }
}

export function findPlay(playback: Playback, index: number, request: GenerationRequest): Play | undefined {
  return typeof playback === 'function' ? playback(index, request) : playback[index]
}

/** Plays a reply. Throws the fault's error, or `cancelled` (or the signal's own AnycallError) as soon as `signal` aborts. */
export async function* perform(
  play: Play,
  request: GenerationRequest,
  signal: AbortSignal,
): AsyncGenerator<UpstreamEvent[], void, undefined> {
  const { fault, delayMs = 0 } = play
  throwIfAborted(signal)
  if (fault?.type === 'status') {
    if (delayMs > 0) await wait(delayMs, signal)
    throw fault.error
  }
  let written = 0
  for (const [index, piece] of play.pieces.entries()) {
    if (fault?.type === 'cut' && index >= fault.afterPieces) return
    if (delayMs > 0) await wait(delayMs, signal)
    throwIfAborted(signal)
    const event = eventOf(piece)
    written += event.type === 'call' ? (event.arguments?.length ?? 0) : event.text.length
    yield [event]
  }
  throwIfAborted(signal)
  if (fault?.type === 'cut') return
  if (fault?.type === 'hang') await wait(Number.POSITIVE_INFINITY, signal)
  const usage = play.usage ?? estimateUsage(request, written, play.pieces.length)
  yield [
    { type: 'usage', usage },
    { type: 'finish', reason: play.finish ?? 'stop' },
  ]
}

/** Four characters to a token; a piece is at least a token, so no more tokens than pieces. */
function estimateUsage(request: GenerationRequest, written: number, pieces: number): Usage {
  const read = readLength(request)
  return { inputTokens: Math.ceil(read / 4), outputTokens: Math.min(Math.ceil(written / 4), pieces) }
}

function eventOf(piece: Piece): Extract<UpstreamEvent, { type: 'text' | 'reasoning' | 'call' }> {
  if (typeof piece === 'string') return { type: 'text', text: piece }
  return 'reasoning' in piece ? { type: 'reasoning', text: piece.reasoning } : piece
}

function readLength(request: GenerationRequest): number {
  if (request.type === 'prompt') return request.prompt.length
  if (request.type === 'tools') return JSON.stringify(request.conversation).length
  let read = 0
  for (const message of request.messages) {
    for (const part of message.parts) if (part.type === 'text') read += part.text.length
  }
  return read
}

function throwIfAborted(signal: AbortSignal): void {
  if (signal.aborted) throw abortError(signal)
}

function abortError(signal: AbortSignal): AnycallError {
  if (AnycallError.isInstance(signal.reason)) return signal.reason
  return new AnycallError('cancelled', 'The generation was stopped: its request was cancelled.', {
    cause: signal.reason,
  })
}

/** Waits; forever, for an infinite time. Rejects as soon as the signal aborts. */
function wait(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) {
      reject(abortError(signal))
      return
    }
    const timer = Number.isFinite(milliseconds) ? setTimeout(finish, milliseconds) : undefined
    signal.addEventListener('abort', abort, { once: true })
    function finish(): void {
      signal.removeEventListener('abort', abort)
      resolve()
    }
    function abort(): void {
      clearTimeout(timer)
      reject(abortError(signal))
    }
  })
}
