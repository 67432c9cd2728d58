import { AnycallError } from '../../conversation/index.ts'
import type { UpstreamEvent } from '../../upstreams/index.ts'
import { lookedAt, seamOf, type Written } from './seam.ts'

/**
 * A continuation by a model that was asked for it, without what does not belong to what was written. Its beginning is
 * held until that is known. Throws an AnycallError where it begins anew: to be read as if it went on, it would make a
 * call that the model never wrote.
 */
export async function* fitted(
  generation: AsyncIterable<UpstreamEvent[]>,
  written: Written,
): AsyncGenerator<UpstreamEvent[], void, undefined> {
  let held: string | undefined = ''
  /** Looked at again when there is twice as much, so that a long beginning costs no more a character than a short one. */
  let enough = lookedAt
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
      const seam = seamOf(written, held, isOver)
      if (seam === 'begins-anew') {
        throw new AnycallError('upstream', 'It began anew, or said something else, where it was to go on.')
      }
      if (seam !== 'more') {
        passed.push({ type: 'text', text: held.slice(seam) })
        held = undefined
      }
      if (isOver) passed.push(event)
    }
    if (passed.length > 0) yield passed
  }
}
