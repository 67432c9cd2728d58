import type { ReplyEvent } from '../../conversation/index.ts'
import type { SpanRole } from '../../dialects/index.ts'

/** Reasoning as the model wrote it: its opening marker, the reasoning, and its closing marker. */
interface Stretch {
  raw: string
  given: number
  isOver: boolean
}

/**
 * Emits reasoning as text, with its markers, for clients that take replies unchanged. It is still read, so that its
 * content is no call, and markers around nothing are removed.
 */
export class ReasoningAsText {
  #text = ''
  /** The offset in the reply at which the kept text begins. */
  #base = 0
  /** The marker before the next text, with the white space after it. */
  #marker = ''
  readonly #stretches: Stretch[] = []
  #isInside = false
  /** Reasoning is closed: white space after it goes with it. */
  #isClosed = false

  /** The reader is about to get this piece. */
  push(piece: string): void {
    this.#text += piece
  }

  /** Told of each stretch of the text as it is read, in order. */
  take(role: SpanRole, start: number, end: number): void {
    const raw = this.#text.slice(start - this.#base, end - this.#base)
    this.#text = this.#text.slice(end - this.#base)
    this.#base = end
    if (role === 'reasoning') this.#think(raw)
    else if (role === 'marker') this.#mark(raw)
    else this.#leave()
  }

  #think(raw: string): void {
    if (!this.#isInside || this.#isClosed) {
      this.#leave(this.#marker)
      this.#stretches.push({ raw: this.#marker, given: 0, isOver: false })
    }
    this.#isInside = true
    const stretch = this.#stretches.at(-1)
    if (stretch) stretch.raw += raw
  }

  #mark(raw: string): void {
    const isBlank = raw.trim() === ''
    const stretch = this.#isInside && (isBlank || !this.#isClosed) ? this.#stretches.at(-1) : undefined
    if (stretch) {
      stretch.raw += raw
      this.#isClosed = !isBlank || this.#isClosed
    } else {
      this.#leave(isBlank ? this.#marker + raw : raw)
    }
  }

  /** Ends a stretch of reasoning; `marker` may open the next one. */
  #leave(marker: string = ''): void {
    const stretch = this.#stretches.at(-1)
    if (stretch) stretch.isOver = true
    this.#isInside = false
    this.#isClosed = false
    this.#marker = marker
  }

  read(events: readonly ReplyEvent[]): ReplyEvent[] {
    return events.flatMap((event) => {
      if (event.type === 'reasoning') return this.#give(false)
      return event.type === 'notice' ? [event] : [...this.#give(true), event]
    })
  }

  /** The part of the first stretch that was not emitted yet; with `isOver` it goes no further. */
  #give(isOver: boolean): ReplyEvent[] {
    const [stretch] = this.#stretches
    if (!stretch) return []
    const text = stretch.raw.slice(stretch.given)
    stretch.given = stretch.raw.length
    if (isOver && stretch.isOver) this.#stretches.shift()
    return text === '' ? [] : [{ type: 'text', text }]
  }
}
