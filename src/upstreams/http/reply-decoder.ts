import { createParser, type EventSourceMessage, type EventSourceParser, type ParseError } from 'eventsource-parser'
import { isJsonObject, type JsonObject, type Usage } from '../../conversation/index.ts'
import { type JsonBounds, type JsonExcess, jsonExcess, parseInPieces } from '../../json/index.ts'
import { TextPieces } from '../text-pieces.ts'
import type { Log, UpstreamEvent } from '../upstream.ts'
import { ChunkTemplate } from './chunk-template.ts'
import { type ErrorSource, redact, streamError, UpstreamError } from './upstream-error.ts'
import type { WireFormat } from './wire-format.ts'

/** The longest event, and the longest reply that is not streamed, in UTF-16 units. */
const maxEventLength = 16 * 1024 * 1024
/**
 * The bounds of one event: a piece of a reply has some dozens of values, a whole reply with many calls some thousands.
 */
const eventBounds: JsonBounds = { values: 100_000, depth: 200 }
/** The length of an event that is parsed at once: a few milliseconds of work. */
const mostAtOnce = 256 * 1024
/** The number of characters of an unreadable response that an error shows. */
const excerptLength = 200
/** More than an excerpt, so that a key at its end is whole and can be found. */
const headLength = 4 * excerptLength

/**
 * Reads the bytes of a reply, streamed or whole. The first character distinguishes the two, because many servers send
 * the wrong content type. Never throws: an error is in `failure`, after the events that came before it.
 */
export class ReplyDecoder {
  /** Nothing more is to come. */
  done = false
  /** The reply is over, and the server is to stop. */
  isLeft = false
  failure: UpstreamError | undefined
  /** The reason why the reply ended was seen; usage may follow. */
  finished = false
  readonly #format: WireFormat
  readonly #source: ErrorSource
  readonly #log: Log
  readonly #text: TextPieces = new TextPieces()
  readonly #parser: EventSourceParser
  readonly #template: ChunkTemplate | undefined
  #form: 'unknown' | 'stream' | 'lines' | 'whole' = 'unknown'
  /** The line so far, in pieces. */
  #line: string[] = []
  #whole: string[] = []
  #wholeLength = 0
  /** The beginning of the response, for the error if none of it can be read. */
  #head = ''
  #readable = 0
  #garbage = false
  #warned = new Set<string>()
  #events: UpstreamEvent[] = []
  /** The text after those events: pieces that come together are one event, so that a burst of 200 is handled once by all who read it. */
  #said = ''
  /** A large event, and the events after it. */
  #waiting: (() => void | Promise<void>)[] = []
  #isEnded = false

