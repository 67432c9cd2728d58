import { type ClosingMark, JsonReader, type JsonStatus, JsonText } from '../../../json/index.ts'
import type { CallSink } from '../../scan/call-sink.ts'
import type { ModelText } from '../../scan/model-text.ts'
import type { Json } from '../../tree/expression.ts'
import { ArgumentsObject } from './arguments-object.ts'
import type { CallArguments } from './call-arguments.ts'
import { Envelope } from './envelope.ts'
import { UnnamedCall } from './unnamed-call.ts'

/** The text read before a JSON value: the arguments of the call that contains it, or the id of the call that it is. */
export interface JsonPlace {
  args: CallArguments | undefined
  id?: string | undefined
}

const opensEnvelope = /[{[\uff5b\uff3b]/
/** The characters with which a value may begin, by its `holds`. */
const openers: Readonly<Record<Json['holds'], RegExp>> = {
  value: /[^\s,)]/,
  arguments: /[{["'n\uff5b\u201c]/,
  unnamed: /[{\uff5b]/,
  call: opensEnvelope,
  calls: opensEnvelope,
  message: opensEnvelope,
}

/** A JSON value in a block while it is read: calls in their envelope, a call's arguments, or one argument. */
export class JsonValueReader {
  readonly #reader: JsonReader
  readonly #envelope: Envelope | undefined
  readonly #object: ArgumentsObject | undefined
  readonly #unnamed: UnnamedCall | undefined

  #source: ModelText | undefined
  #isClosing = false
  readonly #isMessage: boolean

  private constructor(format: Json, emitted: CallSink, { args, id = '' }: JsonPlace, marks: readonly ClosingMark[]) {
    const sink = this.#inStep(emitted)
    const offset = () => this.#reader.offset
    const named = () => this.#source?.mark('name', ...this.#reader.content)
    if (format.holds === 'calls' || format.holds === 'call') {
      const abort = () => {
        this.#reader.status = 'stopped'
      }
      this.#envelope = new Envelope(sink, format, { offset, abort, named })
    } else if (format.holds === 'arguments' && args) {
      this.#object = new ArgumentsObject(args, format)
    } else if (format.holds === 'unnamed') {
      this.#unnamed = new UnnamedCall(sink, id, offset)
    }
    const discarded = format.holds === 'message' ? new JsonText(() => {}) : undefined
    this.#isMessage = discarded !== undefined
    const target = discarded ?? this.#envelope ?? this.#object ?? this.#unnamed ?? args?.writer
    this.#reader = new JsonReader(
      target ?? new Envelope(sink, format, { offset, abort: () => {}, named }),
      format.style,
      marks,
    )
  }

  /** Returns undefined if no such value begins with `first`. `marks` close the text around the value. */
  static begin(
    format: Json,
    first: string | undefined,
    sink: CallSink,
    place: JsonPlace,
    marks: readonly ClosingMark[] = [],
  ): JsonValueReader | undefined {
    const opens = openers[format.holds]
    const isInCall = format.holds === 'value' || format.holds === 'arguments'
    if (isInCall && !place.args) return undefined
    return first !== undefined && opens.test(first) ? new JsonValueReader(format, sink, place, marks) : undefined
  }

  /** The place, in all of the model's text, of the token that is being read. */
  get offset(): number {
    return this.#reader.offset
  }

  get isAfterComma(): boolean {
    return this.#reader.isAfterComma
  }

  /** True when this turned out to hold no call. */
  get isNone(): boolean {
    return this.#envelope?.isNone ?? false
  }

  /** The number of calls that were emitted. */
  get calls(): number {
    return (this.#envelope ?? this.#unnamed)?.calls ?? 0
  }

  read(source: ModelText): JsonStatus {
    this.#source = source
    // If the text was cut off, its last word, or a quote at its end, may be incomplete.
    const isEnd = source.isFinal && !source.isCut
    const end = this.#reader.read(source.text, source.place, isEnd, source.offsetOf(0))
    source.take(source.isCut && this.#reader.status === 'more' ? source.text.length : end, 'argument')
    return this.#reader.status
  }

  /**
   * Wraps the sink so that each event of a call is emitted right after the text before it was consumed: so each text
   * belongs to its call.
   */
  #inStep(sink: CallSink): CallSink {
    const take = (after: number) => {
      const source = this.#source
      if (!source) return
      const place = this.#reader.offset + after - source.offsetOf(0)
      if (place > source.place) source.take(Math.min(place, source.text.length), 'argument')
    }
    return {
      name: (name, start, id) => {
        take(0)
        return sink.name(name, start, id)
      },
      endCall: (complete) => {
        take(this.#isClosing ? 0 : 1)
        sink.endCall(complete)
      },
      lateId: (id) => sink.lateId(id),
      knows: (name, key) => sink.knows(name, key),
      offers: (name) => sink.offers(name),
      toolWith: (keys) => sink.toolWith(keys),
      textKey: (name) => sink.textKey(name),
      argument: (json) => sink.argument(json),
      notice: (...notice) => sink.notice(...notice),
    }
  }

  /** Closes what is open if the end is proven; false if that is not possible. */
  close(at: number): boolean {
    // No bracket is there to be taken.
    this.#isClosing = true
    return this.#reader.close(at)
  }

  /** False if the value is no call, or no arguments. */
  finish(): boolean {
    if (this.#isMessage) return false
    if (this.#envelope) return !this.#envelope.isNone
    return this.#object?.isSound ?? true
  }
}
