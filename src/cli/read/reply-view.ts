import type { Notice, ReplyEvent } from '../../conversation/index.ts'
import type { ReadReport, SpanRole } from '../io/io.ts'
import { type Screen, shown } from '../io/terminal.ts'
import type { TextPlaces } from '../io/text.ts'

/** A way to print a reply while it is read. */
export interface ReplyView {
  show(step: ReadStep): void
  end(outcome: ReadOutcome): void
}

/** The result of one piece of model text. `spans` may be in earlier pieces, if their role was not certain before. */
export interface ReadStep {
  piece: string
  spans: readonly Span[]
  events: readonly ReplyEvent[]
}

/** A span of the model's text, [start, end) in UTF-16 units. */
export interface Span {
  role: SpanRole
  start: number
  end: number
}

export interface ReadOutcome {
  report: ReadReport
  tally: Tally
  notices: readonly Notice[]
  places: TextPlaces
  /** True if reading was stopped before the end of the text. */
  interrupted: boolean
}

/** Counts of the events. */
export interface Tally {
  calls: number
  incomplete: number
  finish: string
}

/** Returns the last lines for a person: the notices with their places, then the report. */
export function outcomeText({ report, tally, notices, places, interrupted }: ReadOutcome, screen: Screen): string {
  const { calls, incomplete } = tally
  const lines = [
    ...notices.map(({ code, message, span }) => {
      const place = span && places.placeOf(span[0])
      return `notice ${place ? `${place.line}:${place.column} ` : ''}${code}: ${message}`
    }),
    ...(interrupted ? ['report: stopped before the text was over, so what was read counts as cut'] : []),
    `report: ${counted(calls, 'call')}${incomplete > 0 ? `, ${counted(incomplete, 'incomplete call')}` : ''}, finish ${tally.finish}`,
    ...(report.rejectedByPolicy ? [`report: rejected by policy: ${namesText(report.rejectedToolNames)}`] : []),
    ...(report.sawToolCallSyntax && calls + incomplete === 0
      ? ['report: the text has the syntax of a tool call in it, but no call was read']
      : []),
  ]
  return lines.map((line) => `${shown(line.replaceAll('\n', ' '), screen)}\n`).join('')
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`
}

function namesText(names: readonly string[]): string {
  return names.length === 0 ? 'a call' : names.map((name) => JSON.stringify(name)).join(', ')
}
