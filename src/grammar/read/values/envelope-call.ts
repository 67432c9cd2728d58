import { JsonReader, type JsonSink, JsonText, repairJson, unescapeJson } from '../../../json/index.ts'
import type { CallSink } from '../../scan/call-sink.ts'
import { CallArguments } from './call-arguments.ts'
import { schemaKeys } from './envelope-slots.ts'

/** The target of a call's events and the facts about the envelope around it. */
export interface CallContext {
  sink: CallSink
  /** True if no marker identifies this as a call, so that the object itself must: by a name and arguments. */
  isBare: boolean
  /** The place, in all of the model's text, of the token that is being read. */
  offset: () => number
  /** The number of calls of the envelope that were emitted. */
  calls: () => number
  /** Called when the call's name was emitted. */
  emitted: () => void
  /** Called if there is no call here after all. Ignored if a call was emitted already. */
  giveUp: () => void
  /** Reports an item of a list that is no call. */
  noCall: () => void
}

/** JSON text that is kept, as its place is not clear yet. */
interface Kept {
  json: string
  text: JsonText
  offset: number
}

/** One call while its object is read: arguments that come before the name are kept until it is known. */
export class EnvelopeCall {
  /** Defined once the name was emitted. */
  arguments: CallArguments | undefined
  /** Arguments that are themselves written as a JSON string. */
  encoded: { json: string; offset: number } | undefined
  hasArguments = false
  /** True for an object around calls. */
  isEnvelope = false
  /** Members that mean nothing in a call. */
  unknownKeys = 0
  /** The key of the name says that the object is a call, with its arguments beside the name: `_name`, which TGI makes models write. */
  isSure = false
  /** The key of the arguments says that they may be a text, as LangChain's tools take one: `action_input`. */
  mayBeText = false
  readonly #context: CallContext
  /** The place of the object. */
  readonly #start: number
  /** The first that the object has. */
  #id: string | undefined
  /** The name, until it is emitted. */
  #name: string | undefined
  /** Arguments before the name, as JSON text. */
  #early: Kept | undefined
  /** The tool's arguments next to the name, kept until it is known that the call has no others. */
  #beside: Kept | undefined
  /** False when the arguments are no object. */
  #isSound = true
  /** The offset of kept arguments that are read now. */
  #replayed: number | undefined
  /** True for a bare call at the beginning of its arguments: their first member decides if it is a call. */
  #isUndecided = false

  constructor(context: CallContext) {
    this.#context = context
    this.#start = context.offset()
  }

  /** True if its name is known, emitted or not. */
  get isNamed(): boolean {
    return this.#name !== undefined || this.arguments !== undefined
  }

  /** Takes the arguments, or keeps them. */
  get target(): JsonSink {
    if (this.arguments) return this.arguments.writer
    this.#early ??= keep(this.#context.offset())
    return this.#early.text
  }

  /** The sink for members next to the name. */
  get besideTarget(): JsonSink {
    if (!this.#beside) {
      this.#beside = keep(this.#context.offset())
      this.#beside.text.openObject()
    }
    return this.#beside.text
  }

