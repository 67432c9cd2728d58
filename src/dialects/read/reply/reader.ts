import type { FinishReason, ReplyEvent } from '../../../conversation/index.ts'
import { ModelText } from '../../../grammar/index.ts'
import type { Reader, ReaderOptions } from '../../format/dialect.ts'
import type { ReasoningForm } from '../../format/reasoning-forms.ts'
import type { ReadReport } from '../../format/report.ts'
import type { Marks } from '../../marks/marks.ts'
import { BufferedFence } from '../examples/buffered-fence.ts'
import { BufferedReasoning } from '../examples/buffered-reasoning.ts'
import { BufferedText, type Released } from '../examples/buffered-text.ts'
import { holdsCallsAlone } from '../examples/call-fence.ts'
import { CallGate } from '../names/call-gate.ts'
import { type BlockContext, BlockInProgress } from './block-in-progress.ts'
import { CallSurroundings } from './call-surroundings.ts'
import { areMarkedAt, type ReadableBlock, type ReplyFormat } from './format.ts'
import { gapPattern } from './gap.ts'
import { leftoverCloser } from './leftover-closers.ts'
import { MarkersAround } from './marker-around.ts'
import { ReplyOutput } from './output.ts'
import { headOfReasoning, takeReopening } from './reasoning-head.ts'
import { ReasoningInProgress } from './reasoning-in-progress.ts'
import { repeatedCalls } from './repeated-calls.ts'
import { type Match, ReplyText } from './text.ts'

/** The reasons for which a reply ends before the model has finished it. */
const cuts: ReadonlySet<FinishReason> = new Set(['length', 'stop-sequence', 'content-filter'])

/** After as many broken calls at the end of a reply that was cut, the rest belongs to the last of them. */
const mostBrokenBeforeCut = 8

/** Reads a reply in one format: its reasoning, its text, and the calls in it. */
export class ReplyReader implements Reader {
  readonly #format: ReplyFormat
  readonly #options: ReaderOptions
  readonly #source: ModelText
  readonly #out: ReplyOutput
  readonly #gate: CallGate
  readonly #text: ReplyText
  readonly #context: Omit<BlockContext, 'role' | 'isAtHead' | 'isMarked' | 'hasSeam'>
  readonly #around: CallSurroundings
  readonly #markers: MarkersAround
  readonly #held: BufferedText
  /** True if a whole call can be read in a text. */
  readonly #holdsCall: (text: string) => boolean
  #reasoning: ReasoningInProgress | undefined
  /** The reasoning that the prompt has opened and that a call at its head ends, until it is known that it is a call. */
  #headReasoning: ReasoningInProgress | undefined
  #block: BlockInProgress | undefined
  /** True if the next text begins like a call but is not one. */
  #isAtMention = false
  /** True if the reply was cut within a block: the rest, half a name or a key, belongs to the call, unless a whole call comes after a broken one. */
  #isCutInCall = false
  /** The broken calls whose rest was read for a whole one. */
  #brokenBeforeCut = 0
  /** True once a block of calls was read, whatever the result. */
  #sawBlock = false
  /** Matches the closing marker of the open message to the user: no call counts in it. */
  #userMessageEnd: RegExp | undefined
  /** True once a notice has reported text that begins like a call but is not one. */
  #reportedBroken = false
  /** The text of the last block, if it was calls that were read to their end; empty if that is long. */
  #lastCalls: string | undefined

  /** `trigger` is the conversation's, if calls count only after it; `gate` is one that other readers share. */
  constructor(
    format: ReplyFormat,
    marks: Marks,
    options: ReaderOptions,
    trigger?: string,
    gate: CallGate = new CallGate(options),
    judgesThoughts = true,
  ) {
    const { delivery, modelIds = false, tools, toolChoice, parallelCalls } = options
    this.#format = format
    this.#options = options
    this.#source = new ModelText(options.trace)
    this.#out = new ReplyOutput(marks, options.newCallId, { isWhole: delivery === 'whole', modelIds })
    this.#gate = gate
    this.#text = new ReplyText(this.#source, this.#out)
    this.#context = { source: this.#source, out: this.#out, gate: this.#gate, marks }
    const fences = options.accept?.fences === 'lenient'
    this.#around = new CallSurroundings({ source: this.#source, format, text: this.#text, fences }, trigger)
    this.#markers = new MarkersAround(this.#source, format, this.#text)
    // The content of a fence is read separately, to find out whether it holds only calls.
    const policy = { tools, toolChoice, parallelCalls, newCallId: () => '' }
    const isCalls = (text: string, isCut: boolean): boolean => {
      const inside = { ...policy, delivery: isCut ? ('live' as const) : ('whole' as const) }
      return holdsCallsAlone(new ReplyReader(format, marks, inside, undefined, undefined, !isCut), text, isCut)
    }
    this.#held = new BufferedText(this.#source, isCalls, judgesThoughts)
    const holdsCall = (text: string): boolean => {
      const { accept } = options
      const whole = { ...policy, ...(accept && { accept }), delivery: 'whole' as const }
      const reader = new ReplyReader(format, marks, whole, undefined, undefined, false)
      return [...reader.push(text), ...reader.end('length')].some(({ type }) => type === 'call-end')
    }
    this.#holdsCall = holdsCall
    if (options.reasoning === 'open') this.#openReasoning(undefined)
  }

