import type { AnycallError, FinishEvent, JsonObject, ReplyEvent } from '../../conversation/index.ts'
import type { StreamEncoder } from '../protocol.ts'
import { sseEvent } from '../sse.ts'
import { charactersOf, WholeCalls, type WholePart } from '../whole-calls.ts'
import { WholeCharacters } from '../whole-characters.ts'
import { encodePart, finishReasonOf, type GeminiContext, showsThoughts, Thoughts } from './encode.ts'
import { encodeErrorBody } from './error.ts'
import { encodeUsage } from './usage.ts'

/** Returns an encoder of one reply as a stream of `GenerateContentResponse`s. */
export function createEncoder(context: GeminiContext): StreamEncoder {
  return new ChunkEncoder(context, context.options.stream === 'array' ? new ArrayFrame() : new EventFrame())
}

/** The form of a stream around its chunks, which are JSON. */
interface Frame {
  chunk(json: string): string
  /** The text after the last chunk. */
  end(): string
  fail(json: string): string
  /** The text that keeps an idle connection open. */
  readonly ping: string
}

/** Server-sent events. */
class EventFrame implements Frame {
  /** No comment: older versions of Google's library find no event after one. Blank lines are nothing to any reader. */
  readonly ping = '\n\n'

  chunk(json: string): string {
    return sseEvent(json)
  }

  end(): string {
    return ''
  }

  /**
   * The error is sent twice: as an event, and as plain JSON, as Google's servers send it. Older versions of Google's library find
   * only the plain JSON, and event readers only the event.
   */
  fail(json: string): string {
    return sseEvent(json) + json
  }
}

/** One array, whose elements are the chunks. */
class ArrayFrame implements Frame {
  readonly ping = '\n'
  #hasBegun = false

  chunk(json: string): string {
    const before = this.#hasBegun ? ',\r\n' : '['
    this.#hasBegun = true
    return before + json
  }

  end(): string {
    return this.#hasBegun ? ']' : '[]'
  }

  fail(json: string): string {
    return `${this.chunk(json)}]`
  }
}

type SentPart = WholePart | FinishEvent

/** Writes one reply as chunks, each with one part. A chunk is built from JSON text: everything except the part is the same in all of them. */
class ChunkEncoder implements StreamEncoder {
  readonly #context: GeminiContext
  readonly #frame: Frame
  readonly #calls = new WholeCalls()
  readonly #thoughts: Thoughts
  readonly #whole = new WholeCharacters()
  /** The type of the part before, whose last character may wait for its second half. */
  #last: WholePart['type'] | undefined
  readonly #tail: string
  #characters = 0
  #ended = false

  constructor(context: GeminiContext, frame: Frame) {
    this.#context = context
    this.#frame = frame
    this.#thoughts = new Thoughts(context.options)
    this.#tail = `"modelVersion":${JSON.stringify(context.model)},"responseId":${JSON.stringify(context.id)}}`
  }

  start(): string {
    return ''
  }

  encode(events: readonly ReplyEvent[]): string | Promise<string> {
    const parts = this.#calls.pass(events)
    // To seal takes a turn of the event loop, so it is done for the batches with something to seal.
    const seals = (this.#thoughts.isOpen || parts.some(isReasoning)) && parts.some((part) => !isReasoning(part))
    if (seals) return this.#sealing(parts)
    let out = ''
    for (const part of parts) out += this.#write(part, {})
    return out
  }

  ping(): string {
    return this.#ended ? '' : this.#frame.ping
  }

  fail(error: AnycallError): string {
    if (this.#ended) return ''
    this.#ended = true
    return this.#frame.fail(JSON.stringify(encodeErrorBody(error)))
  }

  async #sealing(parts: readonly SentPart[]): Promise<string> {
    let out = ''
    for (const part of parts) out += this.#write(part, isReasoning(part) ? {} : await this.#thoughts.signature())
    return out
  }

  #write(part: SentPart, signature: JsonObject): string {
    if (this.#ended) return ''
    if (part.type === 'finish') return this.#half() + this.#finish(part, signature)
    this.#characters += charactersOf(part)
    const half = this.#last === part.type ? '' : this.#half()
    this.#last = part.type
    if (part.type === 'call') return half + this.#chunk({ ...encodePart(part), ...signature })
    if (part.type === 'reasoning') this.#thoughts.add(part)
    if (part.type === 'reasoning' && !showsThoughts(this.#context)) return half
    const text = this.#whole.push(part.text)
    if (text === '' && signature.thoughtSignature === undefined) return half
    return half + this.#chunk({ ...encodePart({ ...part, text }), ...signature })
  }

  /** Writes the half of a character that its text ended with. */
  #half(): string {
    const text = this.#whole.rest()
    const type = this.#last === 'reasoning' ? 'reasoning' : 'text'
    return text === '' ? '' : this.#chunk(encodePart({ type, text }))
  }

  #chunk(part: JsonObject): string {
    const content = `{"parts":[${JSON.stringify(part)}],"role":"model"}`
    return this.#frame.chunk(`{"candidates":[{"content":${content},"index":0}],${this.#tail}`)
  }

  #finish({ reason, usage }: FinishEvent, signature: JsonObject): string {
    this.#ended = true
    const candidate = {
      content: { parts: [{ text: '', ...signature }], role: 'model' },
      finishReason: finishReasonOf(reason, this.#calls.isBroken),
      index: 0,
    }
    const counts = JSON.stringify(encodeUsage(usage, this.#context, this.#characters))
    const last = `{"candidates":[${JSON.stringify(candidate)}],"usageMetadata":${counts},${this.#tail}`
    return this.#frame.chunk(last) + this.#frame.end()
  }
}

function isReasoning({ type }: SentPart): boolean {
  return type === 'reasoning'
}
