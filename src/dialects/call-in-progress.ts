import type { Tool } from '../conversation/index.ts'
import type { Admission, CallGate } from './call-gate.ts'
import type { CallReader, CallSink, CallStatus, CallSyntax } from './call-reader.ts'
import { MarkRestorer, type Marks } from './marks.ts'
import type { ModelText } from './model-text.ts'
import type { ReplyOutput } from './reply-output.ts'

/** How much of a broken call its notice shows. */
const shownOfCall = 500

type Decision = { type: 'open' } | { type: 'admitted'; index: number; name: string } | Refusal
type Refusal = Extract<Admission, { type: 'refused' }>

/** What a call turned out to be. `refused`, `unreadable` and `mention` are text, whole or in part. */
export type CallOutcome = 'more' | 'call' | 'incomplete' | 'refused' | 'unreadable' | 'mention'

/** What is needed to read a call. */
export interface CallContext {
  source: ModelText
  out: ReplyOutput
  gate: CallGate
  marks: Marks
  syntax: CallSyntax
}

/** One call while it is read: open until its name is whole, then admitted or refused. */
export class CallInProgress implements CallSink {
  readonly #context: CallContext
  readonly #reader: CallReader
  readonly #restorer: MarkRestorer
  readonly #start: number
  readonly #opener: number
  #decision: Decision = { type: 'open' }
  /** The call's own text: all of it while it is open, then its beginning. */
  #raw = ''
  /** Notices from before the decision. */
  #early: [code: string, message: string, offset: number][] = []

  /** A call whose opener stands at `opener` in the source; what is between the source's place and it is the format's. */
  constructor(context: CallContext, opener: number) {
    const { source, syntax, marks } = context
    this.#context = context
    this.#restorer = new MarkRestorer(marks)
    this.#start = source.offset
    this.#opener = source.offsetOf(opener)
    source.doubt()
    this.#raw = source.take(opener, 'marker')
    this.#reader = syntax.createCallReader(source, this)
  }

  read(): CallOutcome {
    const { source, syntax } = this.#context
    const from = source.place
    const status = this.#reader.read()
    if (status === 'more') {
      this.#took(source.text.slice(from, source.place))
      return 'more'
    }
    // An opener that is none is read past, lest it be met again.
    if (source.offset === this.#opener) source.take(source.place + syntax.opener.length, 'marker')
    this.#took(source.text.slice(from, source.place))
    return this.#end(status)
  }

  name(name: string): Tool | undefined {
    const { gate, out, source } = this.#context
    const admission = gate.admit(name)
    if (admission.type === 'refused') {
      this.#decision = admission
      source.decide('rejected')
      return undefined
    }
    source.decide()
    this.#decision = { type: 'admitted', index: out.startCall(admission.tool), name: admission.tool.name }
    for (const [code, message, offset] of this.#early) out.notice(code, message, offset, offset)
    this.#early = []
    return admission.tool
  }

  argument(json: string): void {
    if (this.#decision.type !== 'admitted') return
    this.#context.out.argument(this.#decision.index, this.#restorer.push(json))
  }

  notice(code: string, message: string, offset: number): void {
    if (this.#decision.type === 'open') this.#early.push([code, message, offset])
    else if (this.#decision.type === 'admitted') this.#context.out.notice(code, message, offset, offset)
  }

  /** Text of the call was taken: a refused call's goes out as text, another's is remembered for its notice. */
  #took(text: string): void {
    if (this.#decision.type === 'refused') {
      this.#context.out.text(this.#raw + text)
      this.#raw = ''
    } else if (this.#decision.type === 'open' || this.#raw.length <= shownOfCall) {
      this.#raw += text
    }
  }

  #end(status: Exclude<CallStatus, 'more'>): CallOutcome {
    const { out, source } = this.#context
    const end = source.offset
    const decision = this.#decision
    switch (decision.type) {
      case 'admitted': {
        const isComplete = status === 'complete'
        out.argument(decision.index, this.#restorer.end())
        if (!isComplete) {
          const shown = this.#raw.length > shownOfCall ? `${this.#raw.slice(0, shownOfCall)}…` : this.#raw
          const message = `The call to "${decision.name}" could not be read to its end. It began: ${shown.trim()}`
          out.notice('incomplete-call', message, this.#start, end)
        }
        out.endCall(decision.index, isComplete)
        return isComplete ? 'call' : 'incomplete'
      }
      case 'refused':
        source.trust()
        out.notice(decision.code, decision.message, this.#start, end)
        return status === 'complete' ? 'refused' : 'unreadable'
      case 'open':
        source.decide('text')
        source.trust()
        out.text(this.#raw)
        out.notice('broken-call', 'What looked like the beginning of a call is none.', this.#start, end)
        return status === 'no-call' ? 'mention' : 'unreadable'
    }
  }
}
