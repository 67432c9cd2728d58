import { JsonReader, type JsonSink, type JsonStatus, mendJson, type Repair, unescapeJson } from '../json/index.ts'
import type { CallArguments } from './call-arguments.ts'
import type { CallSink } from './call-sink.ts'
import { Envelope } from './envelope.ts'
import type { Json } from './expression.ts'
import type { ModelText } from './model-text.ts'

/** A JSON value in a block while it is read: calls in their envelope, a call's arguments, or one argument. */
export class JsonValue {
  readonly #reader: JsonReader
  readonly #envelope: Envelope | undefined
  readonly #object: ArgumentsObject | undefined

  #source: ModelText | undefined

  private constructor(format: Json, told: CallSink, args: CallArguments | undefined) {
    const sink = this.#inStep(told)
    const offset = () => this.#reader.offset
    if (format.holds === 'calls' || format.holds === 'call') {
      const abort = () => {
        this.#reader.status = 'stopped'
      }
      this.#envelope = new Envelope(sink, format, { offset, abort })
    } else if (format.holds === 'arguments' && args) {
      this.#object = new ArgumentsObject(args)
    }
    const target = this.#envelope ?? this.#object ?? args?.writer
    this.#reader = new JsonReader(target ?? new Envelope(sink, format, { offset, abort: () => {} }), format.style)
  }

  /** Undefined where no such value begins with `first`. */
  static begin(
    format: Json,
    first: string | undefined,
    sink: CallSink,
    args: CallArguments | undefined,
  ): JsonValue | undefined {
    const isEnvelope = format.holds === 'calls' || format.holds === 'call'
    if (!isEnvelope && !args) return undefined
    const opens = format.holds === 'value' ? /[^\s,)]/ : isEnvelope ? /[{[\uff5b\uff3b]/ : /[{["'n\uff5b\u201c]/
    return first !== undefined && opens.test(first) ? new JsonValue(format, sink, args) : undefined
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

  /** How many calls were told. */
  get calls(): number {
    return this.#envelope?.calls ?? 0
  }

  read(source: ModelText): JsonStatus {
    this.#source = source
    const end = this.#reader.read(source.text, source.place, source.isFinal, source.offsetOf(0))
    source.take(end, 'argument')
    return this.#reader.status
  }

  /** What is told of a call comes when the text before it was taken, and no more: so each text belongs to its call. */
  #inStep(sink: CallSink): CallSink {
    const take = (behind: number) => {
      const source = this.#source
      if (!source) return
      const place = this.#reader.offset + behind - source.offsetOf(0)
      if (place > source.place) source.take(Math.min(place, source.text.length), 'argument')
    }
    return {
      name: (name, id) => {
        take(0)
        return sink.name(name, id)
      },
      endCall: (complete) => {
        take(1)
        sink.endCall(complete)
      },
      knows: (name, key) => sink.knows(name, key),
      argument: (json) => sink.argument(json),
      notice: (code, message, offset) => sink.notice(code, message, offset),
    }
  }

  /** Closes what is open, where the end is proven; false when that is not possible. */
  close(at: number): boolean {
    return this.#reader.close(at)
  }

  /** False when what was read is no call, or no arguments. */
  finish(): boolean {
    if (this.#envelope) return !this.#envelope.isNone
    return this.#object?.isSound ?? true
  }
}

/** The arguments of a call as JSON: an object, or a string that holds one, or null for none. */
class ArgumentsObject implements JsonSink {
  isSound = true
  readonly #arguments: CallArguments
  #depth = 0
  #encoded: string | undefined

  constructor(args: CallArguments) {
    this.#arguments = args
  }

  openObject(): void {
    this.#depth++
    if (this.isSound) this.#arguments.writer.openObject()
  }

  closeObject(): void {
    this.#depth--
    if (this.isSound) this.#arguments.writer.closeObject()
  }

  openArray(): void {
    if (this.#depth === 0) this.isSound = false
    this.#depth++
    if (this.isSound) this.#arguments.writer.openArray()
  }

  closeArray(): void {
    this.#depth--
    if (this.isSound) this.#arguments.writer.closeArray()
  }

  key(key: string): void {
    if (this.isSound) this.#arguments.writer.key(key)
  }

  openString(): void {
    if (this.#depth === 0) this.#encoded = ''
    else if (this.isSound) this.#arguments.writer.openString()
  }

  stringPiece(json: string): void {
    if (this.#encoded !== undefined) this.#encoded += json
    else if (this.isSound) this.#arguments.writer.stringPiece(json)
  }

  closeString(): void {
    if (this.#encoded !== undefined) this.#decode(this.#encoded)
    else if (this.isSound) this.#arguments.writer.closeString()
    this.#encoded = undefined
  }

  literal(json: string): void {
    if (this.#depth > 0) {
      if (this.isSound) this.#arguments.writer.literal(json)
    } else if (json !== 'null') {
      this.isSound = false
    }
  }

  repaired(repair: Repair, offset: number): void {
    this.#arguments.writer.repaired(repair, offset)
  }

  #decode(json: string): void {
    const text = unescapeJson(json)
    const value = text.trim() === '' ? '{}' : mendJson(text)
    if (value?.startsWith('"')) this.#decode(value.slice(1, -1))
    else if (value?.startsWith('{')) new JsonReader(this.#arguments.writer).read(value, 0, true)
    else this.isSound = false
  }
}
