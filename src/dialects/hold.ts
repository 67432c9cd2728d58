import { escapePattern } from '../grammar/index.ts'

/** Text that is kept until it is known how it is to be read, in pieces, as it may be long. */
export interface Hold {
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
export class ThoughtHold implements Hold {
  readonly awaits: string
  readonly #pieces: string[] = []
  readonly #closer: RegExp
  readonly #longest: number
  #length = 0
  /** The end of what was kept, in which the marker may begin that closes the reasoning. */
  #tail = ''

  constructor(closers: readonly string[]) {
    this.awaits = closers.join(' ')
    this.#closer = new RegExp(closers.map(escapePattern).join('|'), 'i')
    this.#longest = Math.max(...closers.map((closer) => closer.length))
  }

  push(piece: string): number | undefined {
    this.#pieces.push(piece)
    const text = this.#tail + piece
    const start = this.#length - this.#tail.length
    this.#length += piece.length
    this.#tail = text.slice(1 - this.#longest)
    const found = this.#closer.exec(text)
    return found ? start + found.index : undefined
  }

  take(): string {
    return this.#pieces.join('')
  }
}
