/** Joins the halves of surrogate pairs: a lone half is an escape that JSON readers outside JavaScript reject or cannot join again. */
export class WholeCharacters {
  /** The first half of a pair whose second half is in the next piece. */
  #half = ''

  /** Returns the piece with the half that was held before, without a half at its end. */
  push(piece: string): string {
    const text = this.#half + piece
    const last = text.charCodeAt(text.length - 1)
    const isHalf = last >= 0xd800 && last <= 0xdbff
    this.#half = isHalf ? text.slice(-1) : ''
    return isHalf ? text.slice(0, -1) : text
  }

  /** Returns the half that is still held, at the end of the text. */
  rest(): string {
    const half = this.#half
    this.#half = ''
    return half
  }
}
