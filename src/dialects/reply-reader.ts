import type { FinishReason, ReplyEvent } from '../conversation/index.ts'
import { ModelText, type Scanner } from '../grammar/index.ts'
import { type BlockContext, BlockInProgress } from './block-in-progress.ts'
import { CallGate } from './call-gate.ts'
import type { Reader, ReaderOptions } from './dialect.ts'
import { FenceHold } from './fence-hold.ts'
import { type Shell, shellAt, shellEnd } from './fence-shell.ts'
import { ThoughtHold } from './hold.ts'
import type { Marks } from './marks.ts'
import type { ReasoningForm } from './reasoning-forms.ts'
import { ReasoningInProgress } from './reasoning-in-progress.ts'
import type { ReadableBlock, ReplyFormat, ScannerParts } from './reply-format.ts'
import { ReplyOutput } from './reply-output.ts'
import { type Meeting, ReplyText } from './reply-text.ts'
import type { ReadReport } from './report.ts'

/** The reasons for which a reply ends where the model meant to go on. */
const cuts: ReadonlySet<FinishReason> = new Set(['length', 'stop-sequence', 'content-filter'])
/** A tag of reasoning may be glued to the end of a sentence. */
const gluing = /[\p{L}\p{N}.!?:;\u3002\uff01\uff1f]/u
/** What names of tools are made of. */
const nameChar = /[\w.-]/

/** Reads a reply in one format: its reasoning, its text, and the calls in it. */
export class ReplyReader implements Reader {
  readonly #format: ReplyFormat
  readonly #options: ReaderOptions
  readonly #source: ModelText
  readonly #out: ReplyOutput
  readonly #gate: CallGate
  readonly #text: ReplyText
  readonly #context: Omit<BlockContext, 'role'>
  /** In lower case; undefined where calls need none. */
  readonly #trigger: string | undefined
  /** True once calls count: at once without a trigger, else when the trigger came. */
  #isArmed: boolean
  readonly #scanners = new Map<string, Scanner>()
  #reasoning: ReasoningInProgress | undefined
  #block: BlockInProgress | undefined
  /** A block of calls was read, whatever became of it. */
  #sawBlock = false
  /** Where the last trigger stood, while no call came behind it. */
  #lonelyTrigger: [start: number, end: number] | undefined
  /** The run of the fence around the calls behind a trigger: it goes with them. */
  #shell: string | undefined
  #hold: FenceHold | ThoughtHold | undefined
  /** What was waited for up to the end of the reply, and did not come. */
  readonly #missing = new Set<string>()
  /** Text up to here, in all of it, is an example: the fence around it is closed. */
  #exampleEnd = 0

  /** `trigger` is that of the conversation, where calls count behind it alone. */
  constructor(format: ReplyFormat, marks: Marks, options: ReaderOptions, trigger?: string) {
    const { delivery, modelIds = false } = options
    this.#format = format
    this.#options = options
    this.#source = new ModelText(options.trace)
    this.#out = new ReplyOutput(marks, options.newCallId, { isWhole: delivery === 'whole', modelIds })
    this.#gate = new CallGate(options)
    this.#text = new ReplyText(this.#source, this.#out)
    this.#context = { source: this.#source, out: this.#out, gate: this.#gate, marks }
    this.#trigger = trigger?.toLowerCase()
    this.#isArmed = trigger === undefined
    if (options.reasoningOpen) this.#openReasoning(undefined)
  }

  push(text: string): ReplyEvent[] {
    if (this.#hold) this.#keep(this.#hold, text)
    else this.#source.add(text)
    this.#run()
    return this.#out.take()
  }

  end(reason: FinishReason): ReplyEvent[] {
    this.#source.finish(cuts.has(reason))
    this.#run()
    while (this.#hold) {
      this.#endHold(this.#hold)
      this.#run()
    }
    if (this.#lonelyTrigger) {
      const message = 'The model wrote the trigger, but no call behind it.'
      this.#out.notice('trigger-without-call', message, ...this.#lonelyTrigger)
    }
    this.#out.finish(reason)
    return this.#out.take()
  }

  get report(): ReadReport {
    const { refused, hasAdmitted } = this.#gate
    return {
      sawToolCallSyntax: this.#sawBlock || this.#text.sawSyntax,
      rejectedByPolicy: refused.size > 0 && !hasAdmitted,
      rejectedToolNames: [...refused],
    }
  }

  #run(): void {
    while (!this.#hold && this.#step()) {
      // Each step takes text or changes what is read.
    }
  }

  /** Reads one thing; false when more text is needed. */
  #step(): boolean {
    if (this.#block) return this.#readBlock(this.#block)
    return this.#reasoning ? this.#readReasoning(this.#reasoning) : this.#readText()
  }

