import { argumentError } from './argument-error.ts'
import { isJsonObject } from './json-value.ts'

/** An event of a reply. Merged events only grow: emitted output is never retracted. */
export type ReplyEvent =
  | SaidReasoning
  /** `refusal`: the model's text in place of the JSON value that was requested. */
  | { type: 'text'; text: string; refusal?: true }
  /** `index` is the number of the call in the reply, from 0. */
  | { type: 'call-start'; index: number; id: string; name: string }
  /** `json` is a piece of the arguments' JSON text; the pieces of a complete call make valid JSON. */
  | { type: 'call-arguments'; index: number; json: string }
  /** `complete` is false when the call broke off; its JSON is then left open. */
  | { type: 'call-end'; index: number; complete: boolean }
  | { type: 'notice'; notice: Notice }
  | FinishEvent

/** Reasoning of the model. */
export interface SaidReasoning {
  type: 'reasoning'
  text: string
  /**
   * The upstream's own form of all reasoning since the last one, which it can be sent again; its text may be empty. The next reasoning is
   * another part.
   */
  opaque?: string
  /** The same, sealed for the client to keep. */
  sealed?: string
}

export interface FinishEvent {
  type: 'finish'
  reason: FinishReason
  /** The stop sequence that ended the reply, when `reason` is `stop-sequence`. */
  stopSequence?: string
  usage?: Usage
}

/**
 * The reason why a reply ended. `calls`: with calls for the client to run; `length`: cut by the token limit; `stop`:
 * the model was done.
 */
export type FinishReason = 'stop' | 'calls' | 'length' | 'stop-sequence' | 'content-filter'

/** Numbers of tokens, as the upstream counted them. */
export interface Usage {
  inputTokens?: number
  outputTokens?: number
  /** The number of input tokens that came from the engine's prompt cache. */
  cachedTokens?: number
  /** The number of input tokens written to the prompt cache, if the upstream counts (and bills) them separately. */
  cacheWriteTokens?: number
  /** The number of output tokens that are reasoning. */
  reasoningTokens?: number
}

/** A report of something repaired, rejected, degraded or unusual. */
export interface Notice {
  /** The kind of notice, for programs. */
  code: string
  /** A sentence for people. */
  message: string
  /** The place in the model's text, as [start, end) in UTF-16 code units. */
  span?: [number, number]
}

/** Reply events in batches: one batch for each piece that came from upstream. */
export type ReplyStream = AsyncIterable<ReplyEvent[]>

/** A whole reply: the stream, collected. */
export interface Reply {
  parts: ReplyPart[]
  notices: Notice[]
  finish: FinishEvent
}

export type ReplyPart =
  | SaidReasoning
  /** `refusal`: the model's text in place of the JSON value that was requested. */
  | { type: 'text'; text: string; refusal?: true }
  | ReplyCall

/**
 * A call in a reply; `complete` distinguishes the two kinds.
 *
 * @example
 * const calls = reply.parts.filter((part) => part.type === 'call' && part.complete) // CompleteCall[]
 */
export type ReplyCall = CompleteCall | BrokenCall

/** A call that was written to its end. */
export interface CompleteCall extends CallStart {
  complete: true
}

/** A call that broke off, or that is still being written. */
export interface BrokenCall extends CallStart {
  complete: false
}

interface CallStart {
  type: 'call'
  id: string
  name: string
  /** The arguments as JSON text: an object in a complete call, its beginning in a broken one. */
  arguments: string
}

/** True for a text that the model wrote instead of the requested JSON value. */
export function isRefusal(said: { type: string; refusal?: true }): boolean {
  return said.refusal === true
}

/** True for reasoning that has its opaque form: what comes after it is another part. */
export function isClosed(part: ReplyPart): boolean {
  return part.type === 'reasoning' && part.opaque !== undefined
}

/**
 * Collects reply events; `reply` may be read at any time. An event replaces the part that it changes, so that parts once emitted stay
 * as they are.
 */
