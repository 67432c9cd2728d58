import { JsonReader, type JsonSink, JsonText, mendJson, type Repair, repairs, unescapeJson } from '../json/index.ts'
import { CallArguments } from './call-arguments.ts'
import type { CallSink } from './call-sink.ts'
import type { EnvelopeKeys } from './expression.ts'

/** Under which keys models put things, whatever they were told. */
type Slot = 'name' | 'arguments' | 'id' | 'calls' | 'call' | 'idle' | 'preamble' | 'message' | 'beside' | 'other'
const slots: ReadonlyMap<string, Slot> = new Map<string, Slot>([
  ...['name', 'tool', 'tool_name', 'toolName', 'function', 'function_name', 'recipient_name', 'action'].map(
    (key): [string, Slot] => [key, 'name'],
  ),
  ...['input', 'arguments', 'args', 'parameters', 'params', 'tool_input', 'action_input'].map((key): [string, Slot] => [
    key,
    'arguments',
  ]),
  ...['id', 'call_id', 'tool_call_id'].map((key): [string, Slot] => [key, 'id']),
  ...['tool_calls', 'tool_uses', 'function_calls', 'calls'].map((key): [string, Slot] => [key, 'calls']),
  ...['tool_call', 'function_call'].map((key): [string, Slot] => [key, 'call']),
  ...['type', 'index'].map((key): [string, Slot] => [key, 'idle']),
  ...['thought', 'thoughts', 'thinking', 'reasoning', 'explanation', 'analysis', 'plan'].map((key): [string, Slot] => [
    key,
    'preamble',
  ]),
  // Beside calls these say that the object is a quoted message of a transcript.
  ...['role', 'content'].map((key): [string, Slot] => [key, 'message']),
])

/** Names are shorter. */
const longestName = 256

/** Keys with which a JSON schema begins: an object with a tool's name and these is the tool's definition, no call. */
const schemaKeys: ReadonlySet<string> = new Set(['type', 'properties', '$schema', 'required', '$defs'])

/** Arguments whose place is not clear yet, as JSON text. */
interface Kept {
  json: string
  text: JsonText
  offset: number
}

/** One call while its object is read. */
interface Call {
  /** The name, while it is not told yet. */
  name: string | undefined
  id: string | undefined
  /** There once the name was told. */
  arguments: CallArguments | undefined
  /** Arguments before the name, as JSON text. */
  early: Kept | undefined
  /** Arguments that are themselves written as a JSON string. */
  encoded: { json: string; offset: number } | undefined
  hasArguments: boolean
  /** The tool's arguments that stand beside the name, kept until it is known that the call has no others. */
  beside: Kept | undefined
  /** False when the arguments are no object. */
  isSound: boolean
  /** True for an object around calls. */
  isEnvelope: boolean
  /** Members that mean nothing in a call. */
  strangers: number
}

/** How an envelope and the text it stands in know of each other. */
export interface EnvelopePlace {
  /** The place, in all of the model's text, of the token that is being read. */
  offset: () => number
  /** Stops the reading where no call can come any more: so many characters before where it has come to. */
  abort: (surplus: number) => void
  /** The string that has just ended is a call's name. */
  named: () => void
}

/**
 * Takes JSON with calls in it apart while it is read: a call, a list of them, or an object around either. Names go to
 * the sink, arguments to a writer that types them by the tool's schema. Arguments that come before the name are kept
 * until it is known.
 */
export class Envelope implements JsonSink {
  /** True when this turned out to hold no call. */
  isNone = false
  /** How many calls were told. */
  calls = 0
  readonly #sink: CallSink
  readonly #offset: () => number
  readonly #abort: (surplus: number) => void
  readonly #named: () => void
  readonly #keys: EnvelopeKeys
  /** No marker says that this is a call, so that the object itself must: by a name and arguments. */
  readonly #isBare: boolean
  /** The open brackets, without those inside of values. `wrapped` is an object inside a call that speaks for it. */
  readonly #frames: ('list' | 'call' | 'wrapped')[] = []
  readonly #open: Call[] = []
  /** How deep inside a member's value; 0 where the members themselves are. */
  #inside = 0
  /** What the value that is being read, or comes next, is for. */
  #slot: Slot = 'other'
  #string = ''
  /** Where arguments stood that are read only now. */
  #replayed: number | undefined
  /** A bare call whose arguments begin: their first key decides. */
  #isUndecided = false

