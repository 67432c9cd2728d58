import type { ReplyEvent } from '../../conversation/index.ts'
import type { ReaderOptions } from '../../dialects/index.ts'

type Trace = NonNullable<ReaderOptions['trace']>

/** Returns a trace of the model's text from one that counts the `length` characters that the prompt has begun. */
export function traceAfter(trace: Trace, length: number): Trace {
  return (role, start, end) => {
    if (end > length) trace(role, Math.max(0, start - length), end - length)
  }
}

/**
 * Returns the event with its span, if it has one, relative to the model's text: the part that the prompt has begun is
 * at its beginning.
 */
export function eventAfter(event: ReplyEvent, length: number): ReplyEvent {
  if (event.type !== 'notice' || !event.notice.span) return event
  const [start, end] = event.notice.span
  return { ...event, notice: { ...event.notice, span: [Math.max(0, start - length), Math.max(0, end - length)] } }
}
