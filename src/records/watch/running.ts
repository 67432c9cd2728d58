/**
 * Values that come and go, such as the exchanges that run. A Map or a Set makes another table again and again if its members change, and
 * until a full garbage collection the old tables keep the members that they had: each exchange's texts would be copied twice (a tenth of
 * the CPU time of a reply).
 */
export class Running<Value> {
  readonly #slots: (Value | undefined)[] = []
  readonly #free: number[] = []

  /** Returns the place of the value, by which it is removed. */
  add(value: Value): number {
    const place = this.#free.pop() ?? this.#slots.length
    this.#slots[place] = value
    return place
  }

  remove(place: number): void {
    this.#slots[place] = undefined
    this.#free.push(place)
  }

  /** All values, in no order. */
  get values(): Value[] {
    return this.#slots.filter((value) => value !== undefined)
  }
}
