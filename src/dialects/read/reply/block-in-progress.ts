import type { Tool } from '../../../conversation/index.ts'
import {
  type BlockStatus,
  type CallSink,
  Machine,
  type ModelText,
  type Program,
  type SpanRole,
} from '../../../grammar/index.ts'
import { ArgumentRestorer } from '../../marks/argument-restorer.ts'
import type { Marks } from '../../marks/marks.ts'
import type { ReadableBlock } from '../format/readable-block.ts'
import type { Admission, CallGate } from '../names/call-gate.ts'
import type { ReplyOutput } from './output.ts'
import { longestRepeated } from './repeated-calls.ts'
import { keepsBefore } from './seam.ts'
import { closersLength, lengthToTurnEnd } from './sections/after-calls.ts'
import type { OpenSections } from './sections/open-sections.ts'
import { SectionFate } from './sections/section-fate.ts'

/** The number of characters of a broken call that its notice shows. */
const shownOfCall = 500

/**
 * `open`: no name was read since the last call; `admitted` and `refused`: a call is being read. `before`: the number of
 * characters between the last call and this one.
 */
type Decision =
  | { type: 'open' }
  | { type: 'admitted'; index: number; name: string; before: number }
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
  sections: OpenSections
  /** The part of the reply that contains the block. It belongs to that part if it turns out to be no call. */
  role: 'text' | 'reasoning'
  /** It comes first in reasoning. If it is no call that counts, its text is put back: the reasoning may go on or be closed in it. */
  isAtHead: boolean
  /** A marker opens it that calls alone have; else it may turn out to be something other than calls. */
  isMarked: boolean
  /** The white space before it may be the text's. */
  hasSeam: boolean
  /** No text comes before it. */
  startsText: boolean
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
  /** The fate of the markers around its calls. */
  readonly #fate: SectionFate
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
  /** Text comes after the last call of it. */
  endsInText = false
  /** It ended in the middle of something that began like a call. */
  #isBroken = false

  /**
   * A block whose opener is at `opener` in the source; the text between the source's place and the opener belongs to
   * the format.
   */
  constructor(context: BlockContext, forms: readonly [BlockForm, ...BlockForm[]], opener: number) {
    const { source, marks } = context
    this.#context = context
    this.#forms = forms
    this.#fate = new SectionFate(context.sections)
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
    if (this.#admitted > 0) return closersLength(this.#raw, this.program?.closers ?? []) < this.#raw.trimEnd().length
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

  name(name: string, start: number, id?: string): Tool | undefined {
    const { gate, out, source, isAtHead } = this.#context
    this.#catchUp()
    if (isAtHead && this.#admitted === 0 && !gate.allows(name)) this.#isRefusedAtHead = true
    if (this.#isRefusedAtHead) return undefined
    const admission = gate.admit(name)
    this.#restorer = new ArgumentRestorer(this.#context.marks)
    const before = this.#fate.beginCall(this.#raw.slice(0, Math.max(0, start - this.#start)))
    if (admission.type === 'refused') {
      this.#refused++
      this.#decision = admission
      this.#giveBack('rejected', this.#fate.gotText(before))
      return undefined
    }
    this.#admitted++
    if (!out.isWhole) {
      source.decide()
      this.#fate.gotCall()
    }
    this.#decision = { type: 'admitted', index: out.startCall(admission.tool, id), name: admission.tool.name, before }
    this.#flushNotices()
    return admission.tool
  }

  /**
   * Gives a role of text to what was kept, without its first `markers` characters. The white space before the block is
   * that of the text, if it has more line breaks than the white space after the markers. Text begins with its first word.
   */
  #giveBack(role: SpanRole, markers: number): void {
    const { source, startsText } = this.#context
    const text = this.#raw.slice(markers)
    const own = text.trimStart()
    const blank = text.length - own.length
    const seam = this.seam ?? (startsText ? '' : undefined)
    const isSeam = seam !== undefined && this.isSeamKept && !this.gaveText && own !== ''
    const isBefore = isSeam && (startsText || keepsBefore(seam, text.slice(0, blank)))
    if (isSeam) source.closeSeam(isBefore ? 'text' : 'marker')
    this.#raw = isBefore ? seam + own : text
    source.decide(role, this.#start + markers + (isBefore ? blank : 0))
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

  #endAdmitted({ index, name, before }: Extract<Decision, { type: 'admitted' }>, complete: boolean): void {
    const { out, source, gate } = this.#context
    const isText = out.isWhole && !complete
    if (isText) this.#giveBack('text', this.#fate.gotText(before))
    else this.#fate.gotCall()
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
      if (complete) source.decide()
      source.trust()
      if (!complete) {
        this.#admitted--
        this.#refused++
        gate.release()
      }
    }
    out.endCall(index, complete, this.#raw)
    if (isText) this.gaveText = true
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
    this.#isBroken = status === 'broken' || type !== 'open' || this.#admitted + this.#refused === 0
    if (type !== 'open') {
      this.endCall(false)
      this.#closeDoubt(0)
      return type === 'admitted' ? 'incomplete' : 'unreadable'
    }
    if (this.#admitted > 0 || this.#refused > 0) {
      this.#closeDoubt(this.#fate.markersAfter(this.#raw, status, this.program, this.#admitted > 0))
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

  /** True if closing markers were left out. */
  get isUnclosed(): boolean {
    return this.#machine.missing.length > 0
  }

  /** Leaves its section open, if it was opened and did not come to its closers. */
  leaveOpen(): void {
    this.#fate.end(this.program, this.#machine.missing, this.#isBroken)
  }

  /**
   * Decides the text after the last call of the block: its first characters are markers, as many as given, and the rest is
   * text, except the end of the turn, which comes after the block.
   */
  #closeDoubt(markers: number): void {
    const { out, source } = this.#context
    const length = lengthToTurnEnd(this.#raw)
    if (markers < length && length < this.#raw.length) {
      source.putBack(this.#raw.slice(length))
      this.#raw = this.#raw.slice(0, length)
    }
    this.#giveBack('rejected', markers)
    source.trust()
    if (this.#raw !== '') {
      this.gaveText = true
      this.endsInText = true
      out.text(this.#raw)
    }
    this.#raw = ''
  }
}