export class ReplyCollector {
  readonly parts: ReplyPart[] = []
  readonly notices: Notice[] = []
  finish: FinishEvent | undefined
  /** The position of each call in `parts`, by the index in its events. */
  readonly #places = new Map<number, number>()

  push(events: readonly ReplyEvent[]): void {
    for (const event of events) this.#add(event)
  }

  /** The reply so far. Its lists grow with it. Without a finish event, its reason is `stop`. */
  get reply(): Reply {
    return { parts: this.parts, notices: this.notices, finish: this.finish ?? { type: 'finish', reason: 'stop' } }
  }

  #add(event: ReplyEvent): void {
    switch (event.type) {
      case 'reasoning':
      case 'text': {
        const last = this.parts.at(-1)
        if (last?.type === event.type && isRefusal(last) === isRefusal(event) && !isClosed(last)) {
          this.parts[this.parts.length - 1] = joined(last, event)
        } else this.parts.push({ ...event })
        return
      }
      case 'call-start':
        this.#places.set(event.index, this.parts.length)
        this.parts.push({ type: 'call', id: event.id, name: event.name, arguments: '', complete: false })
        return
      case 'call-arguments':
        this.#change(event.index, ({ id, name, arguments: begun, complete }) => ({
          type: 'call',
          id,
          name,
          arguments: begun + event.json,
          complete,
        }))
        return
      case 'call-end':
        this.#change(event.index, (call) => ({ ...call, complete: event.complete }))
        return
      case 'notice':
        this.notices.push(event.notice)
        return
      case 'finish':
        this.finish = event
    }
  }

  #change(index: number, changed: (call: ReplyCall) => ReplyCall): void {
    const place = this.#places.get(index)
    const call = place === undefined ? undefined : this.parts[place]
    if (place !== undefined && call?.type === 'call') this.parts[place] = changed(call)
  }
}

/**
 * Returns a part with the text of an event. A plain text is written as a literal: to spread two objects for each of 200 pieces took a
 * fifth of a reply's time.
 */
function joined<Part extends SaidReasoning | { type: 'text'; text: string; refusal?: true }>(
  part: Part,
  event: Extract<ReplyEvent, { type: 'text' | 'reasoning' }>,
): ReplyPart {
  const text = part.text + event.text
  if (event.type === 'text' && !isRefusal(part)) return { type: 'text', text }
  return { ...part, ...event, text }
}

/**
 * Reads a stream of reply events to its end, in batches as an upstream gives them or one by one as `createReader(…).stream()` does.
 * What the stream throws is thrown.
 *
 * @example
 * const reply = await collectReply(modelText.pipeThrough(createReader({ tools }).stream()))
 */
export async function collectReply(
  stream: ReplyStream | AsyncIterable<ReplyEvent> | ReadableStream<ReplyEvent>,
): Promise<Reply> {
  const collector = new ReplyCollector()
  const isStream = typeof stream === 'object' && stream !== null
  if (!isStream || !('getReader' in stream || Symbol.asyncIterator in stream || Symbol.iterator in stream)) {
    throw argumentError('stream', 'a stream of reply events', stream)
  }
  // A stream's own iterator is not used: Safari's streams and TypeScript's types of streams have no iterator.
  for await (const events of 'getReader' in stream ? chunksOf(stream) : stream) {
    const list: readonly ReplyEvent[] = Array.isArray(events) ? events : [events]
    for (const event of list) if (!isJsonObject(event)) throw argumentError('stream', 'reply events', event)
    collector.push(list)
  }
  return collector.reply
}

async function* chunksOf<Chunk>(stream: ReadableStream<Chunk>): AsyncGenerator<Chunk, void, undefined> {
  const reader = stream.getReader()
  for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value
}

/** Returns the characters of text, reasoning or arguments that an event adds to its reply. */
export function charactersOf(event: ReplyEvent): number {
  if (event.type === 'text' || event.type === 'reasoning') return event.text.length
  return event.type === 'call-arguments' ? event.json.length : 0
}
