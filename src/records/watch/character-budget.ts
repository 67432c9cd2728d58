/** The characters that one record may still have. What does not fit is counted by name. */
export class CharacterBudget {
  #left: number
  readonly #size: number
  readonly leftOut: Record<string, number> = {}

  constructor(characters: number) {
    this.#left = characters
    this.#size = characters
  }

  /** Returns a budget in the same state. */
  copy(): CharacterBudget {
    const budget = new CharacterBudget(this.#size)
    budget.#left = this.#left
    Object.assign(budget.leftOut, this.leftOut)
    return budget
  }

  /** The characters that were taken. */
  get taken(): number {
    return this.#size - this.#left
  }

  /** Takes `length` characters for the part `name`. Returns false if fewer are left. */
  take(name: string, length: number): boolean {
    if (length > this.#left) {
      this.leftOut[name] = (this.leftOut[name] ?? 0) + length
      return false
    }
    this.#left -= length
    return true
  }

  /** Returns the beginning of a text that still fits. */
  fit(name: string, text: string): string {
    if (this.take(name, text.length)) return text
    const fitting = text.slice(0, this.#left)
    this.leftOut[name] = (this.leftOut[name] ?? 0) - fitting.length
    this.#left = 0
    return fitting
  }
}
