/** The characters that one record may still have. What does not fit is counted by name. */
export class Room {
  #left: number
  readonly #size: number
  readonly leftOut: Record<string, number> = {}

  constructor(characters: number) {
    this.#left = characters
    this.#size = characters
  }

  /** Returns a room in the same state. */
  copy(): Room {
    const room = new Room(this.#size)
    room.#left = this.#left
    Object.assign(room.leftOut, this.leftOut)
    return room
  }

  /** The characters that were taken. */
  get taken(): number {
    return this.#size - this.#left
  }

  /** Takes room for `length` characters of the part `name`. Returns false if there is not enough. */
  take(name: string, length: number): boolean {
    if (length > this.#left) {
      this.leftOut[name] = (this.leftOut[name] ?? 0) + length
      return false
    }
    this.#left -= length
    return true
  }

  /** Returns the part of a text for which there is room. */
  fit(name: string, text: string): string {
    if (this.take(name, text.length)) return text
    const fitting = text.slice(0, this.#left)
    this.leftOut[name] = (this.leftOut[name] ?? 0) - fitting.length
    this.#left = 0
    return fitting
  }
}
