import { type FinishReason, ReplyCollector, type ReplyEvent } from '../../conversation/index.ts'
import type { Dialect, ReaderOptions, SpanRole } from '../format/dialect.ts'

/** A stretch of the text, and its role. */
export interface Span {
  role: SpanRole
  start: number
  end: number
}

/** A text as it was read. */
export interface Reading {
  /** The events with touching pieces merged. */
  events: ReplyEvent[]
  /** The roles of the text, touching stretches of one role merged. */
  spans: Span[]
  /** The events of each push, as they came. */
  batches: ReplyEvent[][]
}

/** The options with which a text is read. */
export interface ReadingOptions extends Partial<Omit<ReaderOptions, 'newCallId' | 'trace'>> {
  reason?: FinishReason
}

/** Reads a text that comes in the pieces given. Ids of calls are numbered, so that two readings can be compared. */
export function readPieces(dialect: Dialect, pieces: readonly string[], options: ReadingOptions = {}): Reading {
  const { reason = 'stop', ...policy } = options
  let calls = 0
  const spans: Span[] = []
  const reader = dialect.createReader({
    tools: [],
    toolChoice: { type: 'auto' },
    parallelCalls: true,
    ...policy,
    newCallId: () => `call_${++calls}`,
    trace: (role, start, end) => {
      const last = spans.at(-1)
      if (last?.role === role && last.end === start) last.end = end
      else spans.push({ role, start, end })
    },
  })
  const batches = [...pieces.map((piece) => reader.push(piece)), reader.end(reason)]
  return { events: mergeEvents(batches.flat()), spans, batches }
}

/** Returns the events with touching pieces merged. */
export function mergeEvents(events: readonly ReplyEvent[]): ReplyEvent[] {
  const merged: ReplyEvent[] = []
  for (const event of events) {
    const last = merged.at(-1)
    if (event.type === 'text' && last?.type === 'text') last.text += event.text
    else if (event.type === 'reasoning' && last?.type === 'reasoning') last.text += event.text
    else if (event.type === 'call-arguments' && last?.type === event.type && last.index === event.index) {
      last.json += event.json
    } else merged.push({ ...event })
  }
  return merged
}

/** A call as it was read. */
export interface ReadCall {
  name: string
  json: string
  complete: boolean
}

/** Returns the calls of events. */
export function callsOf(events: readonly ReplyEvent[]): ReadCall[] {
  const collector = new ReplyCollector()
  collector.push(events)
  return collector.parts.flatMap((part) =>
    part.type === 'call' ? [{ name: part.name, json: part.arguments, complete: part.complete }] : [],
  )
}

/** Returns the text of events, or their reasoning. */
export function textOf(events: readonly ReplyEvent[], type: 'text' | 'reasoning' = 'text'): string {
  return events.map((event) => (event.type === type ? event.text : '')).join('')
}
