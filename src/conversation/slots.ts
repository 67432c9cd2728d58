/**
 * Values that come and go, such as the requests that run. A Map or a Set makes another table again and again if its members change, and until
 * a full garbage collection the old tables keep the members that they had. With 16 requests at a time that was all that a request is
 * made of: 16 kB a reply, and half of the time of the collections.
 *
 * @example
 * const place = running.add(request)
 * running.remove(place, request)
 */
export class Slots<Value extends object> implements Iterable<Value> {
  readonly #values: (Value | undefined)[] = []
  readonly #free: number[] = []

  /** The number of values. */
  get size(): number {
    return this.#values.length - this.#free.length
  }

  /** Returns the place of the value, by which it is removed. */
  add(value: Value): number {
    const place = this.#free.pop() ?? this.#values.length
    this.#values[place] = value
    return place
  }

  /** Removes the value at its place, unless that was done before: the place may be another value's by now. */
  remove(place: number, value: Value): void {
    if (this.#values[place] !== value) return
    this.#values[place] = undefined
    this.#free.push(place)
  }

  /** All values, in no order. A value that is removed meanwhile may be left out. */
  *[Symbol.iterator](): Generator<Value, void, undefined> {
    for (const value of this.#values) if (value !== undefined) yield value
  }
}
