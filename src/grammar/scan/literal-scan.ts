/**
 * Follows a text that arrives in pieces and determines if all of it, except blanks around it, may be a JSON string on
 * one line or one of a few words. The answer depends on the text alone, not on the pieces.
 */
export class LiteralScan {
  readonly #words: readonly string[]
  #state: 'before' | 'inside' | 'escape' | 'word' | 'after' | 'none' = 'before'
  #word = ''
  #blanks = 0

  constructor(words: readonly string[]) {
    this.#words = words
  }

  /** True while the text may still be a literal. */
  push(piece: string): boolean {
    for (const char of piece) {
      if (this.#state === 'none') break
      this.#step(char)
    }
    return this.#state !== 'none'
  }

  #step(char: string): void {
    const isBlank = char.trim() === ''
    // Blanks are bounded, so that little text waits in vain.
    if (isBlank && this.#state !== 'inside' && this.#state !== 'escape' && ++this.#blanks > longestBlank) {
      this.#state = 'none'
      return
    }
    switch (this.#state) {
      case 'before':
        if (isBlank) return
        this.#state = char === '"' ? 'inside' : 'word'
        if (this.#state === 'word') this.#addToWord(char)
        return
      case 'inside':
        if (char === '\n') this.#state = 'none'
        else if (char === '\\') this.#state = 'escape'
        else if (char === '"') this.#state = 'after'
        return
      case 'escape':
        this.#state = 'inside'
        return
      case 'word':
        if (isBlank) this.#state = 'after'
        else this.#addToWord(char)
        return
      case 'after':
        if (!isBlank) this.#state = 'none'
    }
  }

  #addToWord(char: string): void {
    this.#word += char
    if (!this.#words.some((word) => word.startsWith(this.#word))) this.#state = 'none'
  }
}

const longestBlank = 64
