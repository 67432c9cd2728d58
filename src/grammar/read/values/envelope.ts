import { type JsonSink, JsonText, type Repair, repairs, unescapeJson } from '../../../json/index.ts'
import type { CallSink } from '../../scan/call-sink.ts'
import type { EnvelopeKeys } from '../../tree/expression.ts'
import { type CallContext, EnvelopeCall } from './envelope-call.ts'
import { formatSlot, type Slot, slots, textKeys } from './envelope-slots.ts'

const parallelName = /^(?:functions\.)?multi_tool_use\.parallel$/
/** Names are shorter. */
const longestName = 256
/** The members that may come after a name or an id whose closing quote was left out. */
const callMembers: ReadonlySet<Slot> = new Set(['name', 'arguments', 'id'])
/** No name of that length has more JSON text. One without quotes, or in a parenthesis, is measured at its end alone. */
const longestEscaped = 6 * longestName

/** The connections between an envelope and the text around it. */
export interface EnvelopePlace {
  /** The place, in all of the model's text, of the token that is being read. */
  offset: () => number
  /** Stops the reading if no call can follow. */
  abort: () => void
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
  /** The number of calls that were emitted. */
  calls = 0
  readonly #sink: CallSink
  readonly #offset: () => number
  readonly #abort: () => void
  readonly #named: () => void
  readonly #keys: EnvelopeKeys
  /** True if no marker identifies this as a call, so that the object itself must: by a name and arguments. */
  readonly #isBare: boolean
  /** True if the object contains calls, rather than being one. */
  readonly #isAround: boolean
  /** The open brackets, without those inside of values. `wrapped` is an object inside a call that replaces it. */
  readonly #frames: ('list' | 'call' | 'wrapped')[] = []
  readonly #open: EnvelopeCall[] = []
  readonly #context: CallContext
  /** The depth inside a member's value. 0 among the members themselves. */
  #inside = 0
  /** The purpose of the current or next value. */
  #slot: Slot = 'other'
  #string = ''

