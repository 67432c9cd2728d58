import type { ModelText } from '../../../grammar/index.ts'

/**
 * The white space on both sides of a part within text that is not text itself: a call, reasoning, a marker. Only one
 * side belongs to the text, or two words would be separated by two blanks. The white space before the part is kept
 * until it is known whether text follows: text that ends with a call has none at its end.
 */
export class Seam {
  readonly #source: ModelText
  /** The white space before the first marker since the last text; undefined in text. */
  #before: string | undefined

  constructor(source: ModelText) {
    this.#source = source
  }

  /** True from the first marker on until text follows. */
  get isOpen(): boolean {
    return this.#before !== undefined
  }

  /** `before` was taken as a seam. */
  open(before: string): void {
    this.#before = before
  }

  /**
   * Text follows the white space up to `end`. Takes the white space and returns the part that belongs to the text: the
   * side with more line breaks, or the later one if both have the same number.
   */
  close(end: number): string {
    const source = this.#source
    const before = this.#before ?? ''
    const after = source.text.slice(source.place, end)
    const isBefore = keepsBefore(before, after)
    this.#before = undefined
    source.closeSeam(isBefore ? 'text' : 'marker')
    source.take(end, isBefore ? 'marker' : 'text')
    return isBefore ? before : after
  }

  /** No text follows, or the white space before the marker cannot be distinguished from its own. */
  drop(): void {
    this.#before = undefined
    this.#source.closeSeam('marker')
  }
}

/** True if the white space before markers belongs to the text around them, and not that after them. */
export function keepsBefore(before: string, after: string): boolean {
  return after === '' || lineBreaks(before) > lineBreaks(after)
}

function lineBreaks(text: string): number {
  return text.split('\n').length
}
