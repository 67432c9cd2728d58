import { ModelText } from '../../../grammar/index.ts'
import type { ReaderOptions } from '../../format/dialect.ts'
import type { ReasoningForm } from '../../format/reasoning-forms.ts'
import type { Marks } from '../../marks/marks.ts'
import type { BufferedFence } from '../examples/buffered-fence.ts'
import { BufferedReasoning } from '../examples/buffered-reasoning.ts'
import { BufferedText, type Released } from '../examples/buffered-text.ts'
import type { ReplyFormat } from '../format/reply-format.ts'
import type { CallGate } from '../names/call-gate.ts'
import type { BlockContext, BlockInProgress } from './block-in-progress.ts'
import { CallSurroundings } from './call-surroundings.ts'
import { gapPattern } from './gap.ts'
import { MarkersAround } from './marker-around.ts'
import { ReplyOutput } from './output.ts'
import { ReasoningInProgress } from './reasoning-in-progress.ts'
import { OpenSections } from './sections/open-sections.ts'
import { ReplyText } from './text.ts'

/** The inputs for reading a reply, besides its format and the request's options. */
export interface ReplyContext {
  marks: Marks
  /** The conversation's trigger, if calls count only after it. */
  trigger: string | undefined
  gate: CallGate
  /** False in a reader that only finds out if a text holds calls. */
  judgesThoughts: boolean
  /** True when a text holds calls and nothing else: complete ones, except the last of a text that was cut. */
  isCalls: (text: string, isCut: boolean) => boolean
  /** True if a whole call can be read in a text. */
  holdsCall: (text: string) => boolean
}

/**
 * The progress of reading a reply: the part of it that is being read, and the objects that read the parts. It is in a
 * block, in reasoning, in text that is kept until it is known how to read it, or else in text.
 */
export class ReplyState {
  readonly format: ReplyFormat
  readonly source: ModelText
  readonly out: ReplyOutput
  readonly gate: CallGate
  readonly text: ReplyText
  readonly around: CallSurroundings
  readonly markers: MarkersAround
  readonly sections: OpenSections = new OpenSections()
  readonly held: BufferedText
  readonly blockContext: Pick<BlockContext, 'source' | 'out' | 'gate' | 'marks' | 'sections'>
  /** Calls in reasoning count. */
  readonly callsInReasoning: boolean
  readonly holdsCall: (text: string) => boolean
  reasoning: ReasoningInProgress | undefined
  /** The reasoning that the prompt has opened and that a call at its head ends, until it is known that it is a call. */
  headReasoning: ReasoningInProgress | undefined
  block: BlockInProgress | undefined
  /** True if the next text begins like a call but is not one. */
  isAtMention = false
  /** True if the reply was cut within a block: the rest, half a name or a key, belongs to the call, unless a whole call comes after a broken one. */
  isCutInCall = false
  /** The broken calls whose rest was read for a whole one. */
  brokenBeforeCut = 0
  /** True once a block of calls was read, whatever the result. */
  sawBlock = false
  /** True once a notice has reported text that begins like a call but is not one. */
  reportedBroken = false
  /** The text of the last block, if it was calls that were read to their end; empty if that is long. */
  lastCalls: string | undefined
  /** True if closing markers of that block were left out. */
  isUnclosed = false

  constructor(format: ReplyFormat, options: ReaderOptions, context: ReplyContext) {
    const { delivery, modelIds = false, accept = {} } = options
    const { marks, trigger, gate } = context
    const source = new ModelText(options.trace)
    this.format = format
    this.source = source
    this.out = new ReplyOutput(marks, options.newCallId, { isWhole: delivery === 'whole', modelIds })
    this.gate = gate
    this.text = new ReplyText(source, this.out)
    this.blockContext = { source, out: this.out, gate, marks, sections: this.sections }
    const fences = accept.fences === 'lenient'
    this.around = new CallSurroundings({ source, format, text: this.text, sections: this.sections, fences }, trigger)
    this.markers = new MarkersAround(source, format, this.text)
    this.held = new BufferedText(source, context.isCalls, context.judgesThoughts)
    this.callsInReasoning = accept.callsInReasoning ?? false
    this.holdsCall = context.holdsCall
    if (options.reasoning === 'open') this.openReasoning(undefined)
  }

  /** Begins reasoning; without a form the prompt has opened it. */
  openReasoning(form: ReasoningForm | undefined): true {
    const { source, out, format, callsInReasoning: calls } = this
    this.reasoning = new ReasoningInProgress({ source, out, format, calls }, form)
    return true
  }

  endReasoning(): true {
    this.out.flush()
    this.reasoning = undefined
    this.markers.endReasoning()
    // Within text, the white space after the reasoning belongs to the text.
    this.text.gap = this.text.hasText ? 'call' : 'reasoning'
    return true
  }

  /** Keeps all from here on until it is known how to read it. */
  hold(hold: BufferedFence | BufferedReasoning): true {
    this.settle(this.held.begin(hold))
    return true
  }

  /** It is known how to read the text that was kept. */
  settle(released: Released | undefined): void {
    if (!released) return
    const { hold, noCallsUntil } = released
    if (hold instanceof BufferedReasoning) {
      if (noCallsUntil !== undefined) this.reasoning?.ignoreCallsUntil(noCallsUntil)
      else if (this.reasoning) this.reasoning.isLeftOpen = true
    } else if (this.reasoning) {
      if (noCallsUntil !== undefined) this.reasoning.ignoreCallsUntil(noCallsUntil)
      else this.reasoning.leaveFence()
    } else if (noCallsUntil !== undefined) {
      this.text.exampleEnd = noCallsUntil
    } else if (hold.openerLength > 0) {
      const { place } = this.source
      this.around.openCallFence(hold.run, place + this.source.length(gapPattern), place + hold.openerLength)
      this.text.gap = 'call'
    } else {
      this.text.leaveFence()
      this.out.isWhole = true
    }
  }
}
