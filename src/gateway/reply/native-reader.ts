import { type FinishReason, newId, type ReplyEvent, type SaidReasoning } from '../../conversation/index.ts'
import type { Reader, ReaderOptions, ReadReport } from '../../dialects/index.ts'
import { CallGate, createFormatReader, Marks, ReadingPreparation, universal } from '../../dialects/index.ts'
import type { CallPiece, UpstreamEvent } from '../../upstreams/index.ts'
import { NativeCall } from './native-call.ts'
import { NativeCallReading, sentCallFormat } from './native-call-reading.ts'
import type { UpstreamReader } from './read-reply.ts'
import { TextAround } from './text-around.ts'

/** The finish reasons of a reply that the model did not end itself. */
const cuts: ReadonlySet<FinishReason> = new Set(['length', 'stop-sequence', 'content-filter'])

/** The text that an upstream sends beside its calls. */
type Said = Extract<UpstreamEvent, { type: 'text' | 'reasoning' }>

export interface NativeReaderOptions extends ReaderOptions {
  /** The ids of the conversation's calls so far. */
  takenIds?: Iterable<string>
  /** The readers of the text beside the calls; by default, calls of any format are read. */
  text?: TextReading
}

export interface TextReading {
  /** The reader of the text up to the first call, which has read some of it already. */
  begun: { reader: Reader; callCount: number; isBlank: boolean; length: number }
  /** Makes the reader of each further stretch of text; its places count from the stretch's beginning. */
  newReader: (trace?: ReaderOptions['trace']) => Reader
}

/**
 * Reads the reply of an upstream with its own tool calling. Its calls are written out as a model would write them, and
 * read like any others: so broken, cumulative or doubly encoded arguments are repaired by the tools' schemas, names are
 * matched, and tools that were not offered are refused. Calls that leaked into its text are read from the text. Calls
 * and texts are emitted one after the other, however the upstream interleaves them.
 */
export class NativeReader implements UpstreamReader {
  readonly #options: NativeReaderOptions
  /** Lets calls through for the whole reply: those that are sent, and those that leak into the text. */
  readonly #gate: CallGate
  /** The ids of the conversation's calls, those of this reply among them. */
  readonly #takenIds: Set<string>
  /** The texts up to the first call, between two calls and after the last. */
  readonly #texts: TextAround[] = []
  /** The call that is being read. */
  #open: NativeCallReading | undefined
  /** Calls that came while another was open. */
  readonly #waiting: { call: NativeCall; json: string }[] = []
  /** Calls that are over. */
  readonly #over: NativeCallReading[] = []
  /** The call that the last piece was of; undefined if it was of one that is over. */
  #last: NativeCall | undefined
  /** Text and reasoning that came in the middle of a call. */
  readonly #held: Said[] = []
  /** By the reader and its own index, the index in the reply. */
  readonly #indices = new Map<string, number>()
  /** The last text that was emitted: said by the model, or a refused call. Such a call is on its own lines. */
  #lastText: 'said' | 'refused call' | undefined
  /** The characters of text so far. */
  #length = 0
  #preparation: ReadingPreparation | undefined

  constructor(options: NativeReaderOptions) {
    this.#options = options
    this.#gate = new CallGate(options)
    this.#takenIds = new Set(options.takenIds)
    const begun = options.text?.begun
    if (!begun) return
    this.#length = begun.length
    this.#texts.push(new TextAround(begun.reader, begun.isBlank))
    for (let index = 0; index < begun.callCount; index++) this.#indices.set(`text 1 ${index}`, index)
    if (!begun.isBlank) this.#lastText = 'said'
  }