  constructor(sink: CallSink, format: { keys: EnvelopeKeys; isBare: boolean }, place: EnvelopePlace) {
    this.#sink = sink
    this.#keys = format.keys
    this.#isBare = format.isBare
    this.#offset = place.offset
    this.#abort = place.abort
    this.#named = place.named
  }

  openObject(): void {
    if (this.#inside > 0) {
      this.#inside++
      if (this.#isKept) this.#target.openObject()
      return
    }
    if (this.#isElement || this.#slot === 'calls' || this.#slot === 'call') {
      this.#frames.push('call')
      this.#open.push(newCall())
      this.#slot = 'other'
    } else if (this.#slot === 'name') {
      this.#frames.push('wrapped')
      this.#slot = 'other'
    } else {
      this.#inside = 1
      if (this.#slot === 'arguments') this.#beginArguments()
      else if (this.#slot === 'beside') this.#target.openObject()
    }
  }

  /** A list of objects whose brackets were left out: the writer knows whether a list fits. */
  extendMember(): boolean {
    return this.#slot === 'arguments' && this.#inside > 0 && (this.#target.extendMember?.() ?? false)
  }

  wantsObject(): boolean {
    if (this.#slot !== 'arguments') return false
    return this.#inside === 0 || (this.#target.wantsObject?.() ?? false)
  }

  closeObject(): void {
    if (this.#inside > 0) {
      this.#inside--
      if (this.#isKept) {
        if (this.#inside === 0) this.#decide()
        if (!this.isNone) this.#target.closeObject()
      }
      if (this.#inside === 0) this.#slot = 'other'
      return
    }
    const frame = this.#frames.pop()
    if (frame === 'call') this.#endOfCall()
    this.#slot = 'other'
  }

  openArray(): void {
    if (this.#inside > 0) {
      this.#inside++
      if (this.#isKept) this.#target.openArray()
    } else if (this.#isElement || this.#slot === 'calls') {
      this.#frames.push('list')
      this.#slot = 'other'
    } else {
      if (this.#slot === 'arguments') this.#refuseArguments()
      if (this.#slot === 'beside') this.#target.openArray()
      this.#inside = 1
    }
  }

  closeArray(): void {
    if (this.#inside > 0) {
      this.#inside--
      if (this.#isKept) this.#target.closeArray()
      if (this.#inside === 0) this.#slot = 'other'
      return
    }
    this.#frames.pop()
    this.#slot = 'other'
  }

  key(key: string): void {
    if (this.#inside > 0) {
      if (!this.#isKept) return
      if (this.#inside === 1) this.#decide(key)
      if (!this.isNone) this.#target.key(key)
      return
    }
    const call = this.#open.at(-1)
    if (!call) return
    this.#slot = this.#slotOf(key, call)
    if (this.#slot === 'calls' || this.#slot === 'call') call.isEnvelope = true
    if (this.#slot === 'other' || this.#slot === 'message') this.#meetStranger(key, call)
    else if (this.#slot === 'beside') this.#keepBeside(key, call)
  }

  openString(): void {
    if (this.#inside > 0) {
      if (this.#isKept) this.#target.openString()
      return
    }
    if (this.#slot === 'beside') this.#target.openString()
    this.#string = ''
    const call = this.#open.at(-1)
    if (this.#slot === 'arguments' && call) call.encoded = { json: '', offset: this.#offset() }
  }

  stringPiece(json: string): void {
    if (this.#inside > 0) {
      if (this.#isKept) this.#target.stringPiece(json)
      return
    }
    if (this.#slot === 'beside') this.#target.stringPiece(json)
    if (this.#slot === 'name' || this.#slot === 'id') this.#string += json
    // No tool has such a name: all of it would be held back. What of the piece is behind the limit was not read.
    const surplus = this.#string.length - longestName
    if (this.#isBare && surplus > 0) this.#giveUp(surplus - 1)
    const encoded = this.#open.at(-1)?.encoded
    if (this.#slot === 'arguments' && encoded) encoded.json += json
  }

  closeString(): void {
    if (this.#inside > 0) {
      if (this.#isKept) this.#target.closeString()
      return
    }
    const call = this.#open.at(-1)
    const slot = this.#slot
    if (slot === 'beside') this.#target.closeString()
    this.#slot = 'other'
    if (!call) return
    if (slot === 'name') {
      this.#named()
      this.#gotName(unescapeJson(this.#string).trim(), call)
    } else if (slot === 'id') call.id ??= unescapeJson(this.#string).trim()
    else if (slot === 'arguments' && call.encoded) {
      const { json, offset } = call.encoded
      call.encoded = undefined
      this.#decode(json, offset, call)
    }
  }

  literal(json: string): void {
    if (this.#inside > 0) {
      if (this.#isKept) this.#target.literal(json)
      return
    }
    const call = this.#open.at(-1)
    if (this.#slot === 'beside') this.#target.literal(json)
    if (this.#slot === 'id' && call) call.id ??= json
    if (this.#slot === 'arguments' && call) {
      // A null in place of arguments is a call without any.
      if (json !== 'null') this.#refuseArguments()
      else this.#tell(call)
    }
    this.#slot = 'other'
  }

  repaired(repair: Repair, offset: number): void {
    this.#sink.notice('repaired', `Repaired in the call: ${repairs[repair]}.`, offset)
  }

  /** True at the top and inside a list, where calls stand. */
  get #isElement(): boolean {
    return this.#frames.length === 0 || this.#frames.at(-1) === 'list'
  }

  /** True for a value that may be an argument. */
  get #isKept(): boolean {
    return this.#slot === 'arguments' || this.#slot === 'beside'
  }

  get #target(): JsonSink {
    const call = this.#open.at(-1)
    if (!call) return new JsonText(() => {})
    if (this.#slot === 'beside' && call.beside) return call.beside.text
    if (call.arguments) return call.arguments.writer
    call.early ??= keep(this.#offset())
    return call.early.text
  }

  #slotOf(key: string, call: Call): Slot {
    const isFree = call.name === undefined && !call.arguments
    const own = this.#ownSlot(key)
    const slot = own ?? slots.get(key) ?? 'other'
    // A tool may be called as models call members.
    const mayBeName = slot === 'other' || (own === undefined && this.#sink.offers(key))
    if (this.#keys.name === undefined && isFree && mayBeName) {
      this.#gotName(key, call)
      return 'arguments'
    }
    if (slot === 'name' && (call.name !== undefined || call.arguments)) return 'idle'
    if (slot === 'arguments' && call.hasArguments) return 'idle'
    if (slot !== 'arguments' && slot !== 'idle' && slot !== 'id' && this.#isBeside(key, call)) return 'beside'
    return slot
  }

  /** What the format itself has under a key; undefined where it has nothing. */
  #ownSlot(key: string): Slot | undefined {
    const { name, arguments: args, id, inside, index, constants } = this.#keys
    switch (key) {
      case name:
        return 'name'
      case args:
        return name === undefined ? undefined : 'arguments'
      case id:
        return 'id'
      case inside:
        // As if the name were an object.
        return this.#frames.at(-1) === 'call' ? 'name' : undefined
      case index?.key:
        return slots.get(key) === 'id' ? 'id' : 'idle'
      default:
        return constants && Object.hasOwn(constants, key) ? 'idle' : undefined
    }
  }

  /** Models that forget the object around the arguments write them beside the name. */
  #isBeside(key: string, call: Call): boolean {
    return call.arguments !== undefined && !call.hasArguments && call.arguments.properties.includes(key)
  }

  #keepBeside(key: string, call: Call): void {
    if (!call.beside) {
      call.beside = keep(this.#offset())
      call.beside.text.openObject()
    }
    call.beside.text.key(key)
  }

  #meetStranger(key: string, call: Call): void {
    call.strangers++
    if (call.arguments) {
      const shown = key.length > 60 ? `${key.slice(0, 60)}…` : key
      this.#sink.notice('ignored-member', `The call has a member "${shown}" that means nothing.`, this.#offset())
    } else if (this.#isBare) {
      this.#giveUp()
    }
  }

  #gotName(name: string, call: Call): void {
    if (name === '' || call.name !== undefined || call.arguments) return
    call.name = name
    if (!this.#isBare || call.hasArguments) this.#tell(call)
  }

  #beginArguments(): void {
    const call = this.#open.at(-1)
    if (!call) return
    call.hasArguments = true
    this.#isUndecided = this.#isBare && call.arguments === undefined && call.name !== undefined
    this.#target.openObject()
  }

  /** What begins as a bare call may be the definition of a tool: then its arguments are a schema. */
  #decide(firstKey?: string): void {
    if (!this.#isUndecided) return
    this.#isUndecided = false
    const call = this.#open.at(-1)
    if (!call) return
    if (firstKey !== undefined && schemaKeys.has(firstKey) && this.#isDefinition(firstKey, call)) this.#giveUp()
    else this.#tell(call)
  }

  #isDefinition(firstKey: string, call: Call): boolean {
    return !this.#sink.knows(call.name ?? '', firstKey)
  }

  /** Tells the call's name, from where on it is a call. */
  #tell(call: Call): void {
    if (call.arguments) return
    if (call.name === undefined) {
      // Arguments without a name yet: kept.
      call.hasArguments = true
      return
    }
    const tool = this.#sink.name(call.name, call.id)
    this.calls++
    call.name = undefined
    call.arguments = new CallArguments(tool, this.#sink, () => this.#replayed ?? this.#offset())
    if (call.early) this.#replay(call.early.json, call.early.offset, call)
    call.early = undefined
  }

  #refuseArguments(): void {
    const call = this.#open.at(-1)
    this.#slot = 'other'
    if (!call) return
    call.isSound = false
    if (this.#isBare && !call.arguments) this.#giveUp()
  }

  /** Reads arguments that were kept; `offset` is where they stood. */
  #replay(json: string, offset: number, call: Call): void {
    if (!call.arguments) {
      call.early = { json, text: new JsonText(() => {}), offset }
      return
    }
    this.#replayed = offset
    new JsonReader(call.arguments.writer).read(json, 0, true)
    this.#replayed = undefined
  }

  /** Arguments as a JSON string, perhaps of a JSON string: OpenAI's own form, and a common mistake. */
  #decode(json: string, offset: number, call: Call): void {
    call.hasArguments = true
    const text = unescapeJson(json)
    const value = text.trim() === '' ? '{}' : mendJson(text)
    if (value?.startsWith('"')) {
      this.#decode(value.slice(1, -1), offset, call)
      return
    }
    if (!value?.startsWith('{')) {
      call.isSound = false
      if (this.#isBare && !call.arguments) this.#giveUp()
      else this.#tell(call)
      return
    }
    this.#tell(call)
    this.#replay(value, offset, call)
  }

  #endOfCall(): void {
    const call = this.#open.pop()
    if (!call || call.isEnvelope) return
    if (!call.arguments && this.#isNamed(call)) this.#tell(call)
    if (!call.arguments) {
      if (this.#isBare && this.calls === 0) this.#giveUp()
      return
    }
    if (call.beside) this.#takeBeside(call.beside, call)
    if (call.isSound) call.arguments.finish()
    this.#sink.endCall(call.isSound)
  }

  #takeBeside({ json, text, offset }: Kept, call: Call): void {
    if (call.hasArguments) {
      this.#sink.notice('ignored-member', 'The call has arguments, and others beside its name.', offset)
      return
    }
    text.closeObject()
    this.#sink.notice('repaired', 'Repaired in the call: arguments beside the name.', offset)
    this.#replay(json, offset, call)
  }

  /** A name alone is a call without arguments; where nothing else says so, it must be a tool's, and stand alone. */
  #isNamed(call: Call): boolean {
    if (call.name === undefined) return false
    return !this.#isBare || (call.strangers === 0 && this.#sink.offers(call.name))
  }

  #giveUp(surplus = 0): void {
    if (this.calls > 0) return
    this.isNone = true
    this.#abort(surplus)
  }
}

function newCall(): Call {
  return {
    name: undefined,
    id: undefined,
    arguments: undefined,
    early: undefined,
    encoded: undefined,
    hasArguments: false,
    beside: undefined,
    isSound: true,
    isEnvelope: false,
    strangers: 0,
  }
}

function keep(offset: number): Kept {
  const text = new JsonText((json) => {
    kept.json += json
  })
  const kept: Kept = { json: '', text, offset }
  return kept
}
