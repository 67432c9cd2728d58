import { type FinishReason, newId, type ReplyEvent } from '../conversation/index.ts'
import { createFormatReader } from '../dialects/format-reader.ts'
import { hermes } from '../dialects/formats/json-in-tags.ts'
import { universal } from '../dialects/formats/universal.ts'
import type { Reader, ReaderOptions, ReadReport } from '../dialects/index.ts'
import { Marks } from '../dialects/marks.ts'
import type { CallPiece, UpstreamEvent } from '../upstreams/upstream.ts'
import { NativeCall } from './native-call.ts'
import type { UpstreamReader } from './read-reply.ts'
import { TextAround } from './text-around.ts'

/** The reasons for which a reply ends where the model meant to go on. */
const cuts: ReadonlySet<FinishReason> = new Set(['length', 'stop-sequence', 'content-filter'])

type CallStart = Extract<ReplyEvent, { type: 'call-start' }>

/** What an upstream says beside its calls. */
type Said = Extract<UpstreamEvent, { type: 'text' | 'reasoning' }>

export interface NativeReaderOptions extends ReaderOptions {
  /** The ids of the conversation's calls so far. */
  takenIds?: Iterable<string>
}

/**
 * Reads the reply of an upstream that calls tools itself. Its calls are written out as a model would write them and read
 * like any: so broken, cumulative or twice encoded arguments are mended by the tools' schemas, names are matched, and what
 * is not offered is refused. Calls that leaked into its text are read out of that. Calls and texts come out one after the
 * other, however the upstream mixes them.
 */
export class NativeReader implements UpstreamReader {
  readonly #options: ReaderOptions
  readonly #calls: Reader
  /** The texts up to the first call, between two calls and behind the last. */
  readonly #texts: TextAround[] = []
  /** The call that is being written out. */
  #open: { call: NativeCall; isNamed: boolean } | undefined
  /** Calls that came while another was open. */
  readonly #waiting: { call: NativeCall; json: string }[] = []
  /** Calls that are over. */
  readonly #over: NativeCall[] = []
  /** The start of the call that is open, while nothing came of its arguments. */
  #start: CallStart | undefined
  /** The call that is open, or that was, is none after all. */
  #isRefused = false
  /** The last such call whose text was given out. */
  #told: NativeCall | undefined
  /** Text and reasoning that came in the middle of a call. */
  readonly #held: Said[] = []
  /** By the reader and its own index, the index in the reply. */
  readonly #indices = new Map<string, number>()

  constructor(options: NativeReaderOptions) {
    this.#options = options
    const newOwn = options.newCallId ?? (() => newId('call_'))
    const taken = new Set(options.takenIds)
    // The client sends the id back, and the upstream knows it. Some servers count anew in each reply, or give all calls the same one:
    // results would go to the wrong call.
    const newCallId = (): string => {
      const given = this.#open?.call.id
      const id = given === undefined || taken.has(given) ? newOwn() : given
      taken.add(id)
      return id
    }
    this.#calls = createFormatReader(hermes, noMarks, { ...options, newCallId })
  }

  push(text: string): ReplyEvent[] {
    return this.#say({ type: 'text', text })
  }

  pushReasoning(text: string): ReplyEvent[] {
    return this.#say({ type: 'reasoning', text })
  }

