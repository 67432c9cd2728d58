/** What a model says, as it says it. Merged events only grow: nothing emitted is taken back. */
export type ReplyEvent =
  | { type: 'reasoning'; text: string }
  | { type: 'text'; text: string }
  | { type: 'call-start'; index: number; id: string; name: string }
  /** `json` is a piece of the arguments' JSON text; the pieces of a complete call make valid JSON. */
  | { type: 'call-arguments'; index: number; json: string }
  /** `complete` is false when the call broke off; its JSON is then left open. */
  | { type: 'call-end'; index: number; complete: boolean }
  | { type: 'notice'; notice: Notice }
  | FinishEvent

export interface FinishEvent {
  type: 'finish'
  reason: FinishReason
  /** The stop sequence that ended the reply, when `reason` is `stop-sequence`. */
  stopSequence?: string
  usage?: Usage
}

/**
 * Why a reply ended. `calls`: it ended with calls for the client to run; `length`: cut by the token limit;
 * `stop`: the model was done.
 */
export type FinishReason = 'stop' | 'calls' | 'length' | 'stop-sequence' | 'content-filter'

/** Tokens, as the upstream counted them. */
export interface Usage {
  inputTokens?: number
  outputTokens?: number
  /** How many of the input tokens came from the engine's prompt cache. */
  cachedTokens?: number
  /** How many of them were written to it, where the upstream counts (and bills) that apart. */
  cacheWriteTokens?: number
  reasoningTokens?: number
}

/** Something repaired, rejected, degraded or odd. `code` is for programs, `message` for people. */
export type NoticeSubject = 'closer'

export interface Notice {
  code: string
  message: string
  /** `closer`: a repair of a marker or bracket that closes a call. */
  about?: NoticeSubject
  /** Where in the model's text, as [start, end) in UTF-16 units. */
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
  | { type: 'reasoning'; text: string }
  | { type: 'text'; text: string }
  | { type: 'call'; id: string; name: string; arguments: string; complete: boolean }

/** Collects reply events; `reply` may be read at any time. */
export class ReplyCollector {
  readonly parts: ReplyPart[] = []
  readonly notices: Notice[] = []
  finish: FinishEvent | undefined
  readonly #calls = new Map<number, Extract<ReplyPart, { type: 'call' }>>()

  push(events: readonly ReplyEvent[]): void {
    for (const event of events) this.#add(event)
  }

  /** The reply so far; one without a finish event counts as stopped. */
  get reply(): Reply {
    return { parts: this.parts, notices: this.notices, finish: this.finish ?? { type: 'finish', reason: 'stop' } }
  }

  #add(event: ReplyEvent): void {
    switch (event.type) {
      case 'reasoning':
      case 'text': {
        const last = this.parts.at(-1)
        if (last?.type === event.type) last.text += event.text
        else this.parts.push({ type: event.type, text: event.text })
        return
      }
      case 'call-start': {
        const call = { type: 'call' as const, id: event.id, name: event.name, arguments: '', complete: false }
        this.#calls.set(event.index, call)
        this.parts.push(call)
        return
      }
      case 'call-arguments': {
        const call = this.#calls.get(event.index)
        if (call) call.arguments += event.json
        return
      }
      case 'call-end': {
        const call = this.#calls.get(event.index)
        if (call) call.complete = event.complete
        return
      }
      case 'notice':
        this.notices.push(event.notice)
        return
      case 'finish':
        this.finish = event
    }
  }
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
  // Not by its own iterator: Safari's streams have none, nor do TypeScript's types of them.
  for await (const events of 'getReader' in stream ? chunksOf(stream) : stream) {
    collector.push(Array.isArray(events) ? events : [events])
  }
  return collector.reply
}

async function* chunksOf<Chunk>(stream: ReadableStream<Chunk>): AsyncGenerator<Chunk, void, undefined> {
  const reader = stream.getReader()
  for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value
}
