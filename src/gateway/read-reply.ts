import { AnycallError, type FinishReason, type ReplyEvent, type Usage } from '../conversation/index.ts'
import type { Reader } from '../dialects/index.ts'
import type { UpstreamEvent } from '../upstreams/upstream.ts'
import { StopSequences } from './stop-sequences.ts'

/**
 * Reads what an upstream generates as a reply: one batch of events for each batch of the upstream's. Throws what the
 * upstream throws, and for a generation that ends without a finish: it was cut.
 */
export async function* readReply(
  generation: AsyncIterable<UpstreamEvent[]>,
  reader: Reader,
  stopSequences: readonly string[],
): AsyncGenerator<ReplyEvent[], void, undefined> {
  const stops = stopSequences.length > 0 ? new StopSequences(stopSequences) : undefined
  let usage: Usage | undefined
  let reason: FinishReason | undefined
  let stopSequence: string | undefined
  for await (const batch of generation) {
    const events: ReplyEvent[] = []
    // Pieces that came together are read, and go out, as one: on 200 of them it saves 0.05 ms, and 0.12 in a call.
    let text = ''
    for (const event of batch) {
      if (event.type === 'text') {
        text += event.text
        continue
      }
      if (text !== '') events.push(...reader.push(text))
      text = ''
      switch (event.type) {
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
    if (text !== '') events.push(...reader.push(text))
    const { events: passed, stoppedBy } = stops ? stops.filter(events) : { events, stoppedBy: undefined }
    if (stoppedBy !== undefined) {
      // Leaving the loop stops the upstream: nothing behind the sequence is wanted.
      yield [...passed, withUsage({ type: 'finish', reason: 'stop-sequence', stopSequence: stoppedBy }, usage)]
      return
    }
    if (passed.length > 0) yield passed
  }
  if (reason === undefined) {
    throw new AnycallError('upstream', 'The upstream broke off its reply. Look for the cause in its log.')
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
