import type { BlockStatus, CallSink } from '../scan/call-sink.ts'
import { DoubledMarker } from '../scan/doubled-marker.ts'
import type { ModelText } from '../scan/model-text.ts'
import { patternTerminal, type Terminal } from '../scan/terminal.ts'
import type { Value } from '../tree/expression.ts'
import { type Captures, noCaptures } from '../tree/pattern.ts'
import { turnEnds } from '../tree/turn-end.ts'
import { bindEnds, boundTerminal, type Instruction, type Program } from './program.ts'
import { ArgumentsText } from './values/arguments-text.ts'
import { CallArguments } from './values/call-arguments.ts'
import { JsonValueReader } from './values/json-value.ts'
import { takeSurplus } from './values/surplus-brackets.ts'
import { TagArguments } from './values/tag-arguments.ts'
import { TaggedText } from './values/tagged-text.ts'
import { TaggedValue } from './values/tagged-value.ts'
import { mayWrapArguments, WrappedArguments } from './values/wrapped-arguments.ts'

/** An open choice: the state to go back to if the alternative that is tried does not match. */
interface Choice {
  of: object
  otherwise: number
  ahead: number
  captures: Captures
}

/** The outcome of a step. */
type Step = 'on' | 'fail' | BlockStatus

/** The markers that may end a reply with an open last string. */
const turnEnd = patternTerminal(turnEnds)

/** The white space that may come before a closing marker. */
const blanks = /\s{0,256}/y

/**
 * Reads one block of calls with a program, from text in pieces: a parsing machine like LPeg's. Between two pieces it
 * keeps only the program counter, the place and the stack of open choices. Text that a choice may return to is not
 * consumed yet; at a call's name all choices are cut, so no event is ever undone.
 */
export class Machine {
  readonly #program: Program
  readonly #instructions: readonly Instruction[]
  readonly #source: ModelText
  readonly #sink: CallSink
  #pc = 0
  /** The closing markers of the section that were left out. */
  readonly missing: Terminal[] = []
  /** The distance between the place that is read and the text that was consumed. */
  #ahead = 0
  #stack: Choice[] = []
  #captures: Captures = noCaptures
  /** The captures of the open call that hold for all of its arguments. */
  #callCaptures: Captures = {}
  #arguments: CallArguments | undefined
  /** The attributes of the open call's tag, without its name. */
  #attributes: TagArguments | undefined
  /** The place, in all of the model's text, at which the last call begins. */
  #callStart = 0
  #isCallOpen = false
  /** The number of calls that have ended. */
  #calls = 0
  #json: JsonValueReader | undefined
  #value: TaggedText | undefined
  /** Set while a single value holds all arguments as JSON text (encoding `arguments`). */
  #object: ArgumentsText | undefined
  /** True if the argument's tag has the prefix of its vendor. */
  #isMarked = false
  /** The marker that was written twice, if the block is read without it. */
  readonly #doubled: DoubledMarker
  /** True after a self-closing tag. */
  #isEmptyTag = false
  /** The offset, in the whole text of the model, of the argument that is being read. */
  #offset = 0
  /** True if the end of a reply that was cut replaces a part that may have followed. */
  #isCutShort = false
  /** True if JSON was read to its end: no part of the call is missing. */
  #isWhole = false

  /**
   * The block begins at the source's place. If it turns out not to be one before a name was read or JSON began, no text
   * was taken, so another program can be tried.
   */
  constructor(program: Program, source: ModelText, sink: CallSink) {
    this.#instructions = program.instructions
    this.#source = source
    this.#sink = sink
    this.#doubled = new DoubledMarker(source.offset)
    this.#program = program
    this.#begin()
  }

