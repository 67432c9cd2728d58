/** Text up to the first of some texts. What may become one of them is held back; work per character is constant. */
export class StopTexts {
  readonly #stops: readonly string[]
  readonly #longest: number
  #held = ''

  constructor(stops: readonly string[]) {
    this.#stops = stops.filter((stop) => stop !== '')
    this.#longest = Math.max(0, ...this.#stops.map(({ length }) => length))
  }

  /** What may be given out, and whether a stop follows it: then nothing behind counts. */
  push(text: string): { text: string; isStopped: boolean } {
    const all = this.#held + text
    let end = -1
    for (const stop of this.#stops) {
      const at = all.indexOf(stop)
      if (at >= 0 && (end < 0 || at < end)) end = at
    }
    if (end >= 0) {
      this.#held = ''
      return { text: all.slice(0, end), isStopped: true }
    }
    const held = this.#beginningAtEnd(all)
    this.#held = all.slice(all.length - held)
    return { text: all.slice(0, all.length - held), isStopped: false }
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