  pushCall(piece: CallPiece): ReplyEvent[] {
    const open = this.#open
    if (open && !open.call.isOther(piece)) return this.#write(open, open.call.take(piece))
    const waiting = this.#waiting.find(({ call }) => !call.isOther(piece))
    if (waiting) waiting.json += waiting.call.take(piece)
    else if (isOfAny(this.#over, piece)) return []
    else {
      const call = new NativeCall(piece)
      this.#waiting.push({ call, json: call.take(piece) })
    }
    // A call that has begun is written to its end first; those that run beside it wait.
    return !open || open.call.isWhole ? this.#next() : []
  }

  end(reason: FinishReason): ReplyEvent[] {
    const events: ReplyEvent[] = []
    while (this.#waiting.length > 0) events.push(...this.#next())
    // What the token limit cut is the call that came last.
    if (!cuts.has(reason)) events.push(...this.#close())
    else if (this.#open) events.push(...this.#begin(this.#open))
    const ends = this.#asSent(this.#calls.end(reason))
    events.push(...ends.filter(({ type }) => type !== 'finish'), ...this.#endRefused())
    events.push(...this.#release(), ...this.#endText(reason))
    const called = ends.some((event) => event.type === 'finish' && event.reason === 'calls')
    const hasCalls = !cuts.has(reason) && (called || this.#texts.some((text) => text.hasCalls))
    events.push({ type: 'finish', reason: hasCalls ? 'calls' : reason })
    return events
  }

  get report(): ReadReport {
    const reports = [this.#calls.report, ...this.#texts.map((text) => text.report)]
    return {
      sawToolCallSyntax: reports.some((one) => one.sawToolCallSyntax),
      rejectedByPolicy: reports.some((one) => one.rejectedByPolicy),
      rejectedToolNames: [...new Set(reports.flatMap((one) => one.rejectedToolNames))],
    }
  }

  /** What comes behind a whole call ends it; what comes in the middle of one waits for its end, since a client's blocks cannot nest. */
  #say(said: Said): ReplyEvent[] {
    if (!this.#open) return this.#give(said)
    this.#held.push(said)
    return said.text.trim() !== '' && this.#open.call.isWhole ? this.#close() : []
  }

  #give(said: Said): ReplyEvent[] {
    return said.type === 'reasoning' ? [said] : this.#read(said.text)
  }

  #release(): ReplyEvent[] {
    return this.#held.splice(0).flatMap((said) => this.#give(said))
  }

  #read(text: string): ReplyEvent[] {
    if (text === '') return []
    let last = this.#texts.at(-1)
    if (!last || last.isOver) {
      last = new TextAround(createFormatReader(universal, noMarks, this.#options))
      this.#texts.push(last)
    }
    return this.#renumbered(`text ${this.#texts.length}`, last.push(text))
  }

  #endText(reason: FinishReason, isBeforeCall = false): ReplyEvent[] {
    const last = this.#texts.at(-1)
    if (!last || last.isOver) return []
    const isBesideCalls = isBeforeCall || this.#over.length > 0
    return this.#renumbered(`text ${this.#texts.length}`, last.end(reason, { isBeforeCall, isBesideCalls }))
  }

  /** Ends the call that is open, and begins with the first that waits. */
  #next(): ReplyEvent[] {
    const next = this.#waiting.shift()
    const events = this.#close()
    if (!next) return events
    events.push(...this.#endText('stop', true))
    this.#open = { call: next.call, isNamed: false }
    return [...events, ...this.#write(this.#open, next.json)]
  }

  /** The name is whole once arguments come; until then it may go on. */
  #write(open: { call: NativeCall; isNamed: boolean }, json: string): ReplyEvent[] {
    if (json === '') return []
    return [...this.#begin(open), ...this.#writeCall(json)]
  }

  #begin(open: { call: NativeCall; isNamed: boolean }): ReplyEvent[] {
    if (open.isNamed) return []
    open.isNamed = true
    return this.#writeCall(`${opening}${JSON.stringify(open.call.name)}${separator}`)
  }

  #close(): ReplyEvent[] {
    const open = this.#open
    if (!open) return []
    const events = open.call.hasArguments ? [] : this.#write(open, '{}')
    events.push(...this.#writeCall(closing))
    this.#open = undefined
    this.#over.push(open.call)
    events.push(...this.#endRefused())
    return [...events, ...this.#release()]
  }

  #writeCall(text: string): ReplyEvent[] {
    return this.#asSent(this.#calls.push(text))
  }

  /**
   * The events of a call; what is refused of it is text, but not in the form that it was only written in to be read. So
   * is a call whose arguments are no object: it starts with the first of them that can be read.
   */
  #asSent(events: ReplyEvent[]): ReplyEvent[] {
    const sent: ReplyEvent[] = []
    for (const event of events) {
      if (event.type === 'text') this.#isRefused = true
      else if (event.type === 'call-start') this.#start = event
      else if (event.type === 'call-end' && !event.complete && this.#start && this.#last?.hasArguments) {
        this.#start = undefined
        this.#isRefused = true
      } else if (this.#start && event.type !== 'notice') {
        sent.push(this.#start, event)
        this.#start = undefined
      } else sent.push(event)
    }
    return this.#renumbered('calls', sent)
  }

  /** The call that is open, or was last. */
  get #last(): NativeCall | undefined {
    return this.#open?.call ?? this.#over.at(-1)
  }

  #endRefused(): ReplyEvent[] {
    if (!this.#isRefused) return []
    this.#isRefused = false
    const call = this.#last
    if (!call || call === this.#told) return []
    this.#told = call
    const { text } = call
    if (text === '') return []
    return [{ type: 'text', text: this.#texts.length > 0 ? `\n${text}` : text }]
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

/** True for a piece of one of these calls. One with a name and without an id is a call of its own. */
function isOfAny(calls: readonly NativeCall[], piece: CallPiece): boolean {
  return (piece.name === undefined || piece.id !== undefined) && calls.some((call) => !call.isOther(piece))
}

const opening = '<tool_call>\n{"name": '
const separator = ', "arguments": '
const closing = '}\n</tool_call>\n'

/** Nothing was neutralised in what a native model was shown. */
const noMarks = new Marks([])
