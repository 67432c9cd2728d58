import { AnycallError } from '../../conversation/index.ts'
import type { UpstreamEvent } from '../../upstreams/index.ts'
import { type CutReply, findOverlap, lookahead } from './continuation-overlap.ts'

/**
 * Yields a requested continuation, without reasoning and without the text that repeats the cut reply. Its beginning is
 * held until the overlap is known. Throws an AnycallError (`upstream`) if it starts anew: read as a continuation, it
 * would make a call that the model never wrote.
 */
export async function* trimOverlap(
  generation: AsyncIterable<UpstreamEvent[]>,
  cut: CutReply,
): AsyncGenerator<UpstreamEvent[], void, undefined> {
  let held: string | undefined = ''
  /** Doubled each time, so that a long beginning costs no more per character than a short one. */
  let enough = lookahead
  for await (const batch of generation) {
    const passed: UpstreamEvent[] = []
    for (const event of batch) {
      // Reasoning in the middle of a call would end it at the client, whose blocks cannot nest.
      if (event.type === 'reasoning') continue
      if (held === undefined || (event.type !== 'text' && event.type !== 'finish')) {
        passed.push(event)
        continue
      }
      const isOver = event.type === 'finish'
      if (event.type === 'text') held += event.text
      if (held.length < enough && !isOver) continue
      enough = held.length * 2
      const overlap = findOverlap(cut, held, isOver)
      if (overlap === 'starts-anew') {
        throw new AnycallError('upstream', 'It started again or wrote something else instead of continuing.')
      }
      if (overlap !== 'more') {
        passed.push({ type: 'text', text: held.slice(overlap) })
        held = undefined
      }
      if (isOver) passed.push(event)
    }
    if (passed.length > 0) yield passed
  }
}
