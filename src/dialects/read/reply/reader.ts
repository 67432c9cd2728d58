import type { FinishReason, ReplyEvent } from '../../../conversation/index.ts'
import type { Reader, ReaderOptions } from '../../format/dialect.ts'
import type { ReadReport } from '../../format/report.ts'
import type { Marks } from '../../marks/marks.ts'
import { holdsCallsAlone } from '../examples/call-fence.ts'
import type { ReplyFormat } from '../format/reply-format.ts'
import { CallGate } from '../names/call-gate.ts'
import { passOverMention, readBlock } from './read-block.ts'
import { readReasoning } from './read-reasoning.ts'
import { readText } from './read-text.ts'
import { ReplyState } from './state.ts'

/** The reasons for which a reply ends before the model has finished it. */
const cuts: ReadonlySet<FinishReason> = new Set(['length', 'stop-sequence', 'content-filter'])

/** Reads a reply in one format: its reasoning, its text, and the calls in it. */
export class ReplyReader implements Reader {
  readonly #state: ReplyState

  /** `trigger` is the conversation's, if calls count only after it; `gate` is one that other readers share. */
  constructor(
    format: ReplyFormat,
    marks: Marks,
    options: ReaderOptions,
    trigger?: string,
    gate: CallGate = new CallGate(options),
    judgesThoughts = true,
  ) {
    const { accept, tools, toolChoice, parallelCalls } = options
    const policy = { tools, toolChoice, parallelCalls, newCallId: () => '' }
    // The content of a fence is read separately, to find out whether it holds only calls.
    const isCalls = (text: string, isCut: boolean): boolean => {
      const inside = { ...policy, delivery: isCut ? ('live' as const) : ('whole' as const) }
      return holdsCallsAlone(new ReplyReader(format, marks, inside, undefined, undefined, !isCut), text, isCut)
    }
    const holdsCall = (text: string): boolean => {
      const whole = { ...policy, ...(accept && { accept }), delivery: 'whole' as const }
      const reader = new ReplyReader(format, marks, whole, undefined, undefined, false)
      return [...reader.push(text), ...reader.end('length')].some(({ type }) => type === 'call-end')
    }
    this.#state = new ReplyState(format, options, { marks, trigger, gate, judgesThoughts, isCalls, holdsCall })
  }

  push(text: string): ReplyEvent[] {
    const state = this.#state
    state.settle(state.held.push(text))
    this.#run()
    return state.out.take()
  }

  end(reason: FinishReason): ReplyEvent[] {
    const state = this.#state
    const { source, held, out } = state
    source.finish(cuts.has(reason))
    state.isCutInCall = state.block !== undefined && source.isCut
    this.#run()
    while (held.isOpen) {
      state.settle(held.end())
      this.#run()
    }
    state.text.end()
    if (!state.around.end(out)) this.#reportSkipped()
    out.finish(reason)
    return out.take()
  }

  #run(): void {
    while (!this.#state.held.isOpen && this.#step()) {
      // Each step takes text or changes the state of the reading.
    }
  }

  /** Reads one thing; false when more text is needed. */
  #step(): boolean {
    const state = this.#state
    if (state.block) return readBlock(state, state.block)
    if (state.isAtMention) return passOverMention(state)
    if (state.reasoning) return readReasoning(state, state.reasoning)
    const isRead = readText(state)
    if (isRead && !state.block) state.headReasoning = undefined
    return isRead
  }

  get openCallAt(): number | undefined {
    return this.#state.block ? this.#state.block.openCallAt : this.#awaitedCallAt
  }

  /** The offset of a marker with which several formats begin, which waits for the text that distinguishes them. */
  get #awaitedCallAt(): number | undefined {
    const { source, format, held, reasoning, around, text: before } = this.#state
    if (held.isOpen || reasoning || !around.acceptsCalls || before.openFence !== '') return undefined
    const { text, place } = source
    const at = place + text.slice(place).search(/\S|$/)
    return format.callMarkerLength(text, at) > 0 ? source.offsetOf(at) : undefined
  }

  get report(): ReadReport {
    const { sawBlock, text, gate } = this.#state
    return { sawToolCallSyntax: sawBlock || text.sawSyntax, ...gate.report }
  }

  /** Reports text that looks like a call if no call was read: the model may have meant one. */
  #reportSkipped(): void {
    const { source, out, text, sawBlock, reportedBroken } = this.#state
    const at = text.markupAt
    if (at === undefined || sawBlock || reportedBroken) return
    out.notice('call-like-text', 'The text looks like a call, but no call was read in it.', at, source.offset)
  }
}