  constructor(
    sink: CallSink,
    format: { keys: EnvelopeKeys; isBare: boolean; isAround?: boolean },
    place: EnvelopePlace,
  ) {
    this.#sink = sink
    this.#keys = format.keys
    this.#isBare = format.isBare
    this.#isAround = format.isAround ?? false
    this.#offset = place.offset
    this.#abort = place.abort
    this.#named = place.named
    this.#context = {
      sink,
      isBare: format.isBare,
      offset: place.offset,
      calls: () => this.calls,
      emitted: () => this.calls++,
      giveUp: () => this.#giveUp(),
      noCall: () => sink.notice('broken-call', 'An item among the calls is not a call.', place.offset()),
    }
  }

  openObject(): void {
    if (this.#inside > 0) {
      this.#inside++
      if (this.#isKept) this.#target.openObject()
      return
    }
    if (this.#isElement || this.#slot === 'calls') {
      this.#frames.push('call')
      this.#open.push(new EnvelopeCall(this.#context))
      this.#slot = 'other'
    } else if (this.#slot === 'name' || (this.#slot === 'arguments' && this.#open.at(-1)?.isEnvelope)) {
      this.#frames.push('wrapped')
      this.#slot = 'other'
    } else {
      this.#inside = 1
      if (this.#slot === 'arguments') this.#open.at(-1)?.beginArguments()
      else if (this.#slot === 'beside') this.#target.openObject()
    }
  }

  /** Handles a list of objects without brackets: the writer determines if a list fits. */
  extendMember(): boolean {
    return this.#slot === 'arguments' && this.#inside > 0 && (this.#target.extendMember?.() ?? false)
  }

  hasMember(key: string): boolean {
    const isShort = this.#slot === 'name' || this.#slot === 'id'
    if (this.#inside === 0 && isShort) return callMembers.has(slots.get(key) ?? 'other')
    return (
      this.#slot === 'arguments' &&
      this.#inside === 1 &&
      (this.#open.at(-1)?.arguments?.properties.includes(key) ?? false)
    )
  }

  wantsObject(): boolean {
    if (this.#slot !== 'arguments') return false
    return this.#inside === 0 || (this.#target.wantsObject?.() ?? false)
  }

  /**
   * Returns true if arguments must be an object. Without a marker for calls, a list under `parameters` means that this
   * is the definition of a tool.
   */
  takesObjectOnly(): boolean {
    return this.#slot === 'arguments' && this.#inside === 0 && !this.#isBare
  }

  /** Returns the limit of names and ids in a bare object: no tool has a longer name, and all of it would be held back. */
  longestString(): number {
    const isLimited = this.#isBare && this.calls === 0 && this.#inside === 0
    return isLimited && (this.#slot === 'name' || this.#slot === 'id') ? longestName : Number.POSITIVE_INFINITY
  }

  /** A name or an id is too long. */
  stringTooLong(): void {
    this.#giveUp()
  }

  closeObject(): void {
    if (this.#inside > 0) {
      this.#inside--
      if (this.#isKept) {
        if (this.#inside === 0) this.#open.at(-1)?.decide()
        if (!this.isNone) this.#target.closeObject()
      }
      if (this.#inside === 0) this.#slot = 'other'
      return
    }
    const frame = this.#frames.pop()
    if (frame === 'call') this.#open.pop()?.end()
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
      if (this.#inside === 1) this.#open.at(-1)?.decide(key)
      if (!this.isNone) this.#target.key(key)
      return
    }
    const call = this.#open.at(-1)
    if (!call) return
    this.#slot = this.#slotOf(key, call)
    if (this.#slot === 'calls') call.isEnvelope = true
    if (key === '_name') call.isSure = true
    if (this.#slot === 'arguments') call.mayBeText = textKeys.has(key)
    if (this.#slot === 'other' || this.#slot === 'message') this.#onUnknownKey(key, call)
    else if (this.#slot === 'beside') call.besideTarget.key(key)
  }

  openString(): void {
    if (this.#inside > 0) {
      if (this.#isKept) this.#target.openString()
      return
    }
    if (this.#slot === 'beside') this.#target.openString()
    this.#passOverItem()
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
    if (slot === 'name' && this.#isBare && this.#string.length > longestEscaped) {
      this.#giveUp()
    } else if (slot === 'name') {
      this.#named()
      this.#gotName(unescapeJson(this.#string).trim(), call)
    } else if (slot === 'id') call.gotId(unescapeJson(this.#string).trim())
    else if (slot === 'arguments' && call.encoded) {
      const { json, offset } = call.encoded
      call.encoded = undefined
      call.decode(json, offset)
    }
  }

  literal(json: string): void {
    if (this.#inside > 0) {
      if (this.#isKept) this.#target.literal(json)
      return
    }
    this.#passOverItem()
    const call = this.#open.at(-1)
    if (this.#slot === 'beside') this.#target.literal(json)
    if (this.#slot === 'id' && call) call.gotId(json)
    if (this.#slot === 'arguments' && call) {
      // A null in place of arguments is a call without any.
      if (json !== 'null') this.#refuseArguments()
      else call.emit()
    }
    this.#slot = 'other'
  }

  repaired(repair: Repair, offset: number): void {
    this.#sink.notice('repaired', `Repaired in the call: ${repairs[repair]}.`, offset)
  }

  /** OpenAI's models call several tools by one that is no tool: its arguments hold the calls. */
  #gotName(name: string, call: EnvelopeCall): void {
    if (parallelName.test(name) && !this.#sink.offers(name)) call.isEnvelope = true
    else call.gotName(name)
  }

  /** True at the top and inside a list: the places of calls. */
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
    return this.#slot === 'beside' ? call.besideTarget : call.target
  }

  #slotOf(key: string, call: EnvelopeCall): Slot {
    const own = formatSlot(key, this.#keys, this.#frames.at(-1) === 'call')
    const slot = own ?? slots.get(key) ?? 'other'
    // A tool may be called as models call members.
    const mayBeName = slot === 'other' || (own === undefined && this.#sink.offers(key))
    if (this.#keys.name === undefined && !call.isNamed && mayBeName) {
      call.gotName(key)
      return 'arguments'
    }
    if (slot === 'other' && this.#isNameAsKey(key, call)) {
      call.gotName(key)
      return 'arguments'
    }
    if (slot === 'name' && call.isNamed) return 'idle'
    if (slot === 'arguments' && call.hasArguments) return 'idle'
    if (slot !== 'arguments' && slot !== 'idle' && slot !== 'id' && this.#isBeside(key, call)) return 'beside'
    return slot
  }

  /** Models that forget the object around the arguments write them beside the name. */
  #isBeside(key: string, call: EnvelopeCall): boolean {
    return call.arguments !== undefined && !call.hasArguments && call.arguments.properties.includes(key)
  }

  /** In an object around calls, and after a mark, the first key may be the tool's name: `{"get_weather": {"city": "Paris"}}`. */
  #isNameAsKey(key: string, call: EnvelopeCall): boolean {
    const isIn = !this.#isBare || this.#open.length > 1
    return isIn && !call.isNamed && !call.hasArguments && call.unknownKeys === 0 && this.#sink.offers(key)
  }

  /** Reports a string or a literal in a list of calls. */
  #passOverItem(): void {
    if (this.#frames.at(-1) === 'list') this.#context.noCall()
  }

  #onUnknownKey(key: string, call: EnvelopeCall): void {
    const isAround = this.#isAround && this.#open.length === 1 && this.#frames.at(-1) === 'call'
    if (!isAround) call.unknownKeys++
    if (isAround || call.arguments) {
      const shown = key.length > 60 ? `${key.slice(0, 60)}…` : key
      this.#sink.notice('ignored-member', `The call has a member "${shown}" that is not known.`, this.#offset())
    } else if (this.#isBare) {
      this.#giveUp()
    }
  }

  #refuseArguments(): void {
    this.#slot = 'other'
    this.#open.at(-1)?.refuseArguments()
  }

  #giveUp(): void {
    if (this.calls > 0) return
    this.isNone = true
    this.#abort()
  }
}
