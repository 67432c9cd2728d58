import type { Tool } from '../../../conversation/index.ts'
import {
  type BlockStatus,
  type CallSink,
  Machine,
  type ModelText,
  type Program,
  type Terminal,
} from '../../../grammar/index.ts'
import { ArgumentRestorer } from '../../marks/argument-restorer.ts'
import type { Marks } from '../../marks/marks.ts'
import type { Admission, CallGate } from '../names/call-gate.ts'
import type { ReadableBlock } from './format.ts'
import type { ReplyOutput } from './output.ts'
import { longestRepeated } from './repeated-calls.ts'

/** The number of characters of a broken call that its notice shows. */
const shownOfCall = 500

/** `open`: no name was read since the last call; `admitted` and `refused`: a call is being read. */
type Decision =
  | { type: 'open' }
  | { type: 'admitted'; index: number; name: string }
  | Extract<Admission, { type: 'refused' }>

/**
 * The result of reading a block. `none`: nothing, and only the text before its opener was taken. `refused-at-head`: nothing
 * was taken, because the call at the head of reasoning may be part of it. `refused`, `unreadable` and `mention` are text,
 * whole or in part.
 */
export type BlockOutcome =
  | 'more'
  | 'call'
  | 'incomplete'
  | 'refused'
  | 'refused-at-head'
  | 'unreadable'
  | 'mention'
  | 'none'

/** The parts of a form that reading a block needs. */
export type BlockForm = Pick<ReadableBlock, 'program' | 'readFrom'>

/** The inputs for reading a block of calls. */
export interface BlockContext {
  source: ModelText
  out: ReplyOutput
  gate: CallGate
  marks: Marks
  /** The part of the reply that contains the block. It belongs to that part if it turns out to be no call. */
  role: 'text' | 'reasoning'
  /** It comes first in reasoning. If it is no call that counts, its text is put back: the reasoning may go on or be closed in it. */
  isAtHead: boolean
  /** A marker opens it that calls alone have; else it may turn out to be something other than calls. */
  isMarked: boolean
  /** The white space before it may be the text's. */
  hasSeam: boolean
}

/** One block of calls while it is read: the text before each name is undecided until the name is admitted. */
export class BlockInProgress implements CallSink {
  readonly #context: BlockContext
  /** The formats that the block may be in, in the order in which they are tried. */
  readonly #forms: readonly BlockForm[]
  readonly #opener: number
  #tried = 0
  #machine: Machine
  #restorer: ArgumentRestorer
  #start: number
  /** The offset in the whole text up to which the text was examined. */
  #seen: number
  #decision: Decision = { type: 'open' }
  /** Text since the last decision; for an admitted call its beginning or, if calls are delivered whole, all of it. */
  #raw = ''
  /** All of its text, as far as it is kept. */
  #text = ''
  /** Notices from before the decision. */
  #early: Parameters<CallSink['notice']>[] = []
  #admitted = 0
  #refused = 0
  /** Its first call is refused at the head of reasoning: nothing that follows in it is read. */
  #isRefusedAtHead = false
  /** The white space before it, if it may belong to the text. */
  readonly seam: string | undefined
  /** A call is the first of it. */
  isSeamKept = false
  /** Some of it was emitted as text, and not as reasoning. */
  gaveText = false

  /**
   * A block whose opener is at `opener` in the source; the text between the source's place and the opener belongs to
   * the format.
   */
  constructor(context: BlockContext, forms: readonly [BlockForm, ...BlockForm[]], opener: number) {
    const { source, marks } = context
    this.#context = context
    this.#forms = forms
    this.#restorer = new ArgumentRestorer(marks)
    this.#start = source.offset
    this.#opener = source.offsetOf(opener)
    source.doubt()
    this.#raw = source.take(opener, context.hasSeam ? 'seam' : 'marker')
    this.seam = context.hasSeam ? this.#raw : undefined
    this.#seen = source.offset
    this.#machine = new Machine(forms[0].program, source, this)
  }

