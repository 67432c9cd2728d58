import type { ReplyEvent } from '../../conversation/index.ts'

/**
 * Ends a reply as soon as its text contains one of the client's stop sequences. Done here and not by the upstream:
 * engines would look for them in the markup of calls as well, and few of them report which one they found.
 */
export class StopSequences {
  readonly #sequences: readonly string[]
  #held = ''

  constructor(sequences: readonly string[]) {
    this.#sequences = sequences.filter((sequence) => sequence !== '')
  }

  /** Returns the events that may go out, and the sequence that ended the reply, if one did. */
  filter(events: readonly ReplyEvent[]): { events: ReplyEvent[]; stoppedBy?: string } {
    const passed: ReplyEvent[] = []
    for (const event of events) {
      if (event.type !== 'text') {
        // Another event ends a text: a sequence does not reach across it.
        if (event.type !== 'notice') this.#flush(passed)
        passed.push(event)
        continue
      }
      const text = this.#held + event.text
      const found = this.#find(text)
      if (found) {
        this.#held = ''
        if (found.at > 0) passed.push({ type: 'text', text: text.slice(0, found.at) })
        return { events: passed, stoppedBy: found.sequence }
      }
      const end = text.length - this.#heldLength(text)
      this.#held = text.slice(end)
      if (end > 0) passed.push({ type: 'text', text: text.slice(0, end) })
    }
    return { events: passed }
  }

  #flush(passed: ReplyEvent[]): void {
    if (this.#held !== '') passed.push({ type: 'text', text: this.#held })
    this.#held = ''
  }

  /** The sequence that is whole first, however the text is cut into pieces; of two that end together, the longer. */
  #find(text: string): { at: number; sequence: string } | undefined {
    let found: { at: number; end: number; sequence: string } | undefined
    for (const sequence of this.#sequences) {
      const at = text.indexOf(sequence)
      const end = at + sequence.length
      if (at < 0 || (found && (end > found.end || (end === found.end && at >= found.at)))) continue
      found = { at, end, sequence }
    }
    return found
  }

  /** The length of the text's end that may begin a sequence. */
  #heldLength(text: string): number {
    let held = 0
    for (const sequence of this.#sequences) {
      for (let length = Math.min(sequence.length - 1, text.length); length > held; length--) {
        if (sequence.startsWith(text.slice(text.length - length))) {
          held = length
          break
        }
      }
    }
    return held
  }
}