  /** Begins at the block's first instruction. */
  #begin(): void {
    const otherwise = this.#instructions.length
    this.#pc = 0
    this.#captures = noCaptures
    this.#stack = [{ of: this.#program, otherwise, ahead: 0, captures: noCaptures }]
  }

  /** Reads as far as the text in hand allows. Call it again after more text was added. */
  read(): BlockStatus {
    for (;;) {
      const step = this.#step()
      if (step === 'on') continue
      if (step !== 'fail') return step
      const choice = this.#stack.pop()
      if (!choice) {
        const status = this.#giveUp()
        if (status === 'on') continue
        return status
      }
      this.#pc = choice.otherwise
      this.#ahead = choice.ahead
      this.#captures = choice.captures
    }
  }

  #giveUp(): 'on' | BlockStatus {
    this.#ahead = 0
    if (this.#isCallOpen) return 'broken'
    if (this.#calls > 0) return 'complete'
    const isDoubled = this.#doubled.find(this.#source)
    if (isDoubled === false) return 'no-call'
    if (isDoubled === 'begun') {
      this.#pc = this.#instructions.length
      return 'more'
    }
    this.#begin()
    this.#passDoubled(this.#place)
    this.#noticeDoubled()
    return 'on'
  }

  #noticeDoubled(): void {
    this.#sink.notice('repaired', 'An opening marker was written twice.', this.#source.offset)
  }

  /** Passes over the marker that was written twice, if it comes next in the text that was read from a place on. */
  #passDoubled(from: number): void {
    const source = this.#source
    this.#ahead = this.#doubled.after(source.offsetOf(from), source.offsetOf(this.#place)) - source.offset
  }

  /** Nothing matches at this place. */
  #fail(terminal?: Terminal): 'fail' {
    this.#doubled.failed(terminal, this.#source.offsetOf(this.#place))
    return 'fail'
  }

  get #place(): number {
    return this.#source.place + this.#ahead
  }

  #step(): Step {
    const instruction = this.#instructions[this.#pc]
    switch (instruction?.op) {
      case 'match':
        return this.#match(instruction.terminal, instruction.whenEmpty)
      case 'choice': {
        const { otherwise } = instruction
        this.#stack.push({ of: instruction, otherwise, ahead: this.#ahead, captures: this.#captures })
        return this.#advance()
      }
      case 'commit':
        if (this.#stack.at(-1)?.of === instruction.choice) this.#stack.pop()
        if (this.#stack.length === 0) this.#cut()
        this.#pc = instruction.to
        return 'on'
      case 'call':
        this.#callStart = this.#source.offsetOf(this.#place)
        this.#captures = noCaptures
        this.#arguments = undefined
        this.#attributes = undefined
        this.#isWhole = false
        this.#isCutShort = false
        return this.#advance()
      case 'end-call':
        return this.#endCall(instruction.isStrict)
      case 'close':
        return this.#close(instruction)
      case 'json':
        return this.#readJson(instruction)
      case 'value':
        return this.#readValue(instruction)
      case 'end':
        this.#cut()
        return this.#calls > 0 ? 'complete' : 'no-call'
      default:
        // After the last instruction: nothing matched.
        return this.#giveUp()
    }
  }

  /** Those of the step and of the call. */
  get #allCaptures(): Captures {
    return { ...this.#captures, ...this.#callCaptures }
  }

  #advance(): 'on' {
    this.#pc++
    return 'on'
  }

  /** Commits the text that was read: no choice backtracks beyond it. */
  #cut(): void {
    this.#stack = []
    if (this.#ahead > 0) this.#source.take(this.#place, 'marker')
    this.#ahead = 0
  }

  #match(terminal: Terminal, whenEmpty: number): Step {
    const place = this.#place
    const match = this.#source.terminalAt(terminal, place)
    if (match === 'begun') return 'more'
    const captures = match && terminal.read(match)
    if (!match || !captures || (captures.joined !== undefined && !this.#splitJoined(captures, captures.joined)))
      return this.#fail(terminal)
    this.#ahead += match[0].length
    if (this.#doubled.isFound) this.#passDoubled(place)
    this.#isCutShort = terminal.mayEndText && this.#source.isCut && this.#place === this.#source.text.length
    this.#pc++
    if (captures !== noCaptures) this.#captures = { ...this.#captures, ...captures }
    this.#isEmptyTag = terminal.isEmpty(match)
    if (captures.key !== undefined) {
      this.#offset = this.#source.offsetOf(place)
      this.#isMarked = terminal.plain?.is.testAt(match[0], 0) === false
    }
    if (captures.name !== undefined) {
      const [start] = match.indices?.groups?.name ?? [place + match[0].indexOf(captures.name)]
      this.#gotName(captures.name, start)
      // A refused call emits nothing.
      const others = this.#arguments?.name === undefined ? [] : terminal.others(match)
      this.#attributes = others.length > 0 ? new TagArguments(others, this.#source.offsetOf(place)) : undefined
    }
    if (this.#stack.length === 0) this.#cut()
    if (this.#isEmptyTag && whenEmpty >= 0 && this.#arguments) this.#pc = whenEmpty
    return 'on'
  }

  /** Splits a name from the key right after it; false if no tool has such an argument. */
  #splitJoined(captures: Captures, joined: string): boolean {
    for (let end = joined.length - 1; end > 0; end--) {
      const name = joined.slice(0, end).trim()
      const key = joined.slice(end).trim()
      if (name === '' || key === '' || !this.#sink.knows(name, key)) continue
      captures.name = name
      captures.key = key
      return true
    }
    return false
  }

  #gotName(name: string, place: number): void {
    const trimmed = name.trim()
    const start = this.#source.offsetOf(place)
    this.#source.mark('name', start, start + name.length)
    this.#cut()
    this.#isCallOpen = true
    this.#callCaptures = { name }
    const tool = this.#sink.name(trimmed, this.#callStart, this.#captures.id)
    this.#arguments = new CallArguments(tool, this.#sink, () => this.#json?.offset ?? this.#offset)
  }

  /** Ends the call. A strict call without a required argument is not a call. */
  #endCall(isStrict: boolean): Step {
    // A call that is a JSON object with its own name was ended by that.
    if (!this.#arguments && this.#isWhole) return this.#advance()
    if (!this.#arguments) return 'fail'
    if ((this.#isCutShort && !this.#isWhole) || (isStrict && this.#arguments.isMissing)) return 'broken'
    this.#cut()
    this.#attributes?.take(this.#arguments, this.#sink)
    this.#arguments.finish()
    this.#arguments = undefined
    this.#isCallOpen = false
    this.#calls++
    this.#sink.endCall(true)
    return this.#advance()
  }

  /** Reads a closing marker. It may be missing if all else of the block is complete. */
  #close(instruction: Extract<Instruction, { op: 'close' }>): Step {
    const source = this.#source
    const at = this.#place + source.length(blanks, this.#place)
    if (at === source.text.length && !source.isFinal) return 'more'
    const terminal = instruction.bound ? boundTerminal(instruction, this.#allCaptures) : instruction.terminal
    const match = source.terminalAt(terminal, at)
    if (match === 'begun') return 'more'
    // The model stopped in the middle of it.
    const isBegun = !match && !source.isCut && at < source.text.length && source.matches(terminal.begun, at)
    if (match || isBegun) {
      if (!match) this.#sink.notice('repaired', `The closing ${instruction.label} was cut off.`, source.offset)
      this.#ahead = (match ? at + match[0].length : source.text.length) - source.place
      if (this.#stack.length === 0) this.#cut()
      return this.#advance()
    }
    if (!instruction.inCall) {
      if (!instruction.mayBeMissing && !this.missing.includes(terminal)) this.missing.push(terminal)
      if (this.#calls > 0) this.#noticeMissing(instruction)
      return this.#advance()
    }
    const isProven = this.#isProven(instruction, at)
    if (isProven === 'more') return 'more'
    if (!isProven) return 'broken'
    this.#noticeMissing(instruction)
    return this.#advance()
  }

  #noticeMissing({ label, mayBeMissing }: Extract<Instruction, { op: 'close' }>): void {
    if (!mayBeMissing) this.#sink.notice('repaired', `The closing ${label} was left out.`, this.#source.offset)
  }

  /** True if a call without its closing marker is complete anyway; `more` if more text decides. */
  #isProven({ follow, isStrict }: Extract<Instruction, { op: 'close' }>, at: number): boolean | 'more' {
    const source = this.#source
    if (this.#isWhole && !isStrict) return true
    if (!this.#arguments || this.#arguments.isMissing || (isStrict && this.#arguments.isEmpty)) return false
    if (at === source.text.length) return !source.isCut
    const found = follow.map((terminal) => source.terminalAt(terminal, at))
    if (found.includes('begun')) return 'more'
    if (isStrict) return found.some((match) => match)
    // Prose directly after the opening tag is not the body of a call; after arguments it is text after the call. The
    // end of a cut reply may have become the next argument.
    return found.some((match) => match) || (!source.isCut && !this.#arguments.isEmpty)
  }

  #readJson({ json: format, follow, marks }: Extract<Instruction, { op: 'json' }>): Step {
    const source = this.#source
    if (!this.#json) {
      if (this.#place === source.text.length) {
        if (!source.isFinal) return 'more'
        if (source.isCut && this.#isCallOpen) return this.#breakOffBefore(format)
      }
      const isDoubled = this.#doubled.findBeforeList(source, this.#place)
      if (isDoubled === 'begun') return 'more'
      if (isDoubled) {
        this.#ahead = this.#doubled.end - source.offset
        this.#noticeDoubled()
      }
      this.#json = JsonValueReader.begin(
        format,
        source.text[this.#place],
        this.#sink,
        { args: this.#arguments, id: this.#captures.id },
        marks,
      )
      if (!this.#json) return format.holds === 'arguments' ? this.#skipArguments(follow) : this.#fail()
      if (format.holds === 'value' && !this.#beginArgument()) {
        this.#json = undefined
        return 'fail'
      }
      this.#cut()
      if (format.holds === 'arguments') this.#attributes?.leave(this.#sink)
    }
    const json = this.#json
    switch (json.read(source)) {
      case 'more':
        if (!source.isFinal) return 'more'
        // The model stopped here, which proves the end unless it meant to continue.
        if (source.isCut || json.isAfterComma || !json.close(source.place)) return this.#breakOff()
        break
      case 'stopped': {
        if (json.isNone) return 'no-call'
        const found = follow.map((terminal) => source.terminalAt(terminal))
        const turn = source.terminalAt(turnEnd)
        if (found.includes('begun') || turn === 'begun') return 'more'
        const isProven = turn || found.some((match, index) => match && (follow[index]?.closes || !json.isAfterComma))
        if (!isProven || !json.close(source.place)) return this.#breakOff()
        break
      }
      case 'done':
        // A bracket after one argument's value, or after a message, belongs to something else.
        if (format.holds === 'value' || format.holds === 'message') break
        if (takeSurplus(source, this.#sink, format.isBare, follow) === 'more') return 'more'
    }
    if (!json.finish()) return this.#breakOff()
    this.#calls += json.calls
    // Another argument may follow.
    this.#isWhole = format.holds !== 'value'
    this.#json = undefined
    return this.#advance()
  }

  /** Ends a call that was cut right before a value: the marker before it belongs to the call. */
  #breakOffBefore({ holds }: Extract<Instruction, { op: 'json' }>['json']): Step {
    if (holds === 'value') this.#beginArgument()
    this.#cut()
    return 'broken'
  }

  /** Continues without arguments if the call is closed right away. */
  #skipArguments(follow: readonly Terminal[]): Step {
    const found = follow.map((terminal) => this.#source.terminalAt(terminal, this.#place))
    if (found.includes('begun')) return 'more'
    const isClosed = found.some((match, index) => match && follow[index]?.closes)
    return this.#arguments && isClosed ? this.#advance() : 'fail'
  }

  /**
   * Begins an argument: the one with the key that was found or, without a key, the tool's next. Returns false if there
   * is none.
   */
  #beginArgument(): boolean {
    const { key } = this.#captures
    this.#captures = noCaptures
    if (key !== undefined) {
      this.#arguments?.key(key)
      return true
    }
    this.#offset = this.#source.offsetOf(this.#place)
    const next = this.#arguments?.nextKey()
    if (next === undefined) return false
    this.#sink.notice('repaired', `An argument without a name was taken as "${next}".`, this.#offset)
    return true
  }

  /** Ends the block at JSON that cannot be read further: the complete calls in it stay. */
  #breakOff(): BlockStatus {
    return this.#isCallOpen || (this.#json?.calls ?? 0) + this.#calls > 0 ? 'broken' : 'no-call'
  }

  #readValue(instruction: Extract<Instruction, { op: 'value' }>): Step {
    const source = this.#source
    if (!this.#value) {
      if (!this.#arguments) return 'fail'
      this.#cut()
      const value = this.#beginValue(instruction, this.#arguments)
      if (!value) return 'fail'
      this.#value = value
      this.#captures = noCaptures
      if (this.#isEmptyTag) value.endEmpty()
    }
    const status = this.#value.read(source)
    if (status === 'more' && !source.isFinal) return 'more'
    if (status === 'more' && (source.isCut || !instruction.value.mayEnd)) return 'broken'
    if (status === 'more') this.#value.endEmpty()
    this.#value = undefined
    this.#isEmptyTag = false
    if (this.#object && !this.#object.isSound) return 'broken'
    this.#object = undefined
    return this.#advance()
  }

  #keyOfUnnamed({ unnamed, isOnlyArgument }: Value, args: CallArguments): string | undefined {
    if (isOnlyArgument) return args.name === undefined ? undefined : this.#sink.textKey(args.name)
    return unnamed === undefined ? undefined : args.keyOfUnnamed(unnamed)
  }

  #beginValue(instruction: Extract<Instruction, { op: 'value' }>, args: CallArguments): TaggedText | undefined {
    const { value: format } = instruction
    const { type, value: attribute } = this.#captures
    const key = this.#captures.key ?? this.#keyOfUnnamed(format, args)
    const ends = bindEnds(instruction.ends, () => this.#allCaptures)
    const target = {
      unclosed: (offset: number) =>
        this.#sink.notice('repaired', `The end of argument "${key}" was left out: the next begins.`, offset),
      expects: (next: string) => args.properties.includes(next) && !args.writer.keys.has(next),
    }
    if (format.encoding === 'arguments') {
      this.#attributes?.leave(this.#sink)
      this.#offset = this.#source.offset
      const object = new ArgumentsText(args, this.#offset)
      this.#object = object
      return new TaggedText(format, ends, { open: () => object, ...target })
    }
    if (key === undefined) return undefined
    const openValue = (isVerbatim: boolean, offset: number) => {
      args.key(key)
      return new TaggedValue(args.writer, format, { type, isVerbatim }, (message) =>
        this.#sink.notice('retyped', `Argument "${key}": ${message}.`, offset),
      )
    }
    const openWrapped = (isVerbatim: boolean, offset: number) =>
      new WrappedArguments(
        args,
        () => openValue(isVerbatim, offset),
        () => this.#sink.notice('repaired', `The arguments were inside an argument named "${key}".`, offset),
      )
    const open = mayWrapArguments(key, args) ? openWrapped : openValue
    return new TaggedText(format, ends, { open, ...target }, { isMarked: this.#isMarked, attribute })
  }
}
