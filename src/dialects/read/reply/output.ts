import { type FinishReason, newId, type ReplyEvent, type Tool } from '../../../conversation/index.ts'
import { MarkRestorer, type Marks } from '../../marks/marks.ts'

/** The shape of ids that clients take. */
const callId = /^[A-Za-z0-9_.:-]{1,128}$/

type CallStart = Extract<ReplyEvent, { type: 'call-start' }>

/** Collects the reply events of one push, merges adjacent ones, and restores neutralised marks. */
export class ReplyOutput {
  readonly #newCallId: () => string
  readonly #text: MarkRestorer
  readonly #reasoning: MarkRestorer
  /** True when calls are emitted only when they are whole. */
  isWhole: boolean
  readonly #takesIds: boolean
  #events: ReplyEvent[] = []
  /** The events of an incomplete call, if calls are delivered whole. */
  #held: ReplyEvent[] | undefined
  /** The start of that call, which gets its id when it is emitted; `id` is the model's own. */
  #started: { start: CallStart; id: string | undefined } | undefined
  /** The ids that are not in `#ids` yet. */
  readonly #given: string[] = []
  readonly #ids = new Set<string>()
  #calls = 0
  #completeCalls = 0

  constructor(marks: Marks, newCallId?: () => string, options: { isWhole?: boolean; modelIds?: boolean } = {}) {
    this.#newCallId = newCallId ?? (() => newId('call_'))
    this.isWhole = options.isWhole ?? false
    this.#takesIds = options.modelIds ?? false
    this.#text = new MarkRestorer(marks)
    this.#reasoning = new MarkRestorer(marks)
  }

  /** The events since the last time. */
  take(): ReplyEvent[] {
    const events = this.#events
    this.#events = []
    return events
  }

  text(text: string): void {
    this.#append('text', this.#text.push(text))
  }

  reasoning(text: string): void {
    this.#append('reasoning', this.#reasoning.push(text))
  }

  /** Releases the text and reasoning that are held back, because something else follows. */
  flush(): void {
    this.#append('reasoning', this.#reasoning.end())
    this.#append('text', this.#text.end())
  }

  /** Begins a call. `id` is the model's own, which is used if it has the usual form and is not taken yet. */
  startCall(tool: Tool, id?: string): number {
    this.flush()
    const index = this.#calls++
    const start: CallStart = { type: 'call-start', index, id: '', name: tool.name }
    if (this.isWhole) {
      this.#held = []
      this.#started = { start, id }
    } else {
      start.id = this.#idFor(id)
    }
    this.#target.push(start)
    return index
  }

  /**
   * Sets the model's id for the current call if it comes after the name. Too late if the start of the call was emitted.
   */
  lateId(id: string): void {
    if (this.#started) this.#started.id ??= id
  }

  #idFor(id: string | undefined): string {
    const isUnused = this.#takesIds && id !== undefined && callId.test(id) && !this.#isGiven(id)
    const given = isUnused ? id : this.#newCallId()
    this.#given.push(given)
    return given
  }

  #isGiven(id: string): boolean {
    // A new id is a rope of its characters, which a set would make one string of: few models write ids.
    for (const one of this.#given.splice(0)) this.#ids.add(one)
    return this.#ids.has(id)
  }

  argument(index: number, json: string): void {
    if (json === '') return
    const last = this.#target.at(-1)
    if (last?.type === 'call-arguments' && last.index === index) last.json += json
    else this.#target.push({ type: 'call-arguments', index, json })
  }

  /** Ends a call. `raw` is its text, which remains of a broken call if calls are delivered whole. */
  endCall(index: number, complete: boolean, raw: string): void {
    const held = this.#held
    this.#held = undefined
    const started = this.#started
    this.#started = undefined
    if (held && !complete) {
      this.#calls--
      this.text(raw)
      this.#give(held.filter((event) => event.type === 'notice'))
      return
    }
    if (started) started.start.id = this.#idFor(started.id)
    if (held) this.#give(held)
    if (complete) this.#completeCalls++
    this.#events.push({ type: 'call-end', index, complete })
  }

  /**
   * Adds a notice. Text that is held back is emitted before it, because a notice's place among the events is the
   * text's.
   */
  notice(code: string, message: string, start: number, end: number): void {
    if (!this.#held) this.flush()
    this.#target.push({ type: 'notice', notice: { code, message, span: [start, end] } })
  }

  /** A reply that stopped with calls stopped for their sake. */
  finish(reason: FinishReason): void {
    this.flush()
    const withCalls = reason === 'stop' && this.#completeCalls > 0
    this.#events.push({ type: 'finish', reason: withCalls ? 'calls' : reason })
  }

  /** One by one: a call that needs many repairs has more events than one function call takes arguments. */
  #give(events: readonly ReplyEvent[]): void {
    for (const event of events) this.#events.push(event)
  }

  get #target(): ReplyEvent[] {
    return this.#held ?? this.#events
  }

  #append(type: 'text' | 'reasoning', text: string): void {
    if (text === '') return
    const last = this.#events.at(-1)
    if (last?.type === type) last.text += text
    else this.#events.push({ type, text })
  }
}
