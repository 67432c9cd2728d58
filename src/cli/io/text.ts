/** Returns a text in lines of at most `width` characters, broken between words; a longer word has its own line. */
export function wrapWords(text: string, width: number): string[] {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + 1 + word.length <= width) lines[lines.length - 1] = `${last} ${word}`
    else lines.push(word)
  }
  return lines
}

/** A place in a text as editors count: from 1, columns in UTF-16 units. */
export interface TextPlace {
  line: number
  column: number
}

/** Finds the line and column of an offset in a text that comes in pieces. */
export class TextPlaces {
  /** The offset at which each line begins. */
  readonly #lines: number[] = [0]
  #length = 0

  add(piece: string): void {
    for (let at = piece.indexOf('\n'); at >= 0; at = piece.indexOf('\n', at + 1))
      this.#lines.push(this.#length + at + 1)
    this.#length += piece.length
  }

  placeOf(offset: number): TextPlace {
    let low = 0
    let high = this.#lines.length
    while (high - low > 1) {
      const middle = (low + high) >> 1
      if ((this.#lines[middle] ?? 0) <= offset) low = middle
      else high = middle
    }
    return { line: low + 1, column: offset - (this.#lines[low] ?? 0) + 1 }
  }
}