  constructor(format: WireFormat, source: ErrorSource, log: Log) {
    this.#format = format
    this.#template = format.textKey === undefined ? undefined : new ChunkTemplate(format.textKey, format.read)
    this.#source = source
    this.#log = log
    this.#parser = createParser({
      // Does the same as `#inOrder`. A reply has hundreds of events, so a function is made only for an event that waits.
      onEvent: (event) => {
        if (event.data.length > mostAtOnce || this.#waiting.length > 0) this.#waiting.push(() => this.#onEvent(event))
        else void this.#onEvent(event)
      },
      onError: (error) => this.#inOrder(() => this.#onParseError(error), error.value?.length),
      maxBufferSize: maxEventLength,
    })
  }

  /** Takes a piece of the body and returns the events that it completes; `readOn` returns the rest of a large piece. */
  push(bytes: Uint8Array): UpstreamEvent[] {
    this.#feed(this.#text.push(bytes))
    return this.#take()
  }

  /** True if `readOn` is to be called before more of the body is taken. */
  get waits(): boolean {
    return this.#waiting.length > 0
  }

  /** Reads a large event in pieces between which other work is done, and the events that came with it. */
  async readOn(): Promise<UpstreamEvent[]> {
    while (!this.#over && this.#waiting.length > 0) {
      await this.#waiting[0]?.()
      this.#waiting.shift()
    }
    this.#waiting = []
    if (this.#isEnded) this.#conclude()
    return this.#take()
  }

  /** The body is over. */
  end(): UpstreamEvent[] {
    this.#feed(this.#text.end())
    if (this.#form === 'whole') this.#inOrder(() => this.#readWhole(), this.#wholeLength)
    else if (this.#form === 'lines') this.#feedLines('\n')
    // An event counts although the blank line after it is missing.
    else if (!this.#over) this.#parser.feed('\n\n')
    this.#isEnded = true
    if (!this.waits) this.#conclude()
    return this.#take()
  }

  /** All of the body is read. */
  #conclude(): void {
    if (this.#over) return
    if (this.finished) this.done = true
    else this.failure = this.#readable === 0 && this.#garbage ? this.#unreadable() : this.#cut()
  }

  /** Does something at once, unless it is long, or something before it waits. */
  #inOrder(work: () => void | Promise<void>, length = 0): void {
    if (this.waits || length > mostAtOnce) this.#waiting.push(work)
    else void work()
  }

  get #over(): boolean {
    return this.done || this.failure !== undefined
  }

  #feed(text: string): void {
    if (text === '' || this.#over) return
    if (this.#head.length < headLength) this.#head = (this.#head + text).slice(0, headLength)
    if (this.#form === 'unknown') {
      const first = this.#head.trimStart()
      if (this.#format.framing === 'lines') this.#form = 'lines'
      else if (first !== '') this.#form = first.startsWith('{') ? 'whole' : 'stream'
    }
    if (this.#form === 'lines') {
      this.#feedLines(text)
      return
    }
    if (this.#form !== 'whole') {
      this.#parser.feed(text)
      return
    }
    this.#whole.push(text)
    this.#wholeLength += text.length
    if (this.#wholeLength > maxEventLength) this.failure = this.#tooLong()
  }

  #feedLines(text: string): void {
    let from = 0
    for (let end = text.indexOf('\n'); end >= 0 && !this.#over; end = text.indexOf('\n', from)) {
      const line = this.#line.join('') + text.slice(from, end)
      this.#line = []
      this.#wholeLength = 0
      from = end + 1
      if (line.trim() === '') continue
      this.#inOrder(() => this.#onEvent({ id: undefined, event: undefined, data: line }), line.length)
    }
    if (this.#over || from === text.length) return
    this.#line.push(text.slice(from))
    this.#wholeLength += text.length - from
    if (this.#wholeLength > maxEventLength) this.failure = this.#tooLong()
  }

  #take(): UpstreamEvent[] {
    this.#endText()
    const events = this.#events
    if (events.length > 0) this.#events = []
    return events
  }

  #emit(event: UpstreamEvent): void {
    this.#endText()
    this.#events.push(event)
  }

  #endText(): void {
    if (this.#said === '') return
    this.#events.push({ type: 'text', text: this.#said })
    this.#said = ''
  }

  #readWhole(): void | Promise<void> {
    const text = this.#whole.join('')
    return this.#parsed(text, (value) => this.#onWhole(value, text))
  }

  #onWhole(value: unknown, text: string): void {
    if (isJsonObject(value)) this.#onObject(value, text)
    if (this.#over || this.finished) return
    if (isJsonObject(value) && this.#format.isReply(value)) this.#finish()
    else this.failure = this.#unreadable()
  }

  #onEvent({ event, data }: EventSourceMessage): void | Promise<void> {
    if (this.#over) return
    if (data === '[DONE]') {
      this.#readable++
      if (!this.#format.hasLastObject) this.#close()
      return
    }
    const isSmall = data.length <= mostAtOnce
    const text = event === undefined && isSmall ? this.#template?.read(data) : undefined
    if (text !== undefined) {
      this.#readable++
      this.#said += text
      return
    }
    if (event === 'error') {
      const fail = (value: unknown): void => {
        this.failure = streamError(this.#source, value, data)
      }
      return this.#parsed(data, fail, () => fail(undefined))
    }
    return this.#parsed(data, (value) => this.#onValue(value, data, event))
  }

  #onValue(value: unknown, data: string, event: string | undefined): void {
    if (isJsonObject(value)) {
      this.#onObject(value, data, event)
      if (!this.#over && event === undefined && data.length <= mostAtOnce) this.#template?.learn(data)
    } else if (data.trim() !== '') {
      this.#garbage = true
      this.#warnOnce('upstream.malformed-event', { data: this.#excerpt(data) })
      // A part of the reply is lost, perhaps of a call's argument: the parts before and after it must not be joined.
      if (data.trimStart().startsWith('{') && this.#readable > 0 && !this.finished) {
        this.failure = this.#broken(data)
      }
    }
  }

  /**
   * Returns the value of a JSON text, undefined if it is not JSON; by default the reply fails with a text that exceeds
   * the bounds.
   */
  #parsed(
    json: string,
    then: (value: unknown) => void,
    otherwise: (excess: JsonExcess) => void = (excess) => this.#failOf(json, excess),
  ): void | Promise<void> {
    if (json.length > mostAtOnce) return this.#parsedInPieces(json, then, otherwise)
    const excess = jsonExcess(json, eventBounds)
    if (excess === undefined) then(parseJson(json))
    else otherwise(excess)
  }

  async #parsedInPieces(
    json: string,
    then: (value: unknown) => void,
    otherwise: (excess: JsonExcess) => void,
  ): Promise<void> {
    const parsed = await parseInPieces(json, eventBounds).catch((error: unknown) => {
      if (!(error instanceof SyntaxError)) throw error
      return { value: undefined }
    })
    if ('excess' in parsed) otherwise(parsed.excess)
    else then(parsed.value)
  }

  #failOf(json: string, excess: JsonExcess): void {
    const what =
      excess === 'values' ? `more than ${eventBounds.values} values` : `more than ${eventBounds.depth} levels`
    this.failure = new UpstreamError(
      'upstream',
      `Upstream "${this.#source.upstream}" sent an event with ${what}, beginning with "${this.#excerpt(json)}". Check that its url is that of ${this.#format.server}.`,
      false,
    )
  }

  #onObject(value: JsonObject, text: string, event?: string): void {
    this.#readable++
    // Some servers answer with an error's object alone, without the `error` around it (older vLLM).
    // OpenAI's Responses API documents an error with its fields beside the type, and not every server names the event.
    const isError = value.object === 'error' || value.type === 'error'
    if (isError || (value.error !== undefined && value.error !== null)) {
      this.failure = streamError(this.#source, value, text)
      return
    }
    const { events, failed, error, isLast, isLeft = false } = this.#format.read(value, event)
    for (const one of events) {
      if (one.type === 'usage') this.#emit({ type: 'usage', usage: countsOf(one.usage) })
      else if (one.type !== 'finish') this.#emit(one)
      else if (!this.finished) {
        this.finished = true
        this.#emit(one)
      }
    }
    if (error !== undefined) {
      this.failure = streamError(this.#source, error, text)
      return
    }
    if (isLast && failed === undefined) {
      this.#close()
      this.isLeft = isLeft
    }
    if (failed !== undefined) {
      this.failure = new UpstreamError(
        'upstream',
        `Upstream "${this.#source.upstream}" gave up on its reply (finish reason "${failed}"). Look for the cause in that server's log.`,
        true,
      )
    }
  }

  #onParseError(error: ParseError): void | Promise<void> {
    if (this.#over) return
    if (error.type === 'max-buffer-size-exceeded') this.failure = this.#tooLong()
    if (error.type !== 'unknown-field') return
    this.#garbage = true
    // Older llama-server: a separate SSE field, `error: {…}`.
    const text = error.field === 'error' ? (error.value ?? '') : ''
    if (text === '') return
    return this.#parsed(text, (value) => {
      if (isJsonObject(value)) this.failure = streamError(this.#source, value, text)
    })
  }

  #close(): void {
    if (!this.finished) this.#finish()
    this.done = true
  }

  #finish(): void {
    this.finished = true
    this.#emit({ type: 'finish', reason: 'stop' })
  }

  #cut(): UpstreamError {
    return new UpstreamError(
      'upstream',
      `The reply of upstream "${this.#source.upstream}" was cut: it ended without a finish reason. Look for the cause in that server's log.`,
      true,
    )
  }

  #broken(data: string): UpstreamError {
    return new UpstreamError(
      'upstream',
      `The reply of upstream "${this.#source.upstream}" was cut or garbled within an event, so that a part of it is lost: "${this.#excerpt(data)}". Look for the cause in that server's log, and in what stands between.`,
      true,
    )
  }

  #unreadable(): UpstreamError {
    return new UpstreamError(
      'upstream',
      `Upstream "${this.#source.upstream}" sent what is not ${this.#format.noun}: "${this.#excerpt(this.#head)}". Check that its url is that of ${this.#format.server}.`,
      false,
    )
  }

  #tooLong(): UpstreamError {
    return new UpstreamError(
      'upstream',
      `Upstream "${this.#source.upstream}" sent an event of more than ${maxEventLength} characters, beginning with "${this.#excerpt(this.#head)}". Check that its url is that of ${this.#format.server}.`,
      false,
    )
  }

  #excerpt(text: string): string {
    // The text is cut before redaction as well, because it comes from outside and may have any length.
    return redact(text.slice(0, headLength), this.#source.secrets).slice(0, excerptLength)
  }

  /** Once a reply, so that a broken server cannot flood the log. */
  #warnOnce(event: string, fields: Record<string, unknown> = {}): void {
    if (this.#warned.has(event)) return
    this.#warned.add(event)
    this.#log('warn', event, { upstream: this.#source.upstream, ...fields })
  }
}

/** The counts that can be: a number of tokens is whole and not below zero. */
function countsOf(usage: Usage): Usage {
  const isCount = (count: number): boolean => Number.isSafeInteger(count) && count >= 0
  if (Object.values(usage).every(isCount)) return usage
  return Object.fromEntries(Object.entries(usage).filter(([, count]) => isCount(count)))
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
