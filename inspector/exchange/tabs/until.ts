import type { ExchangeRecord } from '../../../src/records/api/types.ts'

/** A reply event as it is shown. */
export interface ShownEvent {
  ms: number
  type: string
  label: string
  text: string
}

type TimedEvent = ExchangeRecord['reply'][number]

/** Returns the events that there were at a time, with as much of their texts. */
export function eventsUntil(reply: readonly TimedEvent[], at: number): ShownEvent[] {
  return reply.filter(({ ms }) => ms <= at).map((timed) => shownOf(timed, at))
}

function shownOf({ ms, event, pieces }: TimedEvent, at: number): ShownEvent {
  const { type } = event
  const until = (text: string): string => text.slice(0, lengthAt(pieces, at, text.length))
  switch (event.type) {
    case 'text':
    case 'reasoning':
      return { ms, type, label: '', text: until(event.text) }
    case 'call-start':
      return { ms, type, label: `${event.name} (${event.id})`, text: '' }
    case 'call-arguments':
      return { ms, type, label: '', text: until(event.json) }
    case 'call-end':
      return { ms, type, label: event.complete ? 'complete' : 'broken off', text: '' }
    case 'notice':
      return { ms, type, label: `${event.notice.code}: ${event.notice.message}`, text: '' }
    case 'finish':
      return { ms, type, label: event.stopSequence ? `${event.reason}: ${event.stopSequence}` : event.reason, text: '' }
  }
}

/** The characters of a text that had come at a time; `pieces` are times and lengths in turn. */
function lengthAt(pieces: readonly number[] | undefined, at: number, whole: number): number {
  if (!pieces) return whole
  let length = 0
  for (let index = 0; index + 1 < pieces.length; index += 2) {
    if ((pieces[index] ?? 0) > at) return length
    length += pieces[index + 1] ?? 0
  }
  return whole
}
