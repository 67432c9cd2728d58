import type { FinishReason, ReplyEvent, Tool } from '../conversation/index.ts'
import { MarkRestorer, type Marks } from './marks.ts'

/** Collects the reply events of one push, merged where they touch, with neutralised marks put back. */
export class ReplyOutput {
  readonly #newCallId: () => string
  readonly #text: MarkRestorer
  readonly #reasoning: MarkRestorer
  #events: ReplyEvent[] = []
  #calls = 0
  #completeCalls = 0

  constructor(marks: Marks, newCallId: () => string) {
    this.#newCallId = newCallId
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

  /** Lets go of what text and reasoning hold back: something else follows. */
  flush(): void {
    this.#append('reasoning', this.#reasoning.end())
    this.#append('text', this.#text.end())
  }

  startCall(tool: Tool): number {
    this.flush()
    const index = this.#calls++
    this.#events.push({ type: 'call-start', index, id: this.#newCallId(), name: tool.name })
    return index
  }

  argument(index: number, json: string): void {
    if (json === '') return
    const last = this.#events.at(-1)
    if (last?.type === 'call-arguments' && last.index === index) last.json += json
    else this.#events.push({ type: 'call-arguments', index, json })
  }

  endCall(index: number, complete: boolean): void {
    if (complete) this.#completeCalls++
    this.#events.push({ type: 'call-end', index, complete })
  }

  /** What the text before a notice holds back goes out first: a notice's place among the events is the text's. */
  notice(code: string, message: string, start: number, end: number): void {
    this.flush()
    this.#events.push({ type: 'notice', notice: { code, message, span: [start, end] } })
  }

  /** A reply that stopped with calls stopped for their sake. */
  finish(reason: FinishReason): void {
    this.flush()
    const withCalls = reason === 'stop' && this.#completeCalls > 0
    this.#events.push({ type: 'finish', reason: withCalls ? 'calls' : reason })
  }

  #append(type: 'text' | 'reasoning', text: string): void {
    if (text === '') return
    const last = this.#events.at(-1)
    if (last?.type === type) last.text += text
    else this.#events.push({ type, text })
  }
}