  prepare(pieces: readonly UpstreamEvent[]): Promise<void> | undefined {
    // A dialect's own readers have the expressions of one format.
    if (this.#options.text) return undefined
    let text = ''
    for (const piece of pieces) if (piece.type === 'text') text += piece.text
    if (text === '') return undefined
    this.#preparation ??= new ReadingPreparation(universal, this.#options)
    return this.#preparation.prepare(text)
  }

  push(text: string): ReplyEvent[] {
    return this.#say({ type: 'text', text })
  }

  pushReasoning(said: SaidReasoning): ReplyEvent[] {
    return this.#say(said)
  }

  pushCall(piece: CallPiece): ReplyEvent[] {
    const open = this.#open
    const isOf = (call: NativeCall): boolean => (piece.goesOn ? call === this.#last : !call.isOther(piece))
    if (open && isOf(open.call)) {
      this.#last = open.call
      return this.#ofCall(open.write(open.call.take(piece)))
    }
    const waiting = this.#waiting.find(({ call }) => isOf(call))
    if (waiting) {
      this.#last = waiting.call
      waiting.json += waiting.call.take(piece)
    } else if (piece.goesOn) return []
    else if (isOfAny(this.#over, piece)) {
      this.#last = undefined
      return []
    } else {
      const call = new NativeCall(piece)
      this.#last = call
      this.#waiting.push({ call, json: call.take(piece) })
    }
    // A call that has begun is read to its end first; those that run beside it wait.
    return !open || open.call.isWhole ? this.#next() : []
  }

  end(reason: FinishReason): ReplyEvent[] {
    const events: ReplyEvent[] = []
    while (this.#waiting.length > 0) events.push(...this.#next())
    // The token limit cut the call that came last.
    events.push(...(cuts.has(reason) ? this.#cut(reason) : this.#close()))
    events.push(...this.#release(), ...this.#endText(reason))
    const called = this.#over.some((one) => one.isCalled) || this.#texts.some((text) => text.hasCalls)
    events.push({ type: 'finish', reason: called && !cuts.has(reason) ? 'calls' : reason })
    return events
  }

  get report(): ReadReport {
    const isSyntaxSeen =
      [...this.#over, ...(this.#open ? [this.#open] : [])].some((one) => one.sawToolCallSyntax) ||
      this.#texts.some((text) => text.report.sawToolCallSyntax)
    return { sawToolCallSyntax: isSyntaxSeen, ...this.#gate.report }
  }

  /** Text after a whole call ends it; text in the middle of one waits for its end, since a client's blocks cannot nest. */
  #say(said: Said): ReplyEvent[] {
    if (!this.#open) return this.#give(said)
    this.#held.push(said)
    return said.text.trim() !== '' && this.#open.call.isWhole ? this.#close() : []
  }

  #give(said: Said): ReplyEvent[] {
    if (said.type === 'text') return this.#read(said.text)
    // The text that the reader holds came first.
    const isHeld = this.#texts.at(-1)?.isHolding ?? false
    return isHeld ? [...this.#endText('stop'), said] : [said]
  }

  #release(): ReplyEvent[] {
    return this.#held.splice(0).flatMap((said) => this.#give(said))
  }

  #read(text: string): ReplyEvent[] {
    if (text === '') return []
    let last = this.#texts.at(-1)
    if (!last || last.isOver) {
      last = new TextAround(this.#newTextReader())
      this.#texts.push(last)
    }
    this.#length += text.length
    return this.#ofText(last.push(text))
  }

  #newTextReader(): Reader {
    const { text, trace: told, ...options } = this.#options
    const start = this.#length
    const trace = told && ((...[role, from, to]: Parameters<typeof told>) => told(role, start + from, start + to))
    if (text) return text.newReader(trace)
    return createFormatReader(universal, noMarks, { ...options, ...(trace && { trace }) }, this.#gate)
  }

  #endText(reason: FinishReason, isBeforeCall = false): ReplyEvent[] {
    const last = this.#texts.at(-1)
    if (!last || last.isOver) return []
    const isBesideCalls = isBeforeCall || this.#over.length > 0
    return this.#ofText(last.end(reason, { isBeforeCall, isBesideCalls }))
  }

  /** Ends the call that is open, and begins with the first that waits. */
  #next(): ReplyEvent[] {
    const next = this.#waiting.shift()
    const events = this.#close()
    if (!next) return events
    events.push(...this.#endText('stop', true))
    const open = new NativeCallReading(next.call, this.#readerOf(next.call))
    this.#open = open
    return [...events, ...this.#ofCall(open.write(next.json))]
  }

  #readerOf(call: NativeCall): Reader {
    // The client sends the id back, and the upstream expects its own. Some servers restart their numbering in each
    // reply, or give all calls the same id: results would be assigned to the wrong call.
    const newCallId = (): string => {
      const given = call.id
      const id = given === undefined || this.#takenIds.has(given) ? this.#newId() : given
      this.#takenIds.add(id)
      return id
    }
    // Sent calls are certain.
    const { accept: _, trace: _trace, ...options } = this.#options
    return createFormatReader(sentCallFormat, noMarks, { ...options, newCallId }, this.#gate)
  }

  #newId(): string {
    return this.#options.newCallId?.() ?? newId('call_')
  }

  #close(): ReplyEvent[] {
    const open = this.#open
    if (!open) return []
    const events = this.#ofCall(open.close())
    this.#open = undefined
    this.#over.push(open)
    return [...events, ...this.#release()]
  }

  /** Ends the call that is open as its reply was cut. */
  #cut(reason: FinishReason): ReplyEvent[] {
    const open = this.#open
    if (!open) return []
    const events = this.#ofCall(open.cut(reason))
    this.#open = undefined
    this.#over.push(open)
    return events
  }

  /** The events of a stretch of text, as they are in the reply. */
  #ofText(events: ReplyEvent[]): ReplyEvent[] {
    const spaced = events.map((event) => {
      if (event.type !== 'text') return event
      const isOnRefused = this.#lastText === 'refused call' && !/^\s/.test(event.text)
      this.#lastText = 'said'
      return isOnRefused ? { ...event, text: `\n${event.text}` } : event
    })
    return this.#renumbered(`text ${this.#texts.length}`, spaced)
  }

  /** The events of a sent call, as they are in the reply. */
  #ofCall(events: ReplyEvent[]): ReplyEvent[] {
    const spaced = events.map((event) => {
      if (event.type !== 'text') return event
      const text = this.#lastText ? `\n${event.text}` : event.text
      this.#lastText = 'refused call'
      return { ...event, text }
    })
    return this.#renumbered(`call ${this.#over.length}`, spaced)
  }

  #renumbered(source: string, events: ReplyEvent[]): ReplyEvent[] {
    return events.map((event) => {
      if (event.type !== 'call-start' && event.type !== 'call-arguments' && event.type !== 'call-end') return event
      const key = `${source} ${event.index}`
      const index = this.#indices.get(key) ?? this.#indices.size
      this.#indices.set(key, index)
      return { ...event, index }
    })
  }
}

/** True for a piece of one of these calls. One with a name and without an id is a separate call. */
function isOfAny(readings: readonly NativeCallReading[], piece: CallPiece): boolean {
  return (piece.name === undefined || piece.id !== undefined) && readings.some(({ call }) => !call.isOther(piece))
}

/** Nothing was neutralised in the messages of a native model. */
const noMarks = new Marks([])
