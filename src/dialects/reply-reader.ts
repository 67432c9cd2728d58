import type { FinishReason, ReplyEvent } from '../conversation/index.ts'
import { CallGate } from './call-gate.ts'
import { type CallContext, CallInProgress } from './call-in-progress.ts'
import type { CallSyntax } from './call-reader.ts'
import type { Reader, ReaderOptions } from './dialect.ts'
import { ExampleGuard } from './example-guard.ts'
import type { Marks } from './marks.ts'
import { ModelText, Search } from './model-text.ts'
import { reasoningClosers, reasoningOpeners } from './reasoning-tags.ts'
import { ReplyOutput } from './reply-output.ts'

/** A format as a reader needs it: how calls are written, and what announces them. */
export interface ReplyFormat {
  syntax: CallSyntax
  /** Absent in dialects whose calls need no trigger. */
  trigger?: string
  marks: Marks
}

/** White space alone between markers is the format's; more of it than this is text. */
const longestGap = 64
const gap = new RegExp(`\\s{0,${longestGap + 1}}`, 'y')
/** The reasons for which a reply ends where the model meant to go on. */
const cuts: ReadonlySet<FinishReason> = new Set(['length', 'stop-sequence', 'content-filter'])

/** Reads a reply in one dialect: reasoning at its head, text, and the calls in it. */
export class ReplyReader implements Reader {
  readonly #source: ModelText
  readonly #out: ReplyOutput
  readonly #guard: ExampleGuard = new ExampleGuard()
  readonly #context: CallContext
  readonly #trigger: string | undefined
  /** What to look for in text: before the trigger came, since, and behind a call that could not be read on. */
  readonly #unarmed: Search
  readonly #armed: Search
  readonly #afterWreck: Search
  #state: 'head' | 'reasoning' | 'text' | 'call' = 'head'
  /** The tags that close the reasoning. */
  #reasoningEnd: Search = new Search(reasoningClosers)
  /** True once calls count: at once without a trigger, else when the trigger came. */
  #isArmed: boolean
  /** Behind what only white space came since; undefined in text. A trigger counts as a call. */
  #gap: 'start' | 'reasoning' | 'call' | undefined = 'start'
  /**
   * Behind a call that could not be read on comes the rest of it, and in it may stand what looks like a call: up to its
   * closing tag only what begins a line counts. `isLineBlank` says whether the line so far allows that.
   */
  #wreck: { isLineBlank: boolean } | undefined
  /** Where the last trigger stood, while no call came behind it. */
  #lonelyTrigger: [start: number, end: number] | undefined
  #call: CallInProgress | undefined

  constructor(format: ReplyFormat, options: ReaderOptions) {
    const { syntax, marks } = format
    this.#source = new ModelText(options.trace)
    this.#out = new ReplyOutput(marks, options.newCallId)
    this.#context = { source: this.#source, out: this.#out, gate: new CallGate(options), marks, syntax }
    this.#trigger = format.trigger?.toLowerCase()
    const triggers = this.#trigger === undefined ? [] : [this.#trigger]
    this.#isArmed = this.#trigger === undefined
    this.#unarmed = new Search(triggers)
    this.#armed = new Search([...triggers, syntax.opener])
    this.#afterWreck = new Search([...triggers, syntax.opener, syntax.closer])
    if (options.reasoningOpen) this.#openReasoning(reasoningClosers)
  }

  push(text: string): ReplyEvent[] {
    this.#source.add(text)
    this.#run()
    return this.#out.take()
  }

  end(reason: FinishReason): ReplyEvent[] {
    this.#source.finish(cuts.has(reason))
    this.#run()
    if (this.#lonelyTrigger) {
      this.#out.notice(
        'trigger-without-call',
        'The model wrote the trigger, but no call behind it.',
        ...this.#lonelyTrigger,
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
    const blank = source.length(gap)
    const at = source.place + blank
    if (blank <= longestGap) {
      if (source.mayBegin(reasoningOpeners, at)) return false
      const opener = reasoningOpeners.findIndex((tag) => source.text.slice(at, at + tag.length).toLowerCase() === tag)
      if (opener >= 0) {
        source.take(at + (reasoningOpeners[opener]?.length ?? 0), 'marker')
        this.#openReasoning(reasoningClosers.slice(opener, opener + 1))
        return true
      }
    }
    this.#state = 'text'
    return true
  }

  #openReasoning(closers: readonly string[]): void {
    this.#state = 'reasoning'
    this.#reasoningEnd = new Search(closers)
  }

