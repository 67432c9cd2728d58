/** A value that is no list and no object is shorter. */
const longestPlain = 1000

const quote = 0x22
const openList = 0x5b
const backslash = 0x5c
const closeList = 0x5d
const openObject = 0x7b
const closeObject = 0x7d

/**
 * The strings and levels of a JSON text that arrives in pieces: finds the possible places of its end, so that a large
 * text need not be parsed with each piece to find it. Takes a step for each character, whatever came before.
 */
export class ArgumentsOutline {
  #length = 0
  #level = 0
  #hasEnded = false
  #isInString = false
  #isEscaped = false

  push(piece: string): void {
    this.#length += piece.length
    for (let at = 0; at < piece.length; at++) {
      const char = piece.charCodeAt(at)
      if (this.#isEscaped) this.#isEscaped = false
      else if (char === quote) this.#isInString = !this.#isInString
      else if (this.#isInString) this.#isEscaped = char === backslash
      else if (char === openList || char === openObject) this.#level++
      else if (char === closeList || char === closeObject) {
        this.#level--
        this.#hasEnded ||= this.#level <= 0
      }
    }
  }

  /** True if a string is open. */
  get isInString(): boolean {
    return this.#isInString
  }

  /** True once a list or an object has ended that is in no other. */
  get hasEnded(): boolean {
    return this.#hasEnded
  }

  /** False for a text that is no whole JSON text. */
  get mayBeWhole(): boolean {
    return this.#hasEnded || (this.#level === 0 && !this.#isInString && this.#length <= longestPlain)
  }
}
