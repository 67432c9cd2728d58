import type { ReasoningClosers } from './reasoning-closers.ts'

/** Text that is kept until it is known how it is to be read, in pieces, as it may be long. */
export interface Buffered {
  /** What it waits for: where that did not come for one, it comes for no later one either. */
  readonly awaits: string
  /**
   * Keeps a piece. Once it is known that no call stands in what was kept up to a place, gives that place; more than that
   * may have been kept.
   */
  push(piece: string): number | undefined
  /** All that was kept. */
  take(): string
}

/** Reasoning from what may be a call on: one that is closed was thinking of a call, one that is not makes it. */
export class BufferedReasoning implements Buffered {
  readonly awaits: string
  readonly #pieces: string[] = []
  readonly #closers: ReasoningClosers
  #length = 0
  /** The end of what was kept, in which the marker may begin that closes the reasoning. */
  #tail = ''

  constructor(closers: ReasoningClosers) {
    this.awaits = closers.markers.join(' ')
    this.#closers = closers
  }

  push(piece: string): number | undefined {
    this.#pieces.push(piece)
    const text = this.#tail + piece
    const start = this.#length - this.#tail.length
    this.#length += piece.length
    this.#tail = text.slice(-this.#closers.longest)
    const found = this.#closers.find(text)
    return found && !found.isOpen ? start + found.index : undefined
  }

  /** Nothing follows: what `push` gives where that tells. */
  end(): number | undefined {
    const found = this.#closers.find(this.#tail)
    return found && this.#length - this.#tail.length + found.index
  }

  take(): string {
    return this.#pieces.join('')
  }
}
