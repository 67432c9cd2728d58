import { StopTexts } from './stop-texts.ts'

/** A piece of a reply that may be emitted, and a flag for a stop after it. */
export interface ShownText {
  text: string
  isStopped: boolean
}

/**
 * A reply that is constrained by a grammar, up to a text that ends it. Within a call no such text counts: there the
 * grammar determines the end, and a file that the call writes may contain any marker.
 */
export class ReplyStops {
  readonly #texts: readonly string[]
  readonly #stops: StopTexts
  readonly #triggers: StopTexts
  #isCall: boolean
  /** A stop that the text of a call ends with: it may be the token that ended the reply. */
  #last = ''

  /**
   * `triggers` are the texts at which a call begins. Empty: the whole reply is a call. Undefined: it contains no call.
   */
  constructor(stops: readonly string[], triggers: readonly string[] | undefined) {
    this.#texts = stops
    this.#stops = new StopTexts(stops)
    this.#triggers = new StopTexts(triggers ?? [])
    // Some count at the beginning of a line only.
    this.#triggers.push('\n')
    this.#isCall = triggers?.length === 0
  }

  /** True once a call has begun: it ends the reply. */
  get isCall(): boolean {
    return this.#isCall
  }

  push(piece: string): ShownText {
    if (this.#isCall) return { text: this.#inCall(piece), isStopped: false }
    const { isStopped: isCall, rest } = this.#triggers.push(piece)
    const shown = this.#stops.push(piece.slice(0, piece.length - rest.length))
    if (!isCall || shown.isStopped) return shown
    this.#isCall = true
    return { text: shown.text + this.#stops.end() + this.#inCall(rest), isStopped: false }
  }

  /**
   * Returns the text that was held back at the end of the reply. `isEnded` is true if a token of the model ended it;
   * the token's text may be a stop.
   */
  end(isEnded: boolean): string {
    const last = isEnded ? '' : this.#last
    this.#last = ''
    return this.#stops.end() + last
  }

  #inCall(piece: string): string {
    if (piece === '') return ''
    const all = this.#last + piece
    this.#last = this.#texts.find((stop) => stop !== '' && all.endsWith(stop)) ?? ''
    return all.slice(0, all.length - this.#last.length)
  }
}
