import type { FinishReason, ReplyEvent } from '../../conversation/index.ts'
import type { Reader, ReaderOptions } from '../format/dialect.ts'
import type { ReadReport } from '../format/report.ts'
import type { Marks } from '../marks/marks.ts'

/** The two ways to read a standalone text: as JSON that is the whole text, or for markers with prose around them. */
export interface StandaloneReadings {
  json(options: ReaderOptions): Reader
  marked(options: ReaderOptions): Reader
}

/**
 * Reads a text that is either calls or text: nothing is decided before its end. JSON counts only if it is the whole
 * text; markup also counts with prose around it, because its markers identify it; a text with a fence in it shows
 * examples. This is the standalone mode of the parsing contract.
 */
export class StandaloneReader implements Reader {
  readonly #readings: StandaloneReadings
  readonly #options: ReaderOptions
  readonly #marks: Marks
  readonly #pieces: string[] = []
  #report: ReadReport = { sawToolCallSyntax: false, rejectedByPolicy: false, rejectedToolNames: [] }

  constructor(readings: StandaloneReadings, options: ReaderOptions, marks: Marks) {
    this.#readings = readings
    this.#options = { ...options, delivery: 'whole' }
    this.#marks = marks
  }

  get report(): ReadReport {
    return this.#report
  }

  push(text: string): ReplyEvent[] {
    this.#pieces.push(text)
    return []
  }

  end(reason: FinishReason): ReplyEvent[] {
    const text = this.#pieces.join('')
    if (text.includes('```')) return this.#asText(text, reason)
    const isJson = /^\s*[{[]/.test(text)
    const create = (options: ReaderOptions) => (isJson ? this.#readings.json(options) : this.#readings.marked(options))
    const { trace: _trace, ...untraced } = this.#options
    const trial = create({ ...untraced, newCallId: () => '' })
    const events = [...trial.push(text), ...trial.end(reason)]
    this.#report = trial.report
    if (isJson && hasText(events)) return this.#asText(text, reason)
    const reader = create(this.#options)
    return [...reader.push(text), ...reader.end(reason)]
  }

  #asText(text: string, reason: FinishReason): ReplyEvent[] {
    if (text !== '') this.#options.trace?.('text', 0, text.length)
    const given: ReplyEvent[] = text === '' ? [] : [{ type: 'text', text: this.#marks.restore(text) }]
    return [...given, { type: 'finish', reason }]
  }
}

function hasText(events: readonly ReplyEvent[]): boolean {
  return events.some((event) => event.type === 'text' && event.text.trim() !== '')
}
