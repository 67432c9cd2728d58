import type { JSX } from 'preact'
import type { ExchangeRecord } from '../../../src/records/api/types.ts'
import { duration } from '../../text/format.ts'
import { LongText } from '../../text/long-text.tsx'
import { Outside } from '../../text/outside.tsx'
import { eventsUntil } from './until.ts'

interface EventListProps {
  reply: ExchangeRecord['reply']
  /** The time until which events are shown; absent: all. */
  at?: number
}

/** Reply events with their times. */
export function EventList({ reply, at = Number.POSITIVE_INFINITY }: EventListProps): JSX.Element {
  return (
    <ol class="events">
      {eventsUntil(reply, at).map(({ ms, type, label, text }, index) => (
        <li key={index}>
          <span class="took">{duration(ms)}</span>
          <span class="tag">{type}</span>
          <span class="event-body">
            <Outside text={label} />
            {text !== '' && <LongText label={`${type} at ${duration(ms)}`} text={text} />}
          </span>
        </li>
      ))}
    </ol>
  )
}
