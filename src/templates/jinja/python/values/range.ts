import { failed, TemplateFault } from '../../parse/error.ts'
import { type Arguments, bind } from './arguments.ts'
import { indexOrFail } from './sequence-index.ts'
import { toFloat } from './types.ts'
import { Callable, Float, Thing, type Value } from './values.ts'

/** The longest range that Jinja's sandbox allows. */
const longestRange = 100_000

/** The result of `range`: a sequence that stores no list. */
export class Range extends Thing {
  readonly typeName = 'range'
  readonly #start: number
  readonly #stop: number
  readonly #step: number
  readonly #length: number

  constructor(start: number, stop: number, step: number) {
    super()
    this.#start = start
    this.#stop = stop
    this.#step = step
    this.#length = Math.max(0, Math.ceil((stop - start) / step))
  }

  override get length(): number {
    return this.#length
  }

  override repr(): string {
    const bounds = `${this.#start}, ${this.#stop}`
    return this.#step === 1 ? `range(${bounds})` : `range(${bounds}, ${this.#step})`
  }

  override *iterate(): Iterable<Value> {
    for (let at = 0; at < this.length; at++) yield this.#start + at * this.#step
  }

  override attribute(name: string): Value | undefined {
    switch (name) {
      case 'start':
        return this.#start
      case 'stop':
        return this.#stop
      case 'step':
        return this.#step
      case 'count':
      case 'index':
        return new Callable(name, (args) => this.#find(name, args), 'builtin_function_or_method')
      default:
        return undefined
    }
  }

  /** The element at a place; from the end if the place is negative. */
  at(index: number): Value | undefined {
    const place = index < 0 ? this.length + index : index
    return place >= 0 && place < this.length ? this.#start + place * this.#step : undefined
  }

  /** Every so manieth element from one place up to another. */
  slice(from: number, to: number, by: number): Range {
    return new Range(this.#start + from * this.#step, this.#start + to * this.#step, this.#step * by)
  }

  #find(name: 'count' | 'index', args: Arguments): Value {
    const [wanted = null] = bind(name, ['value'], args, 1)
    const number = typeof wanted === 'number' || wanted instanceof Float ? toFloat(wanted) : Number.NaN
    const place = (number - this.#start) / this.#step
    const isHeld = Number.isInteger(place) && place >= 0 && place < this.length
    if (name === 'count') return isHeld ? 1 : 0
    if (!isHeld) throw failed('the value is not in range')
    return place
  }
}

/** The global function. */
export function range(args: Arguments): Value {
  const [first = null, second, third = 1] = bind('range', ['start', 'stop', 'step'], args, 1)
  const step = indexOrFail(third)
  if (step === 0) throw failed('range() arg 3 must not be zero')
  const [start, stop] = second === undefined ? [0, indexOrFail(first)] : [indexOrFail(first), indexOrFail(second)]
  const made = new Range(start, stop, step)
  if (made.length > longestRange) {
    throw new TemplateFault(
      'budget',
      `Range too big. The sandbox blocks ranges larger than MAX_RANGE (${longestRange}).`,
    )
  }
  return made
}