  /** Looks for what may come in text now. */
  get #scanner(): Scanner {
    const fences = this.#trigger !== undefined || this.#options.fences === 'lenient'
    // Behind a trigger a call counts wherever it stands.
    const lines = this.#trigger === undefined
    return this.#scannerFor({ calls: this.#isArmed, closers: this.#text.isWreck, fences, lines })
  }

  #scannerFor(parts: ScannerParts): Scanner {
    const key = `${parts.calls} ${parts.closers}`
    let scanner = this.#scanners.get(key)
    if (!scanner) {
      const base = this.#format.scanner(parts)
      scanner = this.#trigger === undefined ? base : base.with({ literal: this.#trigger })
      this.#scanners.set(key, scanner)
    }
    return scanner
  }

  #openReasoning(form: ReasoningForm | undefined): true {
    const calls = this.#options.callsInReasoning ?? false
    this.#reasoning = new ReasoningInProgress(
      { source: this.#source, out: this.#out, format: this.#format, calls },
      form,
    )
    return true
  }

  #readReasoning(reasoning: ReasoningInProgress): boolean {
    if (reasoning.isEmpty && reasoning.form === undefined) {
      const head = this.#headOfReasoning()
      if (head === 'more') return false
      if (head === 'call') return this.#endReasoning()
      if (head) return this.#openReasoning(head)
    }
    if (reasoning.isEmpty && reasoning.form) {
      const again = this.#reopens(reasoning.form.open)
      if (again === 'more') return false
      if (again) return true
    }
    const outcome = reasoning.read()
    if (outcome === 'more') return false
    return outcome === 'closed' ? this.#endReasoning() : this.#meetCallInReasoning(reasoning, outcome.call)
  }

  /**
   * How reasoning begins that the prompt has opened: the model may pass it over and call at once, or open it once more.
   * The marker of that goes.
   */
  #headOfReasoning(): 'call' | 'more' | ReasoningForm | undefined {
    const source = this.#source
    const start = source.place + source.length(/\s{0,65}/y)
    if (start === source.text.length && !source.isFinal) return 'more'
    const found = this.#scanner.find(source.text, start, source.isFinal)
    if (found?.index !== start) return undefined
    if (found.type === 'held') return 'more'
    const rest = source.text.slice(start, start + 64).toLowerCase()
    const form = this.#format.reasoning.find(({ open }) => rest.startsWith(open.toLowerCase()))
    if (form) source.take(start + form.open.length, 'marker')
    const isCall = this.#isArmed && this.#format.blocksAt(source.text, start).some(({ place }) => place === 'anywhere')
    return form ?? (isCall ? 'call' : undefined)
  }

  /** Models open what the prompt has opened once more: that marker goes. */
  #reopens(open: string): boolean | 'more' {
    const source = this.#source
    const start = source.place + source.length(/\s{0,65}/y)
    const there = source.text.slice(start, start + open.length).toLowerCase()
    const marker = open.toLowerCase()
    if (there === marker) {
      source.take(start + open.length, 'marker')
      return true
    }
    return !source.isFinal && marker.startsWith(there) ? 'more' : false
  }

  #endReasoning(): true {
    this.#out.flush()
    this.#reasoning = undefined
    // In the midst of text the white space behind it is the text's.
    this.#text.gap = this.#text.hasText ? 'call' : 'reasoning'
    return true
  }

  /** A call in reasoning is one where the caller wants it so; some models leave their reasoning open and call. */
  #meetCallInReasoning(reasoning: ReasoningInProgress, at: number): boolean {
    const blocks = this.#format.blocksAt(this.#source.text, at)
    const isLine = reasoning.beginsLine(at)
    const wanted = blocks.filter(({ place }) => place !== 'line' || isLine)
    if (this.#isArmed && this.#options.callsInReasoning && this.#beginBlock(wanted, at)) return true
    if (!this.#isArmed || !blocks.some(({ endsReasoning }) => endsReasoning)) {
      reasoning.passOver()
      return true
    }
    return this.#begin(new ThoughtHold(reasoning.closers))
  }

  #readText(): boolean {
    const source = this.#source
    const text = this.#text
    if (source.offset < this.#exampleEnd) return text.passOver(source.place + this.#exampleEnd - source.offset)
    if (this.#shell !== undefined && text.gap === 'call' && !this.#lonelyTrigger) {
      const end = shellEnd(source, this.#shell)
      if (end === 'more') return false
      source.take(source.place + end, 'marker')
      if (end > 0) this.#shell = undefined
    }
    const meeting = text.read(this.#scanner)
    return meeting !== 'more' && this.#meet(meeting)
  }

  /** Meets what was looked for. False when more text is needed. */
  #meet(meeting: Meeting): boolean {
    const { at, atLine } = meeting
    const text = this.#text
    const wreckEnd = text.wreckEndAt(at)
    if (wreckEnd !== undefined) {
      text.passOver(wreckEnd)
      text.endWreck()
      return true
    }
    if (text.isWreck && !atLine) return text.passOver(at + 1)
    if (this.#isTrigger(at)) return this.#meetTrigger(at, undefined)
    const fence = this.#meetFence(meeting)
    if (fence !== undefined) return fence
    // Behind a trigger a call counts wherever it stands.
    const isFree = this.#trigger !== undefined && this.#isArmed
    const isExample = meeting.isExample && !isFree
    if (isExample) text.quote()
    else {
      const around = this.#meetAround(at, atLine)
      if (around) return around !== 'more'
    }
    if (!this.#isArmed) return text.passOver(at + 1)
    const blocks = this.#format
      .blocksAt(this.#source.text, at)
      .filter(({ place }) => place === 'anywhere' || atLine || (place === 'line' ? isFree : text.maySayCall))
      .filter(({ isWhole }) => !isWhole || atLine || !text.isInJson)
    if (blocks.length > 0 && isExample) return this.#meetInExample(at, atLine)
    return this.#beginBlock(blocks, at) || text.passOver(at + 1)
  }

  #isTrigger(at: number): boolean {
    const trigger = this.#trigger
    return trigger !== undefined && this.#source.text.slice(at, at + trigger.length).toLowerCase() === trigger
  }

  /** `shell` is the fence that was opened right before it. */
  #meetTrigger(at: number, shell: Shell | undefined): true {
    const source = this.#source
    const end = at + (this.#trigger?.length ?? 0)
    this.#text.takeMarker(end)
    this.#lonelyTrigger = [source.offsetOf(at), source.offsetOf(end)]
    this.#isArmed = true
    this.#text.endWreck()
    this.#text.gap = 'call'
    if (shell) this.#shell = shell.run
    return true
  }

  /** A line that opens a fence, where fences may be shells of calls; undefined where it is none. */
  #meetFence({ at, atLine }: Meeting): boolean | undefined {
    const source = this.#source
    const isMinded = this.#trigger !== undefined || this.#options.fences === 'lenient'
    const shell = isMinded && atLine && this.#text.openFence === '' ? shellAt(source, at) : undefined
    if (!shell) return undefined
    const behind = at + shell.length
    if (this.#trigger !== undefined) {
      if (this.#isTrigger(behind)) return this.#meetTrigger(behind, shell)
      const rest = source.text.slice(behind, behind + this.#trigger.length).toLowerCase()
      if (!source.isFinal && rest.length < this.#trigger.length && this.#trigger.startsWith(rest)) return false
      if (this.#text.gap !== 'call' || !this.#isArmed) return undefined
    }
    const begins = this.#format.beginsBlockAt(source.text, behind, source.isFinal)
    if (begins === 'begun') return false
    if (!begins) return undefined
    if (this.#trigger === undefined) {
      this.#text.passOver(at)
      return this.#begin(new FenceHold(shell.run, shell.length))
    }
    source.take(behind, 'marker')
    this.#shell = shell.run
    return true
  }

  /** Reasoning, or a marker around text. False where neither stands here. */
  #meetAround(at: number, atLine: boolean): boolean | 'more' {
    const source = this.#source
    const text = this.#text
    const rest = source.text.slice(at, at + 64).toLowerCase()
    const form = this.#format.reasoning.find(({ open }) => rest.startsWith(open.toLowerCase()))
    if (form?.kind === 'tag' && !atLine && !gluing.test(text.last)) return false
    const length = form?.open.length ?? this.#markerLength(at)
    if (length === undefined) return false
    const callLength = this.#isArmed ? this.#format.callMarkerLength(source.text, at) : 0
    if (callLength > 0) {
      // A message that is a call begins like any other.
      if (!form && length <= callLength) return false
      const isWhole = this.#isWholeMarker(at + length)
      if (isWhole !== true) return isWhole
    }
    text.takeMarker(at + length)
    return form ? this.#openReasoning(form) : true
  }

  /** True unless a name goes on behind what looks like a marker that ends at a place: `>>>allocate` is not `>>>all`. */
  #isWholeMarker(end: number): boolean | 'more' {
    const { text, isFinal } = this.#source
    if (!nameChar.test(text[end - 1] ?? '')) return true
    if (end === text.length && !isFinal) return 'more'
    return !nameChar.test(text[end] ?? '')
  }

  #markerLength(at: number): number | undefined {
    const rest = this.#source.text.slice(at, at + 64).toLowerCase()
    const isHead = this.#text.gap === 'start' || this.#text.gap === 'reasoning'
    return this.#format.strayCloserLength(rest, isHead) ?? this.#format.markerLength(this.#source, at)
  }

  /**
   * What looks like a call in an example: it is none, unless its line begins with it in a fence that the reply ends in,
   * which hides no call. To know that, all from here on is kept until the fence is closed.
   */
  #meetInExample(at: number, atLine: boolean): boolean {
    const run = this.#text.openFence
    if (run === '' || !atLine || this.#trigger !== undefined) return this.#text.passOver(at + 1)
    // The line break in front of a call is the call's.
    const { text: written, place } = this.#source
    this.#text.passOver(at > place && written[at - 1] === '\n' ? at - 1 : at)
    return this.#begin(new FenceHold(run, 0))
  }

  /** Keeps all from here on until it is known how to read it. */
  #begin(hold: FenceHold | ThoughtHold): true {
    this.#hold = hold
    // A reply may be full of fences that are never closed: it is searched to its end for one of them only.
    if (this.#source.isFinal && this.#missing.has(hold.awaits)) this.#endHold(hold)
    else this.#keep(hold, this.#source.withdraw())
    return true
  }

  #keep(hold: FenceHold | ThoughtHold, piece: string): void {
    const length = hold.push(piece)
    if (length === undefined) return
    const { offset } = this.#source
    this.#release(hold)
    if (hold instanceof FenceHold) this.#exampleEnd = offset + length
    else this.#reasoning?.ignoreCallsUntil(offset + length)
  }

  #release(hold: FenceHold | ThoughtHold): void {
    this.#hold = undefined
    this.#source.add(hold.take())
  }

  #endHold(hold: FenceHold | ThoughtHold): void {
    if (hold instanceof FenceHold) this.#endFence(hold)
    else this.#endThought(hold)
  }

  /** The reply ends in reasoning that calls. */
  #endThought(hold: ThoughtHold): void {
    this.#missing.add(hold.awaits)
    this.#release(hold)
    this.#endReasoning()
  }

  /** The reply ends while text in a fence is kept. */
  #endFence(hold: FenceHold): void {
    const source = this.#source
    const { shell, isClosed, run } = hold
    // A reply that was cut in a fence was cut in an example.
    const isExample = shell === 0 ? isClosed || source.isCut : !isClosed || !this.#isCalls(hold.content)
    if (!isClosed) this.#missing.add(hold.awaits)
    this.#release(hold)
    if (isExample) {
      this.#exampleEnd = source.offsetOf(source.text.length)
    } else if (shell > 0) {
      source.take(source.place + shell, 'marker')
      this.#shell = run
      this.#text.gap = 'call'
    } else {
      this.#text.leaveFence()
      this.#out.isWhole = true
    }
  }

  /** True when a text holds whole calls and nothing else. */
  #isCalls(text: string): boolean {
    const { tools, toolChoice, parallelCalls } = this.#options
    const policy = { tools, toolChoice, parallelCalls, newCallId: () => '', delivery: 'whole' as const }
    const reader = new ReplyReader(this.#format, this.#context.marks, policy)
    const events = [...reader.push(text), ...reader.end('stop')]
    const isText = events.some((event) => event.type === 'text' && event.text.trim() !== '')
    return !isText && events.some((event) => event.type === 'call-end')
  }

  #beginBlock(blocks: readonly ReadableBlock[], at: number): boolean {
    const [first, ...others] = blocks.map(({ program }) => program)
    if (!first) return false
    const role = this.#reasoning ? 'reasoning' : 'text'
    if (!this.#reasoning) this.#text.endLineBefore(at)
    this.#block = new BlockInProgress({ ...this.#context, role }, [first, ...others], at)
    return true
  }

  #readBlock(block: BlockInProgress): boolean {
    const outcome = block.read()
    if (outcome === 'more') return false
    this.#block = undefined
    if (outcome === 'none') return this.#passOverMention()
    this.#sawBlock = true
    this.#text.interrupt()
    this.#reasoning?.interrupt()
    if (outcome !== 'mention') this.#lonelyTrigger = undefined
    this.#text.gap = outcome === 'mention' ? undefined : 'call'
    if (outcome === 'incomplete' || outcome === 'unreadable') this.#text.beginWreck(block.program?.closers ?? [])
    else this.#text.endWreck()
    return true
  }

  /** What begins like a call and is none; where it might as well be something else, there is nothing to say about it. */
  #passOverMention(): true {
    const { offset, place, text } = this.#source
    const marker = this.#reasoning ? undefined : this.#markerLength(place)
    if (marker !== undefined) return this.#text.takeMarker(place + marker)
    if (this.#format.callMarkerLength(text, place) > 0) {
      this.#out.notice('broken-call', 'What looked like the beginning of a call is none.', offset, offset + 1)
    }
    if (this.#reasoning) this.#reasoning.passOver()
    else this.#text.passOver(place + 1)
    return true
  }
}
