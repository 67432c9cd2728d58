import type { BlockStatus, Program, Terminal } from '../../../../grammar/index.ts'
import { separatorLength } from './after-calls.ts'
import type { OpenSections } from './open-sections.ts'

/**
 * The fate of the markers around the calls of a block. The first call decides, because the opener comes before it: if that call is text,
 * so are the opener, the closer, and what comes before other calls that are text. Else all are markers.
 */
export class SectionFate {
  readonly #sections: OpenSections
  /** Something comes before the first call; undefined before that. */
  #hasOpener: boolean | undefined
  #isText: boolean | undefined

  constructor(sections: OpenSections) {
    this.#sections = sections
  }

  /** A call begins after this text of the block. Returns the length of the text without the white space at its end. */
  beginCall(before: string): number {
    const { length } = before.trimEnd()
    this.#hasOpener ??= length > 0
    return length
  }

  /** A call counts. */
  gotCall(): void {
    this.#isText ??= false
  }

  /** A call is text. Returns the number of characters that are markers, of `before` that come before it. */
  gotText(before: number): number {
    this.#isText ??= true
    return this.#isText ? 0 : before
  }

  /**
   * Returns the number of characters that are markers, of the text after the last call. They are if the opener is; without one, if a call
   * was admitted. What closes a section that was opened before the block has that section's fate. What follows the separator of a block
   * that broke off is text.
   */
  markersAfter(text: string, status: BlockStatus, program: Program | undefined, isAdmitted: boolean): number {
    const { closers = [], sectionClosers = [] } = program ?? {}
    const mayClose = status === 'complete' && !this.#sections.isEmpty
    const places = mayClose ? [...text.matchAll(/\S/g)].map(({ index }) => index) : []
    const outer = this.#sections.close(text, places, this.#hasOpener ? sectionClosers : [])
    const isOuterText = outer && outer.kind !== 'marker'
    if ((this.#hasOpener ? this.#isText : isOuterText) ?? !isAdmitted) return 0
    if (status !== 'complete') return separatorLength(text, closers)
    return isOuterText ? outer.at : text.length
  }

  /** The block is over. Leaves its section open if it was opened and did not come to its closers, of which some are `missing`. */
  end(program: Program | undefined, missing: readonly Terminal[], isBroken: boolean): void {
    const open = isBroken ? (program?.sectionClosers ?? []) : missing
    // A block without calls is text.
    const kind = (this.#isText ?? true) ? 'text-of-calls' : 'marker'
    if (this.#hasOpener ?? isBroken) this.#sections.leave(open, kind, isBroken)
  }
}
