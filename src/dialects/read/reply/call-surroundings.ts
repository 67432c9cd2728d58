import type { ModelText, Scanner } from '../../../grammar/index.ts'
import { BufferedFence } from '../examples/buffered-fence.ts'
import { type CallFence, callFenceAt, callFenceEnd } from '../examples/call-fence.ts'
import type { ReplyFormat } from '../format/reply-format.ts'
import type { ReplyOutput } from './output.ts'
import type { OpenSections } from './sections/open-sections.ts'
import type { Match, ReplyText } from './text.ts'

/** The inputs for reading the text around calls. */
export interface SurroundingsContext {
  source: ModelText
  format: ReplyFormat
  text: ReplyText
  sections: OpenSections
  /** True if a fence may surround calls even without a trigger. */
  fences: boolean
}

/**
 * The text around calls that is not part of their format: the conversation's trigger, after which calls count if there
 * is one, and a fence around the calls, which is removed with them.
 */
export class CallSurroundings {
  /** True once calls count: at once without a trigger, else when the trigger came. */
  acceptsCalls: boolean
  readonly #context: SurroundingsContext
  /** In lower case; undefined if calls need no trigger. */
  readonly #trigger: string | undefined
  /** By the parts that may come: see `scanner`. */
  readonly #scanners: (Scanner | undefined)[] = []
  /** The span of the last trigger, while no call has come after it. */
  #triggerWithoutCall: [start: number, end: number] | undefined
  /** The run of the fence around the calls: it goes with them. */
  #callFence: string | undefined

  constructor(context: SurroundingsContext, trigger: string | undefined) {
    this.#context = context
    this.#trigger = trigger?.toLowerCase()
    this.acceptsCalls = trigger === undefined
  }

  get hasTrigger(): boolean {
    return this.#trigger !== undefined
  }

  /** After a trigger a call counts wherever it is. */
  get isAfterTrigger(): boolean {
    return this.hasTrigger && this.acceptsCalls
  }

  /** The scanner for everything that may occur in the text now. */
  get scanner(): Scanner {
    const { format, text, sections } = this.#context
    const closers = text.isAfterBrokenCall || sections.awaitsCloserOfCalls
    const key = Number(this.acceptsCalls) + 2 * Number(closers)
    let scanner = this.#scanners[key]
    if (!scanner) {
      const parts = {
        calls: this.acceptsCalls,
        closers,
        fences: this.#mindsFences,
        lines: !this.hasTrigger,
      }
      const base = format.scanner(parts)
      scanner = this.#trigger === undefined ? base : base.with({ literal: this.#trigger })
      this.#scanners[key] = scanner
    }
    return scanner
  }

  get #mindsFences(): boolean {
    return this.hasTrigger || this.#context.fences
  }

  isTriggerAt(at: number): boolean {
    const trigger = this.#trigger
    const { text } = this.#context.source
    return trigger !== undefined && text.slice(at, at + trigger.length).toLowerCase() === trigger
  }

  /** Handles the trigger at `at`. `callFence` is the fence that was opened directly before it. */
  onTrigger(at: number, callFence?: CallFence): true {
    const { source, text } = this.#context
    const end = at + (this.#trigger?.length ?? 0)
    text.takeMarker(at - (callFence?.length ?? 0), end)
    this.#triggerWithoutCall = [source.offsetOf(at), source.offsetOf(end)]
    this.acceptsCalls = true
    text.endBrokenCall()
    text.gap = 'call'
    if (callFence) this.#callFence = callFence.run
    return true
  }

  /**
   * Handles a line that opens a fence, if fences may surround calls: `true` if it was taken, `more` if that needs more
   * text, or the buffer that keeps it until that is known; undefined if there is no such fence.
   */
  onFence({ at, atLine }: Match): true | 'more' | BufferedFence | undefined {
    const { source, format, text } = this.#context
    const callFence = this.#mindsFences && atLine && text.openFence === '' ? callFenceAt(source, at) : undefined
    if (!callFence) return undefined
    const after = at + callFence.length
    if (this.#trigger !== undefined) {
      if (this.isTriggerAt(after)) return this.onTrigger(after, callFence)
      const rest = source.text.slice(after, after + this.#trigger.length).toLowerCase()
      if (!source.isFinal && rest.length < this.#trigger.length && this.#trigger.startsWith(rest)) return 'more'
      if (text.gap !== 'call' || !this.acceptsCalls) return undefined
    }
    const begins = format.beginsBlockAt(source.text, after, source.isFinal)
    if (begins === 'begun') return 'more'
    if (!begins) return undefined
    if (this.#trigger === undefined) {
      return new BufferedFence(callFence.run, after - source.place)
    }
    this.openCallFence(callFence.run, at, after)
    return true
  }

  /** Takes the line from `at` to `end` that opens the fence around the calls which follow. */
  openCallFence(run: string, at: number, end: number): void {
    this.#context.text.takeMarker(at, end)
    this.#callFence = run
  }

  /** Takes the line after calls that closes the fence around them, if it comes; false if more text is needed. */
  closeCallFence(): boolean {
    const { source, text } = this.#context
    if (this.#callFence === undefined || text.gap !== 'call' || this.#triggerWithoutCall) return true
    const end = callFenceEnd(source, this.#callFence)
    if (end === 'more') return false
    source.take(source.place + end, 'marker')
    if (end > 0) this.#callFence = undefined
    return true
  }

  /** A call came after the trigger. */
  gotCall(): void {
    this.#triggerWithoutCall = undefined
  }

  /** Ends the reply. True if a notice reports that the trigger came without a call. */
  end(out: ReplyOutput): boolean {
    if (!this.#triggerWithoutCall) return false
    const message = 'The model wrote the trigger, but no call after it.'
    out.notice('trigger-without-call', message, ...this.#triggerWithoutCall)
    return true
  }
}
