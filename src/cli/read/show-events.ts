import type { Io } from '../io/io.ts'
import type { ReadOutcome, ReadStep, ReplyView } from './reply-view.ts'

/** Prints events for a program: one JSON object per line, as they arrive, and the report as the last line. */
export class EventsView implements ReplyView {
  readonly #io: Pick<Io, 'stdout'>
  readonly #withSpans: boolean

  /** `withSpans`: prints spans too, before the events of their piece. */
  constructor(io: Pick<Io, 'stdout'>, withSpans: boolean) {
    this.#io = io
    this.#withSpans = withSpans
  }

  show({ spans, events }: ReadStep): void {
    const lines = [...(this.#withSpans ? spans.map((span) => ({ type: 'span', ...span })) : []), ...events]
    if (lines.length > 0) this.#io.stdout(lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
  }

  end({ report, interrupted }: ReadOutcome): void {
    const { sawToolCallSyntax, rejectedByPolicy, rejectedToolNames } = report
    const line = {
      type: 'report',
      sawToolCallSyntax,
      rejectedByPolicy,
      rejectedToolNames,
      ...(interrupted && { interrupted }),
    }
    this.#io.stdout(`${JSON.stringify(line)}\n`)
  }
}