  push(text: string): ReplyEvent[] {
    this.#settle(this.#held.push(text))
    this.#run()
    return this.#out.take()
  }

  end(reason: FinishReason): ReplyEvent[] {
    this.#source.finish(cuts.has(reason))
    this.#isCutInCall = this.#block !== undefined && this.#source.isCut
    this.#run()
    while (this.#held.isOpen) {
      this.#settle(this.#held.end())
      this.#run()
    }
    this.#text.end()
    if (!this.#around.end(this.#out)) this.#reportSkipped()
    this.#out.finish(reason)
    return this.#out.take()
  }

  get openCallAt(): number | undefined {
    return this.#block ? this.#block.openCallAt : this.#awaitedCallAt
  }

  /** The offset of a marker with which several formats begin, which waits for the text that distinguishes them. */
  get #awaitedCallAt(): number | undefined {
    if (this.#held.isOpen || this.#reasoning || !this.#around.acceptsCalls || this.#text.openFence !== '')
      return undefined
    const { text, place } = this.#source
    const at = place + text.slice(place).search(/\S|$/)
    return this.#format.callMarkerLength(text, at) > 0 ? this.#source.offsetOf(at) : undefined
  }

  get report(): ReadReport {
    return { sawToolCallSyntax: this.#sawBlock || this.#text.sawSyntax, ...this.#gate.report }
  }

  /** Reports text that looks like a call if no call was read: the model may have meant one. */
  #reportSkipped(): void {
    const at = this.#text.markupAt
    if (at === undefined || this.#sawBlock || this.#reportedBroken) return
    const message = 'The text looks like a call, but no call was read in it.'
    this.#out.notice('call-like-text', message, at, this.#source.offset)
  }

  #run(): void {
    while (!this.#held.isOpen && this.#step()) {
      // Each step takes text or changes the state of the reading.
    }
  }

  /** Reads one thing; false when more text is needed. */
  #step(): boolean {
    if (this.#block) return this.#readBlock(this.#block)
    if (this.#isAtMention) return this.#passOverMention()
    if (this.#reasoning) return this.#readReasoning(this.#reasoning)
    const isRead = this.#readText()
    if (isRead && !this.#block) this.#headReasoning = undefined
    return isRead
  }

  #openReasoning(form: ReasoningForm | undefined): true {
    const { callsInReasoning: calls = false } = this.#options.accept ?? {}
    const context = { source: this.#source, out: this.#out, format: this.#format, calls }
    this.#reasoning = new ReasoningInProgress(context, form)
    return true
  }

  #readReasoning(reasoning: ReasoningInProgress): boolean {
    if (reasoning.isEmpty && reasoning.form === undefined && !reasoning.isHeadRead) {
      const head = headOfReasoning(this.#source, this.#format, this.#around.scanner, this.#around.acceptsCalls)
      if (head === 'more') return false
      if (head === 'call') {
        this.#headReasoning = reasoning
        return this.#endReasoning()
      }
      if (head) return this.#openReasoning(head)
    }
    if (reasoning.isEmpty && reasoning.form) {
      const again = takeReopening(this.#source, reasoning.form.open)
      if (again) return again !== 'more'
    }
    const outcome = reasoning.read()
    if (outcome === 'more') return false
    return outcome === 'closed' ? this.#endReasoning() : this.#onCallInReasoning(reasoning, outcome.call)
  }

  #endReasoning(): true {
    this.#out.flush()
    this.#reasoning = undefined
    this.#markers.endReasoning()
    // Within text, the white space after the reasoning belongs to the text.
    this.#text.gap = this.#text.hasText ? 'call' : 'reasoning'
    return true
  }

  /**
   * Handles a call in reasoning: it counts if the caller allows it. Some models leave their reasoning open and call.
   */
  #onCallInReasoning(reasoning: ReasoningInProgress, at: number): boolean {
    const blocks = this.#format.blocksAt(this.#source.text, at)
    const isLine = reasoning.beginsLine(at)
    const wanted = blocks.filter(({ place }) => place !== 'line' || isLine)
    const mayCall = this.#options.accept?.callsInReasoning || reasoning.isLeftOpen
    const isShown = mayCall && !this.#around.isAfterTrigger && reasoning.isExampleAt(at)
    if (isShown && isLine && reasoning.isLeftOpen && reasoning.openFence !== '') {
      return this.#hold(new BufferedFence(reasoning.openFence, 0))
    }
    if (isShown) {
      reasoning.passOver(at)
      return true
    }
    if (this.#around.acceptsCalls && mayCall && this.#beginBlock(wanted, at)) return true
    if (!this.#around.acceptsCalls || reasoning.isLeftOpen || !blocks.some(({ endsReasoning }) => endsReasoning)) {
      reasoning.passOver(at)
      return true
    }
    return this.#hold(new BufferedReasoning(reasoning.closers))
  }

  #readText(): boolean {
    const text = this.#text
    if (text.passOverExample()) return true
    if (text.gap === 'call' && this.#lastCalls !== undefined) {
      const leftover = leftoverCloser(this.#source, this.#format)
      if (leftover === 'more') return false
      if (leftover > 0) return this.#passOverLeftover(leftover, 'The call was closed once more, by')
      const again = this.#lastCalls === '' ? 0 : repeatedCalls(this.#source, this.#format, this.#lastCalls)
      if (again === 'more') return false
      if (again > 0) return this.#passOverLeftover(again, 'The calls were written once more:')
    }
    if (!this.#around.closeCallFence()) return false
    const match = text.read(this.#around.scanner)
    return match !== 'more' && this.#onMatch(match)
  }

  #passOverLeftover(length: number, saying: string): true {
    const { offset, place } = this.#source
    const leftover = this.#source.take(place + length, 'marker').trim()
    const shown = leftover.length > 100 ? `${leftover.slice(0, 100)}…` : leftover
    this.#out.notice('repaired', `${saying} ${shown}.`, offset, offset + length)
    return true
  }

  /** Handles a match of the scanner. False if more text is needed. */
  #onMatch(match: Match): boolean {
    const { at, atLine } = match
    const text = this.#text
    const around = this.#around
    if (text.skipBrokenCall(match)) return true
    if (around.isTriggerAt(at)) return around.onTrigger(at)
    const fence = around.onFence(match)
    if (fence instanceof BufferedFence) return this.#hold(fence)
    if (fence !== undefined) return fence !== 'more'
    const isExample = match.isExample && !around.isAfterTrigger
    const mayCall = around.acceptsCalls && !this.#userMessageEnd
    const marker = isExample ? this.#markers.last(at) : this.#markers.find(match, mayCall)
    if (marker === 'more') return false
    if (isExample && !marker) text.quote()
    if (marker) {
      this.#onMarker(this.#source.text.slice(at, marker.end))
      text.takeMarker(at, marker.end)
      return marker.form ? this.#openReasoning(marker.form) : true
    }
    if (!mayCall) return text.passOver(at + 1)
    const blocks = this.#format
      .blocksAt(this.#source.text, at)
      .filter(
        ({ place }) => place === 'anywhere' || atLine || (place === 'line' ? around.isAfterTrigger : text.maySayCall),
      )
      .filter(({ isWhole }) => !isWhole || atLine || !text.isInJson)
    if (blocks.length > 0 && isExample) return this.#onMatchInExample(at, atLine)
    return this.#beginBlock(blocks, at) || text.passOver(at + 1)
  }

  #onMarker(marker: string): void {
    if (this.#userMessageEnd?.test(marker)) this.#userMessageEnd = undefined
    else this.#userMessageEnd ??= this.#format.closerOfUserMessage(marker)
  }

  /**
   * Handles text in an example that looks like a call: it counts only if it begins its line in a fence that is still
   * open at the end of the reply. Such a fence hides no call. To find out, the rest is kept until the fence is closed.
   */
  #onMatchInExample(at: number, atLine: boolean): boolean {
    const run = this.#text.openFence
    if (run === '' || !atLine || this.#around.hasTrigger) return this.#text.passOver(at + 1)
    return this.#hold(new BufferedFence(run, 0))
  }

  /** Keeps all from here on until it is known how to read it. */
  #hold(hold: BufferedFence | BufferedReasoning): true {
    this.#settle(this.#held.begin(hold))
    return true
  }

  /** It is known how to read the text that was kept. */
  #settle(released: Released | undefined): void {
    if (!released) return
    const { hold, noCallsUntil } = released
    if (hold instanceof BufferedReasoning) {
      if (noCallsUntil !== undefined) this.#reasoning?.ignoreCallsUntil(noCallsUntil)
      else if (this.#reasoning) this.#reasoning.isLeftOpen = true
    } else if (this.#reasoning) {
      if (noCallsUntil !== undefined) this.#reasoning.ignoreCallsUntil(noCallsUntil)
      else this.#reasoning.leaveFence()
    } else if (noCallsUntil !== undefined) {
      this.#text.exampleEnd = noCallsUntil
    } else if (hold.openerLength > 0) {
      const { place } = this.#source
      this.#around.openCallFence(hold.run, place + this.#source.length(gapPattern), place + hold.openerLength)
      this.#text.gap = 'call'
    } else {
      this.#text.leaveFence()
      this.#out.isWhole = true
    }
  }

  #beginBlock(blocks: readonly ReadableBlock[], at: number): boolean {
    const [first, ...others] = blocks
    if (!first) return false
    const role = this.#reasoning || this.#headReasoning ? 'reasoning' : 'text'
    const hasSeam = !this.#reasoning && this.#text.opensSeam
    if (!this.#reasoning) this.#text.endLineBefore(at)
    const isMarked = areMarkedAt(blocks, this.#source.text, at)
    const isAtHead = this.#headReasoning !== undefined
    this.#block = new BlockInProgress({ role, isAtHead, isMarked, hasSeam, ...this.#context }, [first, ...others], at)
    return true
  }

  #readBlock(block: BlockInProgress): boolean {
    const outcome = block.read()
    if (outcome === 'more') return false
    this.#block = undefined
    this.#settleSeam(block)
    if (outcome === 'none' || outcome === 'refused-at-head') this.#reasoning ??= this.#headReasoning
    this.#headReasoning = undefined
    if (outcome === 'refused-at-head') {
      if (this.#reasoning) this.#reasoning.isHeadRead = true
      return true
    }
    if (outcome === 'none') {
      this.#isAtMention = true
      return this.#passOverMention()
    }
    const isCall = outcome === 'call' || (outcome === 'incomplete' && !this.#out.isWhole)
    if (isCall && this.#isCutInCall && !(outcome === 'incomplete' && this.#restHoldsCall()))
      this.#source.take(this.#source.text.length, 'marker')
    this.#sawBlock = true
    this.#lastCalls = outcome === 'call' ? block.text : undefined
    this.#text.interrupt()
    this.#reasoning?.interrupt()
    if (this.#reasoning?.isLeftOpen && outcome !== 'mention' && outcome !== 'unreadable') this.#endReasoning()
    if (outcome !== 'mention') this.#around.gotCall()
    this.#text.gap = outcome === 'mention' ? undefined : 'call'
    if (outcome === 'incomplete' || outcome === 'unreadable') this.#text.beginBrokenCall(block.program?.closers ?? [])
    else this.#text.endBrokenCall()
    return true
  }

  /** True if a whole call can be read in the rest of a reply that was cut. Each time reads all of it: it is done a few times at most. */
  #restHoldsCall(): boolean {
    const { text, place } = this.#source
    return this.#brokenBeforeCut++ < mostBrokenBeforeCut && this.#holdsCall(text.slice(place))
  }

  /**
   * The white space before calls is the text's no longer, unless text follows them. A call in reasoning that is refused or
   * broken is text, too, which comes after the white space before the reasoning.
   */
  #settleSeam(block: BlockInProgress): void {
    if (block.isSeamKept && block.seam !== undefined) this.#text.openSeam(block.seam)
    if (block.gaveText) this.#text.tookBlockForText()
  }

  /**
   * Takes text that begins like a call but is not one. A notice reports it, unless it may equally be something else, or
   * a call's marker begins within its own, as in `<<tool_call>`: that one is read next. False if more text is needed.
   */
  #passOverMention(): boolean {
    const { offset, place, text, isFinal } = this.#source
    const marker = this.#reasoning ? undefined : this.#markers.lengthAt(place)
    const length = marker === undefined ? this.#format.callMarkerLength(text, place) : 0
    const inner = this.#format.beginsMarkerWithin(text, place + 1, place + length, isFinal)
    if (inner === 'begun') return false
    this.#isAtMention = false
    if (marker !== undefined) return this.#text.takeMarker(place, place + marker)
    if (length > 0 && !inner) {
      this.#reportedBroken = true
      this.#out.notice(
        'broken-call',
        'The text begins like a call but is not one, so it stays text.',
        offset,
        offset + 1,
      )
      this.#markers.leaveOpen(this.#format.blocksAt(text, place).flatMap(({ program }) => program.closers))
    }
    if (this.#reasoning) this.#reasoning.passOver(place)
    else this.#text.passOver(place + 1)
    return true
  }
}
