import type { TimedText } from './exchange.ts'

/** Collects the pieces of a text with their times. Pieces of the same millisecond are one. */
export class PiecedText {
  /** The text of later pieces is joined when it is read. */
  #text = ''
  readonly #pieces: number[] = []

  get length(): number {
    return this.#text.length
  }

  push(ms: number, text: string): void {
    if (text === '') return
    this.#text += text
    addPiece(this.#pieces, ms, text.length)
  }

  get timed(): TimedText {
    return { text: this.#text, pieces: this.#pieces }
  }
}

/** Adds a piece to a list of times and lengths. */
export function addPiece(pieces: number[], ms: number, length: number): void {
  const last = pieces.length - 2
  if (pieces[last] === ms) pieces[last + 1] = (pieces[last + 1] ?? 0) + length
  else pieces.push(ms, length)
}

/**
 * Returns the pieces of a text, each with its time.
 *
 * @example
 * piecesOf({ text: 'abc', pieces: [10, 1, 12, 2] }) // [{ ms: 10, text: 'a' }, { ms: 12, text: 'bc' }]
 */
export function piecesOf({ text, pieces }: TimedText): { ms: number; text: string }[] {
  const found: { ms: number; text: string }[] = []
  let at = 0
  for (let index = 0; index + 1 < pieces.length; index += 2) {
    const length = pieces[index + 1] ?? 0
    found.push({ ms: pieces[index] ?? 0, text: text.slice(at, at + length) })
    at += length
  }
  return found
}