  #readReasoning(): boolean {
    const source = this.#source
    const end = this.#reasoningEnd.find(source.text, source.place)
    const limit = end ? end.index : source.held(this.#reasoningEnd.literals)
    if (this.#gap && !this.#readReasoningGap(limit, end !== undefined)) return false
    this.#out.reasoning(this.#takeTrimmed(limit, 'reasoning', end === undefined))
    if (!end) return false
    source.take(end.index + end.literal.length, 'marker')
    this.#out.flush()
    this.#state = 'text'
    this.#gap = 'reasoning'
    return true
  }

  /** White space behind the tag that opens reasoning is the tag's. False when more is needed to tell how much. */
  #readReasoningGap(limit: number, isClosed: boolean): boolean {
    const source = this.#source
    const blank = source.length(gap)
    if (blank <= longestGap) {
      if (source.place + blank >= limit && !isClosed && !source.isFinal) return false
      source.take(Math.min(source.place + blank, limit), 'marker')
    }
    this.#gap = undefined
    return true
  }

  /** Takes text up to `limit`, without a line break at its end: if a marker follows, it is the marker's. */
  #takeTrimmed(limit: number, role: 'text' | 'reasoning', mayGoOn: boolean): string {
    const source = this.#source
    const isOver = source.isFinal && mayGoOn
    const hasBreak = !isOver && limit > source.place && source.text[limit - 1] === '\n'
    return source.take(hasBreak ? limit - 1 : limit, role)
  }

  #readText(): boolean {
    const source = this.#source
    const search = this.#wreck ? this.#afterWreck : this.#isArmed ? this.#armed : this.#unarmed
    const found = search.find(source.text, source.place)
    const limit = found ? found.index : source.held(search.literals)
    if (this.#gap && !this.#readGap(limit, found !== undefined)) return false
    if (!this.#gap) this.#giveText(this.#takeTrimmed(limit, 'text', found === undefined))
    return found !== undefined && this.#meet(found.literal, found.index)
  }

  /** White space between markers is the format's, until text follows it. False when more is needed to tell. */
  #readGap(limit: number, beforeMarker: boolean): boolean {
    const source = this.#source
    const blank = source.length(gap)
    if (blank <= longestGap) {
      if (source.place + blank >= limit) {
        if (source.isFinal && !beforeMarker) source.take(limit, 'marker')
        return beforeMarker
      }
      // Behind reasoning, text begins with its first word.
      if (this.#gap === 'reasoning') source.take(source.place + blank, 'marker')
    }
    this.#gap = undefined
    return true
  }

  #giveText(text: string): void {
    this.#out.text(text)
    if (this.#wreck) {
      const line = text.slice(text.lastIndexOf('\n') + 1)
      this.#wreck.isLineBlank = line.trim() === '' && (this.#wreck.isLineBlank || line.length < text.length)
    } else {
      this.#guard.feed(text)
    }
  }

  /** Meets a literal that was looked for, at `start`. False when more text is needed. */
  #meet(literal: string, start: number): boolean {
    const source = this.#source
    const { opener, closer } = this.#context.syntax
    const end = start + literal.length
    if (literal === closer) {
      this.#passOver(end)
      this.#wreck = undefined
      return true
    }
    if (literal === opener && end === source.text.length && !source.isFinal) return false
    // `<invoker` is another word.
    const isWord = literal === opener && /[\w-]/.test(source.text[end] ?? '')
    if (isWord || !this.#isMeant(literal, start)) {
      this.#passOver(end)
      return true
    }
    this.#wreck = undefined
    if (literal === opener) {
      this.#guard.interrupt()
      this.#call = new CallInProgress(this.#context, start)
      this.#state = 'call'
    } else {
      source.take(end, 'marker')
      this.#lonelyTrigger = [source.offsetOf(start), source.offsetOf(end)]
      this.#isArmed = true
      this.#gap = 'call'
    }
    return true
  }

  /** Whether what stands at `start` is a trigger or call, and not part of an example or of a call's wreck. */
  #isMeant(literal: string, start: number): boolean {
    if (this.#gap) return true
    const onNewLine = this.#source.text.slice(this.#source.place, start).includes('\n')
    if (this.#wreck) return onNewLine || this.#wreck.isLineBlank
    return literal === this.#trigger || !this.#guard.inExample(onNewLine)
  }

  #passOver(end: number): void {
    this.#gap = undefined
    this.#giveText(this.#source.take(end, 'text'))
  }

  #readCall(): boolean {
    const outcome = this.#call?.read() ?? 'mention'
    if (outcome === 'more') return false
    this.#call = undefined
    this.#state = 'text'
    if (outcome !== 'mention') this.#lonelyTrigger = undefined
    this.#gap = outcome === 'mention' ? undefined : 'call'
    this.#wreck = outcome === 'incomplete' || outcome === 'unreadable' ? { isLineBlank: false } : undefined
    return true
  }
}