  /** The offset of the block in the whole text, while a call in it is being read that is not refused. */
  get openCallAt(): number | undefined {
    const isCall = this.#decision.type === 'admitted' || (this.#decision.type === 'open' && this.#awaitsCall)
    return isCall ? this.#opener : undefined
  }

  /**
   * True while another call is expected: after a call, more text than its closers must have come, because it may have
   * been the last.
   */
  get #awaitsCall(): boolean {
    if (this.#admitted > 0) return !closesOnly(this.#raw, this.program?.closers ?? [])
    return this.#context.isMarked && this.#refused === 0
  }

  /** Its text without white space around it; empty if that is long. */
  get text(): string {
    return this.#text.length <= longestRepeated ? this.#text.trim() : ''
  }

  /** The program that reads the block, or was the last to try. */
  get program(): Program | undefined {
    return this.#forms[this.#tried]?.program
  }

  read(): BlockOutcome {
    const { source } = this.#context
    for (;;) {
      const status = this.#machine.read()
      this.#catchUp()
      if (this.#isRefusedAtHead) return this.#leave()
      if (status === 'more') return 'more'
      const isUntouched = source.offset === this.#opener
      const next = this.#forms[this.#tried + 1]
      if (status !== 'no-call' || !isUntouched || !next) return this.#end(status, isUntouched)
      this.#tried++
      this.#early = []
      this.#machine = new Machine(next.program, source, this)
    }
  }

  name(name: string, id?: string): Tool | undefined {
    const { gate, out, source, isAtHead } = this.#context
    this.#catchUp()
    if (isAtHead && this.#admitted === 0 && !gate.allows(name)) this.#isRefusedAtHead = true
    if (this.#isRefusedAtHead) return undefined
    const admission = gate.admit(name)
    this.#restorer = new ArgumentRestorer(this.#context.marks)
    if (admission.type === 'refused') {
      this.#refused++
      this.#decision = admission
      source.decide('rejected')
      return undefined
    }
    this.#admitted++
    if (!out.isWhole) source.decide()
    this.#decision = { type: 'admitted', index: out.startCall(admission.tool, id), name: admission.tool.name }
    this.#flushNotices()
    return admission.tool
  }

  lateId(id: string): void {
    if (this.#decision.type === 'admitted') this.#context.out.lateId(id)
  }

  #flushNotices(): void {
    for (const [code, message, offset] of this.#early) this.#context.out.notice(code, message, offset, offset)
    this.#early = []
  }

  knows(name: string, key: string): boolean {
    return this.#context.gate.knows(name, key)
  }

  offers(name: string): boolean {
    return this.#context.gate.offers(name)
  }

  textKey(name: string): string | undefined {
    return this.#context.gate.textKey(name)
  }

  toolWith(keys: readonly string[]): string | undefined {
    return this.#context.gate.toolWith(keys)
  }

  argument(json: string): void {
    if (this.#decision.type !== 'admitted') return
    this.#context.out.argument(this.#decision.index, this.#restorer.push(json))
  }

  notice(code: string, message: string, offset: number): void {
    if (this.#decision.type === 'open') this.#early.push([code, message, offset])
    else if (this.#decision.type === 'admitted') this.#context.out.notice(code, message, offset, offset)
  }

  endCall(complete: boolean): void {
    const { out, source } = this.#context
    this.#catchUp()
    if (this.#isRefusedAtHead) return
    const decision = this.#decision
    if (decision.type === 'admitted') this.#endAdmitted(decision, complete)
    else if (decision.type === 'refused') {
      source.trust()
      out.notice(decision.code, decision.message, this.#start, source.offset)
    }
    this.#decision = { type: 'open' }
    this.#raw = ''
    this.#start = source.offset
    source.doubt()
  }

  #endAdmitted({ index, name }: Extract<Decision, { type: 'admitted' }>, complete: boolean): void {
    const { out, source, gate } = this.#context
    out.argument(index, this.#restorer.end())
    if (!complete) {
      const shown = this.#raw.length > shownOfCall ? `${this.#raw.slice(0, shownOfCall)}…` : this.#raw
      const message = `The call to "${name}" could not be read to its end. It began: ${shown.trim()}`
      out.notice('incomplete-call', message, this.#start, source.offset)
    }
    const readFrom = this.#forms[this.#tried]?.readFrom
    if (complete && readFrom) {
      out.notice(
        'natural-language-call',
        `The call to "${name}" was read from ${readFrom}.`,
        this.#start,
        source.offset,
      )
    }
    if (out.isWhole) {
      source.decide(complete ? undefined : 'text')
      source.trust()
      if (!complete) {
        this.#admitted--
        this.#refused++
        gate.release()
      }
    }
    out.endCall(index, complete, this.#raw)
    if (out.isWhole && !complete) this.gaveText = true
    else if (!this.gaveText) this.isSeamKept = true
  }

  /** Handles text of the block that was taken: a refused call's is emitted as text, any other is kept. */
  #catchUp(): void {
    const { out, source } = this.#context
    const text = source.since(this.#seen)
    this.#seen = source.offset
    if (this.#text.length <= longestRepeated) this.#text += text.slice(0, longestRepeated + 1)
    if (this.#decision.type === 'refused') {
      this.gaveText = true
      out.text(this.#raw + text)
      this.#raw = ''
    } else if (this.#decision.type === 'open' || this.#raw.length <= shownOfCall || out.isWhole) {
      this.#raw += text
    }
  }

  /** Puts all of its text back, to be read as reasoning. */
  #leave(): BlockOutcome {
    const { source, role } = this.#context
    source.putBack(this.#raw)
    source.decide(role)
    source.trust()
    return 'refused-at-head'
  }

  #end(status: Exclude<BlockStatus, 'more'>, isUntouched: boolean): BlockOutcome {
    const { out, source, role, isAtHead } = this.#context
    const { type } = this.#decision
    if (type !== 'open') {
      this.endCall(false)
      this.#closeDoubt(!out.isWhole && type === 'admitted')
      return type === 'admitted' ? 'incomplete' : 'unreadable'
    }
    if (this.#admitted > 0 || this.#refused > 0) {
      this.#closeDoubt(this.#admitted > 0 && status === 'complete')
      if (this.#admitted > 0) this.#flushNotices()
      if (status === 'broken') return 'incomplete'
      return this.#admitted > 0 ? 'call' : 'refused'
    }
    if (isAtHead) {
      const before = this.#opener - this.#start
      source.putBack(this.#raw.slice(before))
      this.#raw = this.#raw.slice(0, before)
    }
    source.decide(role)
    source.trust()
    this.gaveText = role === 'text' && this.#raw !== ''
    out[role](this.#raw)
    if (isUntouched || isAtHead) return 'none'
    out.notice(
      'broken-call',
      'The text begins like a call but is not one, so it stays text.',
      this.#start,
      source.offset,
    )
    return status === 'no-call' ? 'mention' : 'unreadable'
  }

  /**
   * Decides the text after the last call of the block: it is markers if a call was admitted, otherwise text like the
   * rest.
   */
  #closeDoubt(isMarker: boolean): void {
    const { out, source } = this.#context
    source.decide(isMarker ? undefined : 'rejected')
    source.trust()
    if (!isMarker && this.#raw !== '') {
      this.gaveText = true
      out.text(this.#raw)
    }
    this.#raw = ''
  }
}

/** True if a text contains only white space and closing markers. */
function closesOnly(text: string, closers: readonly Terminal[]): boolean {
  let rest = text.trimStart()
  while (rest !== '') {
    const lengths = closers.map(({ whole }) => whole.execAt(rest, 0)?.[0].length ?? 0)
    const longest = Math.max(0, ...lengths)
    if (longest === 0) return false
    rest = rest.slice(longest).trimStart()
  }
  return true
}
