import type { FinishReason, ReplyEvent, SaidReasoning } from '../../conversation/index.ts'
import type { Reader, ReadReport } from '../../dialects/index.ts'
import type { CallPiece } from '../../upstreams/index.ts'
import { NativeReader, type NativeReaderOptions } from './native-reader.ts'
import type { UpstreamReader } from './read-reply.ts'

export interface SentCallsReaderOptions extends Omit<NativeReaderOptions, 'text'> {
  /** Creates a reader for calls in the form that the prompt describes. */
  newReader: (trace?: NativeReaderOptions['trace']) => Reader
}

/**
 * Reads the reply of an upstream that was sent no tools, as the prompt describes them, and that may still send calls
 * itself: a server that parses the model's text (vLLM, llama-server, OCI's GENERIC). From the first such call on the reply is
 * read as that of an upstream that calls tools.
 */
export class SentCallsReader implements UpstreamReader {
  readonly #options: SentCallsReaderOptions
  readonly #text: Reader
  #native: NativeReader | undefined
  /** The calls that were begun in the text. */
  #callCount = 0
  #isBlank = true
  #length = 0

  constructor(options: SentCallsReaderOptions) {
    this.#options = options
    this.#text = options.newReader(options.trace)
  }

  push(text: string): ReplyEvent[] {
    if (this.#native) return this.#native.push(text)
    if (this.#isBlank) this.#isBlank = text.trim() === ''
    this.#length += text.length
    const events = this.#text.push(text)
    for (const event of events) if (event.type === 'call-start') this.#callCount++
    return events
  }

  pushReasoning(said: SaidReasoning): ReplyEvent[] {
    return this.#native?.pushReasoning(said) ?? [said]
  }

  pushCall(piece: CallPiece): ReplyEvent[] {
    if (!this.#native) {
      const { newReader, ...options } = this.#options
      const begun = { reader: this.#text, callCount: this.#callCount, isBlank: this.#isBlank, length: this.#length }
      this.#native = new NativeReader({ ...options, text: { begun, newReader } })
    }
    return this.#native.pushCall(piece)
  }

  end(reason: FinishReason): ReplyEvent[] {
    return (this.#native ?? this.#text).end(reason)
  }

  get openCallAt(): number | undefined {
    return this.#native ? undefined : this.#text.openCallAt
  }

  get report(): ReadReport {
    return (this.#native ?? this.#text).report
  }
}
