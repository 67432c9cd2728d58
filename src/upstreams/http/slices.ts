import type { UpstreamEvent } from '../upstream.ts'

/** The number of characters of a reply that are read between two turns of the event loop: some milliseconds of work, and 60 in a fresh process. */
const sliceSize = 32 * 1024

/**
 * Cuts a batch of events into batches of at most `size` characters each, so that their reader can let other requests have their turn in
 * between. Text and reasoning come in more pieces than they were sent in; of a call's piece, the first has all that was `sent` at once.
 */
export function slicesOf(events: UpstreamEvent[], size: number = sliceSize): UpstreamEvent[][] {
  if (lengthOf(events) <= size) return events.length === 0 ? [] : [events]
  const slices: UpstreamEvent[][] = []
  let slice: UpstreamEvent[] = []
  let left = size
  const add = (event: UpstreamEvent, length: number): void => {
    slice.push(event)
    left -= length
    if (left > 0) return
    slices.push(slice)
    slice = []
    left = size
  }
  for (const event of events) {
    if (event.type === 'text' || event.type === 'reasoning') {
      const cut = pieces(event.text, size)
      const { opaque, ...said } = { opaque: undefined, ...event }
      for (const [index, text] of cut.entries()) {
        const isLast = index === cut.length - 1
        add({ ...said, text, ...(isLast && opaque !== undefined && { opaque }) }, text.length)
      }
    } else if (event.type === 'call' && (event.arguments?.length ?? 0) > size) {
      const sent = event.arguments ?? ''
      const [first = '', ...others] = pieces(sent, size)
      add({ ...event, arguments: first, sent }, first.length)
      const { type, index, id } = event
      for (const more of others) {
        add({ type, index, ...(id !== undefined && { id }), arguments: more, goesOn: true }, more.length)
      }
    } else add(event, 1)
  }
  if (slice.length > 0) slices.push(slice)
  return slices
}

function lengthOf(events: readonly UpstreamEvent[]): number {
  let length = 0
  for (const event of events) {
    if (event.type === 'text' || event.type === 'reasoning') length += event.text.length
    else length += event.type === 'call' ? (event.arguments?.length ?? 1) : 1
  }
  return length
}

/** A text in pieces; the two halves of a character stay together. */
function pieces(text: string, size: number): string[] {
  if (text.length <= size) return [text]
  const cut: string[] = []
  for (let at = 0; at < text.length; ) {
    let end = at + size
    if (/[\ud800-\udbff]/.test(text.charAt(end - 1))) end++
    cut.push(text.slice(at, end))
    at = end
  }
  return cut
}