  gotName(name: string): void {
    if (name === '' || this.isNamed) return
    this.#name = name
    if (!this.#context.isBare || this.hasArguments || this.isSure) this.emit()
  }

  gotId(id: string): void {
    if (this.#id !== undefined) return
    this.#id = id
    // Mistral writes it after the arguments.
    if (this.arguments) this.#context.sink.lateId(id)
  }

  beginArguments(): void {
    this.hasArguments = true
    this.#isUndecided = this.#context.isBare && this.#name !== undefined
    this.target.openObject()
  }

  /**
   * Decides if a bare call is the definition of a tool: then its arguments are a schema. `key` is the next key of the arguments,
   * if they have one. A `type` is an argument as well: its value decides.
   */
  decide(key?: string): void {
    if (!this.#isUndecided) return
    const { sink, giveUp } = this.#context
    const isFirst = this.#early?.json === '{'
    const mayBeSchema = isFirst && key !== undefined && schemaKeys.has(key) && !sink.knows(this.#name ?? '', key)
    if (mayBeSchema && key === 'type') return
    this.#isUndecided = false
    if (mayBeSchema || this.#early?.json.startsWith('{"type":"object"')) giveUp()
    else this.emit()
  }

  /** Emits the call's name, from which on it is a call. */
  emit(): void {
    if (this.arguments) return
    if (this.#name === undefined) {
      // Arguments without a name yet: kept.
      this.hasArguments = true
      return
    }
    const { sink, offset, emitted } = this.#context
    const tool = sink.name(this.#name, this.#start, this.#id)
    emitted()
    this.#name = undefined
    this.arguments = new CallArguments(tool, sink, () => this.#replayed ?? offset())
    if (this.#early) this.#replay(this.#early.json, this.#early.offset)
    this.#early = undefined
  }

  /** Handles arguments that are not an object. */
  refuseArguments(): void {
    this.#isSound = false
    if (this.#context.isBare && !this.arguments) this.#context.giveUp()
  }

  /** Arguments as a JSON string, perhaps of a JSON string: OpenAI's own form, and a common mistake. */
  decode(json: string, offset: number): void {
    this.hasArguments = true
    const text = unescapeJson(json)
    const value = text.trim() === '' ? '{}' : repairJson(text)
    if (value?.startsWith('"')) {
      this.decode(value.slice(1, -1), offset)
      return
    }
    if (!value?.startsWith('{')) {
      if (this.mayBeText && this.#takeText(json)) return
      this.#isSound = false
      if (this.#context.isBare && !this.arguments) this.#context.giveUp()
      else this.emit()
      return
    }
    this.emit()
    this.#replay(value, offset)
  }

  /** Takes a text for the tool's one argument; false if there is no such argument, or the tool is not known yet. */
  #takeText(json: string): boolean {
    const name = this.#name ?? this.arguments?.name
    const key = name === undefined ? undefined : this.#context.sink.textKey(name)
    if (key === undefined) return false
    this.emit()
    if (!this.arguments) return false
    this.arguments.key(key)
    this.arguments.writer.openString()
    this.arguments.writer.stringPiece(json)
    this.arguments.writer.closeString()
    return true
  }

  /** The object has ended. */
  end(): void {
    if (this.isEnvelope) return
    const { sink, isBare, calls, giveUp, noCall } = this.#context
    if (!this.arguments && this.#isNamedAlone) this.emit()
    if (!this.arguments) {
      if (isBare && calls() === 0) giveUp()
      else noCall()
      return
    }
    if (this.#beside) this.#takeBeside(this.#beside)
    if (this.#isSound) this.arguments.finish()
    sink.endCall(this.#isSound)
  }

  /**
   * True if a name alone is a call without arguments. In a bare object, the name must be a tool's and the only member.
   */
  get #isNamedAlone(): boolean {
    if (this.#name === undefined) return false
    const { sink, isBare } = this.#context
    return !isBare || (this.unknownKeys === 0 && sink.offers(this.#name))
  }

  #takeBeside({ json, text, offset }: Kept): void {
    const { sink } = this.#context
    if (this.hasArguments) {
      sink.notice('ignored-member', 'The call has arguments, and others beside its name.', offset)
      return
    }
    text.closeObject()
    sink.notice('repaired', 'Repaired in the call: arguments beside the name.', offset)
    this.#replay(json, offset)
  }

  /** Reads arguments that were kept. `offset` is the place at which they began. */
  #replay(json: string, offset: number): void {
    if (!this.arguments) {
      this.#early = { json, text: new JsonText(() => {}), offset }
      return
    }
    this.#replayed = offset
    new JsonReader(this.arguments.writer).read(json, 0, true)
    this.#replayed = undefined
  }
}

function keep(offset: number): Kept {
  const text = new JsonText((json) => {
    kept.json += json
  })
  const kept: Kept = { json: '', text, offset }
  return kept
}
