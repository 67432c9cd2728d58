/** Cuts a stream of text at the first stop text. A possible beginning of a stop text is held back; work per character is constant. */
export class StopTexts {
  readonly #stops: readonly string[]
  readonly #longest: number
  #held = ''

  constructor(stops: readonly string[]) {
    this.#stops = stops.filter((stop) => stop !== '')
    this.#longest = Math.max(0, ...this.#stops.map(({ length }) => length))
  }

  /** Returns the text that can be emitted, a flag for a stop after it, and as `rest` the text after the stop. */
  push(text: string): { text: string; isStopped: boolean; rest: string } {
    const all = this.#held + text
    let found: { at: number; end: number } | undefined
    for (const stop of this.#stops) {
      const at = all.indexOf(stop)
      if (at >= 0 && (!found || at < found.at)) found = { at, end: at + stop.length }
    }
    if (found) {
      this.#held = ''
      return { text: all.slice(0, found.at), isStopped: true, rest: all.slice(found.end) }
    }
    const held = this.#beginningAtEnd(all)
    this.#held = all.slice(all.length - held)
    return { text: all.slice(0, all.length - held), isStopped: false, rest: '' }
  }

  /** Returns the text that was held back, at the end of the reply. */
  end(): string {
    const held = this.#held
    this.#held = ''
    return held
  }

  /** Returns the length of the text's end that is the beginning of a stop. */
  #beginningAtEnd(text: string): number {
    for (let length = Math.min(text.length, this.#longest - 1); length > 0; length--) {
      const end = text.slice(text.length - length)
      if (this.#stops.some((stop) => stop.startsWith(end))) return length
    }
    return 0
  }
}
