import {
  ArgumentWriter,
  JsonReader,
  type JsonSink,
  JsonText,
  mendJson,
  type Repair,
  repairs,
  Shape,
  unescapeJson,
} from '../json/index.ts'
import type { CallSink } from './call-reader.ts'

/** Under which keys models put the tool's name and the arguments, whatever they were told. */
const nameKeys: ReadonlySet<string> = new Set(['name', 'tool', 'tool_name', 'function'])
const argumentKeys: ReadonlySet<string> = new Set(['input', 'arguments', 'args', 'parameters', 'params'])
/** Members that other formats have and that say nothing here. */
const idleKeys: ReadonlySet<string> = new Set(['id', 'type', 'index', 'call_id', 'tool_call_id'])

type Slot = 'name' | 'arguments' | 'other'

/**
 * Takes the object around a call apart while it is read: the name goes to the sink, the arguments to a writer that
 * types them by the tool's schema. Arguments that come before the name are kept until it is known.
 */
export class Envelope implements JsonSink {
  readonly #sink: CallSink
  /** The place, in all of the model's text, of the token that is being read. */
  readonly #offset: () => number
  #depth = 0
  /** The depth at which the keys of the call stand: 1, or 2 inside `"function": {…}`. */
  #level = 1
  /** What the value that is being read, or comes next, is for. */
  #slot: Slot = 'other'
  #name = ''
  #writer: ArgumentWriter | undefined
  /** Arguments before the name, as JSON text. */
  #early: { json: string; text: JsonText; offset: number } | undefined
  /** Arguments that are themselves written as a JSON string. */
  #encoded: { json: string; offset: number } | undefined
  /** Where arguments stood that are read only now. */
  #replayed: number | undefined
  #hasArguments = false
  /** False when the arguments are no object. */
  #isSound = true

  constructor(sink: CallSink, offset: () => number) {
    this.#sink = sink
    this.#offset = offset
  }

  /** Ends the call; false when it has no name, or arguments that are no object. */
  finish(): boolean {
    if (!this.#isSound || !this.#writer) return false
    this.#writer.finish()
    return true
  }

  openObject(): void {
    if (this.#slot === 'arguments') {
      this.#hasArguments = true
      this.#target.openObject()
    } else if (this.#slot === 'name' && this.#isTop) {
      this.#level++
    }
    this.#depth++
  }

  /** A list of objects whose brackets were left out: the writer knows whether a list fits. */
  extendMember(): boolean {
    return this.#slot === 'arguments' && !this.#isTop && (this.#target.extendMember?.() ?? false)
  }

  closeObject(): void {
    this.#depth--
    if (this.#slot === 'arguments') this.#target.closeObject()
    if (this.#depth < this.#level) this.#level = Math.max(1, this.#depth)
    if (this.#depth <= this.#level) this.#slot = 'other'
  }

  openArray(): void {
    if (this.#slot === 'arguments') {
      if (this.#isTop) this.#refuseArguments()
      else this.#target.openArray()
    }
    this.#depth++
  }

  closeArray(): void {
    this.#depth--
    if (this.#slot === 'arguments') this.#target.closeArray()
    if (this.#isTop) this.#slot = 'other'
  }

  key(key: string): void {
    if (!this.#isTop) {
      if (this.#slot === 'arguments') this.#target.key(key)
      return
    }
    if (argumentKeys.has(key) && !this.#hasArguments) this.#slot = 'arguments'
    else if (nameKeys.has(key) && !this.#writer) this.#slot = 'name'
    else {
      this.#slot = 'other'
      if (!idleKeys.has(key)) {
        const shown = key.length > 60 ? `${key.slice(0, 60)}…` : key
        this.#sink.notice('ignored-member', `The call has a member "${shown}" that means nothing.`, this.#offset())
      }
    }
  }

  openString(): void {
    if (this.#slot === 'name' && this.#isTop) this.#name = ''
    if (this.#slot !== 'arguments') return
    if (this.#isTop) this.#encoded = { json: '', offset: this.#offset() }
    else this.#target.openString()
  }

  stringPiece(json: string): void {
    if (this.#slot === 'name' && this.#isTop) this.#name += json
    if (this.#slot !== 'arguments') return
    if (this.#encoded) this.#encoded.json += json
    else this.#target.stringPiece(json)
  }

  closeString(): void {
    if (this.#slot === 'arguments' && !this.#encoded) {
      this.#target.closeString()
      return
    }
    if (!this.#isTop) return
    const slot = this.#slot
    this.#slot = 'other'
    if (slot === 'name') this.#gotName(unescapeJson(this.#name).trim())
    else if (this.#encoded) this.#decode(this.#encoded.json, this.#encoded.offset)
    this.#encoded = undefined
  }

  literal(json: string): void {
    if (this.#slot === 'arguments') {
      if (!this.#isTop) this.#target.literal(json)
      // A null in place of arguments is a call without any.
      else if (json !== 'null') this.#refuseArguments()
    }
    if (this.#isTop) this.#slot = 'other'
  }

  repaired(repair: Repair, offset: number): void {
    this.#sink.notice('repaired', `Repaired in the call: ${repairs[repair]}.`, offset)
  }

  /** True where the call's own keys and their values stand. */
  get #isTop(): boolean {
    return this.#depth === this.#level
  }

  get #target(): JsonSink {
    if (this.#writer) return this.#writer
    this.#early ??= this.#keepEarly()
    return this.#early.text
  }

  #keepEarly(): { json: string; text: JsonText; offset: number } {
    const text = new JsonText((json) => {
      early.json += json
    })
    const early = { json: '', text, offset: this.#offset() }
    return early
  }

  #refuseArguments(): void {
    this.#isSound = false
    this.#slot = 'other'
  }

  #gotName(name: string): void {
    if (name === '') return
    const tool = this.#sink.name(name)
    this.#writer = new ArgumentWriter(tool ? Shape.of(tool.schema) : Shape.any, (json) => this.#sink.argument(json), {
      offset: () => this.#replayed ?? this.#offset(),
      repaired: () => {},
      typed: (key, message, offset) => this.#sink.notice('retyped', `Argument "${key}": ${message}.`, offset),
      repeated: (key, offset) =>
        this.#sink.notice('duplicate-argument', `Argument "${key}" came twice; the last counts.`, offset),
    })
    if (this.#early) this.#replay(this.#early.json, this.#early.offset)
    this.#early = undefined
  }

  /** Reads arguments that were kept; `offset` is where they stood. */
  #replay(json: string, offset: number): void {
    if (!this.#writer) {
      this.#early = { json, text: new JsonText(() => {}), offset }
      return
    }
    this.#replayed = offset
    new JsonReader(this.#writer).read(json, 0, true)
    this.#replayed = undefined
  }

  /** Arguments as a JSON string, perhaps of a JSON string: OpenAI's own form, and a common mistake. */
  #decode(json: string, offset: number): void {
    this.#hasArguments = true
    const text = unescapeJson(json)
    const value = text.trim() === '' ? '{}' : mendJson(text)
    if (value?.startsWith('"')) this.#decode(value.slice(1, -1), offset)
    else if (value?.startsWith('{')) this.#replay(value, offset)
    else this.#isSound = false
  }
}
