import type { FinishReason, ReplyEvent, Usage } from '../conversation/index.ts'
import type { Reader } from '../dialects/index.ts'
import type { UpstreamEvent } from '../upstreams/upstream.ts'
import { StopSequences } from './stop-sequences.ts'

/** Reads what an upstream generates as a reply: one batch of events for each batch of the upstream's. */
export async function* readReply(
  generation: AsyncIterable<UpstreamEvent[]>,
  reader: Reader,
  stopSequences: readonly string[],
): AsyncGenerator<ReplyEvent[], void, undefined> {
  const stops = stopSequences.length > 0 ? new StopSequences(stopSequences) : undefined
  let usage: Usage | undefined
  let reason: FinishReason = 'stop'
  let stopSequence: string | undefined
  for await (const batch of generation) {
    let events: ReplyEvent[] = []
    for (const event of batch) {
      switch (event.type) {
        case 'text':
          events = events.length === 0 ? reader.push(event.text) : events.concat(reader.push(event.text))
          break
        case 'reasoning':
          events.push(event)
          break
        case 'usage':
          usage = { ...usage, ...event.usage }
          break
        case 'finish':
          reason = event.reason
          stopSequence = event.stopSequence
      }
    }
    const { events: passed, stoppedBy } = stops ? stops.filter(events) : { events, stoppedBy: undefined }
    if (stoppedBy !== undefined) {
      // Leaving the loop stops the upstream: nothing behind the sequence is wanted.
      yield [...passed, withUsage({ type: 'finish', reason: 'stop-sequence', stopSequence: stoppedBy }, usage)]
      return
    }
    if (passed.length > 0) yield passed
  }
  const last = reader.end(reason).map((event) => {
    if (event.type !== 'finish') return event
    return withUsage(stopSequence === undefined ? event : { ...event, stopSequence }, usage)
  })
  yield stops ? lastOf(stops, last, usage) : last
}

/** The end of a reply, in which a stop sequence may stand as well. */
function lastOf(stops: StopSequences, events: ReplyEvent[], usage: Usage | undefined): ReplyEvent[] {
  const { events: passed, stoppedBy } = stops.filter(events)
  if (stoppedBy === undefined) return passed
  return [...passed, withUsage({ type: 'finish', reason: 'stop-sequence', stopSequence: stoppedBy }, usage)]
}

function withUsage<T extends ReplyEvent>(event: T, usage: Usage | undefined): T {
  return usage ? { ...event, usage } : event
}
