import type { FinishReason, ReplyEvent, Tool } from '../conversation/index.ts'
import { CallGate } from './call-gate.ts'
import type { CallReader, CallSink, CallSyntax } from './call-reader.ts'
import type { Reader, ReaderOptions } from './dialect.ts'
import { MarkRestorer, type Marks } from './marks.ts'
import { ModelText, type Search, search } from './model-text.ts'
import { ReplyOutput } from './reply-output.ts'

/** A format as a reader needs it: how calls are written, and what announces them. */
export interface ReplyFormat {
  syntax: CallSyntax
  /** Absent in dialects whose calls need no trigger. */
  trigger?: string
  marks: Marks
}

/** The tags in which models put their reasoning, when a reply begins with one. */
const reasoningTags = ['think', 'thinking', 'reasoning', 'analysis'] as const
const reasoningOpeners: readonly string[] = reasoningTags.map((tag) => `<${tag}>`)
/** Reasoning tags are marks too: text that begins with one is not to be read as reasoning. */
export const reasoningMarks: readonly string[] = [...reasoningOpeners, ...reasoningTags.map((tag) => `</${tag}>`)]

/** White space alone between calls is the format's; more of it than this is text. */
const longestGap = 64
/** How much of a broken call its notice shows. */
const shownOfCall = 500

/** Reads a reply in one dialect: reasoning at its head, text, and the calls in it. */
export class ReplyReader implements Reader {
  readonly #source: ModelText
  readonly #out: ReplyOutput
  readonly #gate: CallGate
  readonly #syntax: CallSyntax
  readonly #trigger: string | undefined
  readonly #marks: Marks
  /** What to look for in text: before the trigger came, and since. */
  readonly #unarmed: Search
  readonly #armed: Search
  #state: 'head' | 'reasoning' | 'text' | 'call' = 'head'
  /** The tag that closes the reasoning. */
  #reasoningEnd: Search = search([])
  /** True once calls count: at once without a trigger, else when the trigger came. */
  #isArmed: boolean
  /** True while nothing but white space came since a call, the trigger or the beginning. */
  #isGap = true
  /** True when the gap began with a trigger or a call, so that a call in it needs no guard. */
  #isDirect = false
  #triggered = false
  #call: CallInProgress | undefined

  constructor(format: ReplyFormat, options: ReaderOptions) {
    this.#source = new ModelText(options.trace)
    this.#out = new ReplyOutput(format.marks, options.newCallId)
    this.#gate = new CallGate(options)
    this.#syntax = format.syntax
    this.#trigger = format.trigger?.toLowerCase()
    const opener = format.syntax.opener
    this.#unarmed = search(this.#trigger === undefined ? [opener] : [this.#trigger])
    this.#armed = search(this.#trigger === undefined ? [opener] : [this.#trigger, opener])
    this.#marks = format.marks
    this.#isArmed = format.trigger === undefined
    if (options.reasoningOpen) this.#openReasoning(reasoningTags.map((tag) => `</${tag}>`))
  }

  push(text: string): ReplyEvent[] {
    this.#source.add(text)
    this.#run()
    return this.#out.take()
  }

  end(reason: FinishReason): ReplyEvent[] {
    this.#source.finish(reason !== 'stop')
    this.#run()
    if (this.#triggered && this.#gate.admitted === 0) {
      this.#out.notice(
        'trigger-without-call',
        'The model wrote the trigger, but no call behind it.',
        0,
        this.#source.offset,
      )
    }
    this.#out.finish(reason)
    return this.#out.take()
  }

  #run(): void {
    while (this.#step()) {
      // Each step takes text or changes the state.
    }
  }

  /** Reads one thing; false when more text is needed. */
  #step(): boolean {
    switch (this.#state) {
      case 'head':
        return this.#readHead()
      case 'reasoning':
        return this.#readReasoning()
      case 'text':
        return this.#readText()
      case 'call':
        return this.#readCall()
    }
  }

  #readHead(): boolean {
    const source = this.#source
    const at = source.place + (source.match(/\s*/y)?.[0].length ?? 0)
    const rest = source.text.slice(at, at + 16).toLowerCase()
    const opener = reasoningOpeners.findIndex((tag) => rest.startsWith(tag))
    if (opener >= 0) {
      source.take(at + (reasoningOpeners[opener] ?? '').length, 'marker')
      this.#openReasoning([`</${reasoningTags[opener]}>`])
      return true
    }
    if (at - source.place <= longestGap && source.mayBegin(reasoningOpeners, at)) return false
    this.#state = 'text'
    return true
  }

  #openReasoning(ends: readonly string[]): void {
    this.#state = 'reasoning'
    this.#reasoningEnd = search(ends)
  }

  #readReasoning(): boolean {
    const source = this.#source
    const end = source.match(this.#reasoningEnd.pattern)
    const limit = end ? end.index : source.held(this.#reasoningEnd.literals)
    this.#takeTrimmed(limit, 'reasoning', end === null)
    if (!end) return false
    source.take(end.index + end[0].length, 'marker')
    this.#out.flush()
    this.#state = 'text'
    this.#isGap = true
    this.#isDirect = false
    return true
  }

  /** Takes text up to `limit`, without a line break at its end: if a marker follows, it is the marker's. */
  #takeTrimmed(limit: number, role: 'text' | 'reasoning', mayGoOn: boolean): void {
    const source = this.#source
    const isOver = source.isFinal && mayGoOn
    const hasBreak = !isOver && limit > source.place && source.text[limit - 1] === '\n'
    const taken = source.take(hasBreak ? limit - 1 : limit, role)
    if (role === 'text') this.#out.text(taken)
    else this.#out.reasoning(taken)
  }

  #readText(): boolean {
    const source = this.#source
    const { literals, pattern } = this.#isArmed ? this.#armed : this.#unarmed
    const found = source.match(pattern)
    const limit = found ? found.index : source.held(literals)
    if (this.#isGap && !this.#readGap(limit, found !== null)) return false
    if (!found) {
      this.#takeTrimmed(limit, 'text', true)
      return false
    }
    if (!this.#isGap) this.#takeTrimmed(limit, 'text', false)
    const end = found.index + found[0].length
    if (found[0].toLowerCase() === this.#trigger) {
      source.take(end, 'marker')
      this.#isArmed = true
      this.#triggered = true
      this.#isGap = true
      this.#isDirect = true
      return true
    }
    return this.#meetOpener(found.index, end)
  }

  /**
   * White space between markers is the format's, until text follows it. False when more is needed to tell.
   */
  #readGap(limit: number, beforeMarker: boolean): boolean {
    const source = this.#source
    const blank = source.match(/\s*/y)?.[0].length ?? 0
    const isBlank = source.place + blank >= limit && blank <= longestGap
    if (!isBlank) {
      this.#isGap = false
      this.#isDirect = false
      return true
    }
    if (beforeMarker) return true
    if (source.isFinal) source.take(source.text.length, 'marker')
    return false
  }

  /** An opener stands at `start`: begins a call there, unless it is another word, or an example. */
  #meetOpener(start: number, end: number): boolean {
    const source = this.#source
    if (end === source.text.length && !source.isFinal) return false
    const isWord = /[\w-]/.test(source.text[end] ?? '')
    if (isWord || (!this.#isDirect && this.#out.guard.inExample)) {
      this.#isGap = false
      this.#isDirect = false
      this.#out.text(source.take(end, 'text'))
      return true
    }
    this.#beginCall(start)
    return true
  }

  #beginCall(start: number): void {
    const source = this.#source
    source.doubt()
    const call = new CallInProgress(this.#gate, this.#out, this.#marks, source)
    // What stands between the last text and the opener is the format's, if this turns out to be a call.
    call.took(source.take(start, 'marker'))
    call.reader = this.#syntax.createCallReader(call)
    this.#call = call
    this.#state = 'call'
  }

  #readCall(): boolean {
    const source = this.#source
    const call = this.#call
    if (!call?.reader) return false
    const from = source.place
    const status = call.reader.read(source)
    call.took(source.text.slice(from, source.place))
    if (status === 'more') return false
    const isCall = call.end(status === 'complete')
    this.#call = undefined
    this.#state = 'text'
    this.#isGap = isCall
    this.#isDirect = isCall
    return true
  }
}

