/** Text up to the first of some texts. What may become one of them is held back; work per character is constant. */
export class StopTexts {
  readonly #stops: readonly string[]
  readonly #longest: number
  #held = ''

  constructor(stops: readonly string[]) {
    this.#stops = stops.filter((stop) => stop !== '')
    this.#longest = Math.max(0, ...this.#stops.map(({ length }) => length))
  }

  /** What may be given out, and whether a stop follows it; `rest` is what stands after that. */
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

  /** What was held back, when nothing follows. */
  end(): string {
    const held = this.#held
    this.#held = ''
    return held
  }

  /** How much of the text's end a stop begins with. */
  #beginningAtEnd(text: string): number {
    for (let length = Math.min(text.length, this.#longest - 1); length > 0; length--) {
      const end = text.slice(text.length - length)
      if (this.#stops.some((stop) => stop.startsWith(end))) return length
    }
    return 0
  }
}
