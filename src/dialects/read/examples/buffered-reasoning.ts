import type { ReasoningClosers } from './reasoning-closers.ts'

/** Text that is kept until it is known how it is to be read, in pieces, as it may be long. */
export interface Buffered {
  /** The closing text that it waits for. If it did not come for one buffer, it comes for no later one either. */
  readonly awaits: string
  /**
   * Keeps a piece. Returns an offset as soon as the text kept before it is known to contain no call; more text than
   * that may have been kept.
   */
  push(piece: string): number | undefined
  /** All that was kept. */
  take(): string
}

/**
 * Reasoning from a possible call on: if the reasoning is closed, the call was only considered; if it is not, the call
 * counts.
 */
export class BufferedReasoning implements Buffered {
  readonly awaits: string
  readonly #pieces: string[] = []
  readonly #closers: ReasoningClosers
  #length = 0
  /** The end of the kept text, in which the marker that closes the reasoning may begin. */
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

  /** Ends the text. Returns the same as `push` if the end decides it. */
  end(): number | undefined {
    const found = this.#closers.find(this.#tail)
    return found && this.#length - this.#tail.length + found.index
  }

  take(): string {
    return this.#pieces.join('')
  }
}