/** One call while it is read: undecided until its name is whole, then admitted or refused. */
class CallInProgress implements CallSink {
  reader: CallReader | undefined
  readonly #gate: CallGate
  readonly #out: ReplyOutput
  readonly #source: ModelText
  readonly #restorer: MarkRestorer
  readonly #start: number
  #state: 'unnamed' | 'admitted' | 'refused' = 'unnamed'
  #index = 0
  #name = ''
  #refusal: { code: string; message: string } | undefined
  /** The call's own text: all of it while it is undecided, then its beginning. */
  #raw = ''
  /** Notices from before the decision. */
  #early: [code: string, message: string, offset: number][] = []

  constructor(gate: CallGate, out: ReplyOutput, marks: Marks, source: ModelText) {
    this.#gate = gate
    this.#out = out
    this.#source = source
    this.#restorer = new MarkRestorer(marks)
    this.#start = source.offset
  }

  name(name: string): Tool | undefined {
    const admission = this.#gate.admit(name)
    if (admission.type === 'refused') {
      this.#state = 'refused'
      this.#refusal = admission
      this.#source.decide('rejected')
      return undefined
    }
    this.#state = 'admitted'
    this.#name = admission.tool.name
    this.#source.decide()
    this.#index = this.#out.startCall(admission.tool)
    for (const [code, message, offset] of this.#early) this.#out.notice(code, message, offset, offset)
    this.#early = []
    return admission.tool
  }

  argument(json: string): void {
    if (this.#state === 'admitted') this.#out.argument(this.#index, this.#restorer.push(json))
  }

  notice(code: string, message: string, at: number): void {
    const offset = this.#source.offsetOf(at)
    if (this.#state === 'unnamed') this.#early.push([code, message, offset])
    else if (this.#state === 'admitted') this.#out.notice(code, message, offset, offset)
  }

  /** Text of the call was taken: a refused call's goes out as text, another's is remembered for its notice. */
  took(text: string): void {
    if (this.#state === 'refused') {
      this.#out.text(this.#raw + text)
      this.#raw = ''
    } else if (this.#state === 'unnamed' || this.#raw.length < shownOfCall) {
      this.#raw += text
    }
  }

  /** The call is over; true when it was a call, be it a broken one, and false when it is text. */
  end(complete: boolean): boolean {
    const end = this.#source.offset
    switch (this.#state) {
      case 'admitted':
        this.#out.argument(this.#index, this.#restorer.end())
        if (!complete) {
          const shown = this.#raw.length > shownOfCall ? `${this.#raw.slice(0, shownOfCall)}…` : this.#raw
          const message = `The call to "${this.#name}" could not be read to its end. It began: ${shown.trim()}`
          this.#out.notice('incomplete-call', message, this.#start, end)
        }
        this.#out.endCall(this.#index, complete)
        return true
      case 'refused':
        this.#source.trust()
        this.#out.notice(this.#refusal?.code ?? '', this.#refusal?.message ?? '', this.#start, end)
        return complete
      case 'unnamed':
        this.#source.decide('text')
        this.#source.trust()
        this.#out.text(this.#raw)
        this.#out.notice('broken-call', 'What looked like the beginning of a call is none.', this.#start, end)
        return false
    }
  }
}
