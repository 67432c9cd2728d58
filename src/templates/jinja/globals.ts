import { type Arguments, bind } from './arguments.ts'
import { failed, TemplateFault } from './error.ts'
import type { Runtime } from './runtime.ts'
import { strftime } from './strftime.ts'
import { indexOrFail } from './string-methods.ts'
import { repr, str } from './text.ts'
import { iterateOrFail, textOf, typeName } from './types.ts'
import { Callable, Dict, orElse, Thing, Tuple, Undefined, type Value } from './values.ts'

/** What templates find besides what they are given: Jinja's own functions, and those that Transformers adds. */
export const globals: Map<string, Value> = new Map<string, Value>(
  Object.entries({
    range: (args: Arguments) => range(args),
    dict: (args: Arguments, runtime: Runtime) => makeDict(args, runtime),
    namespace: (args: Arguments, runtime: Runtime) => new Namespace(makeDict(args, runtime)),
    joiner: (args: Arguments) => joiner(args),
    cycler: (args: Arguments) => new Cycler(args.positional),
    raise_exception: (args: Arguments, runtime: Runtime) => raise(args, runtime),
    strftime_now: (args: Arguments, runtime: Runtime) => {
      const [format = null] = bind('strftime_now', ['format'], args, 1)
      const written = textOf(format) ?? ''
      // The longest field gives some ten times its own length.
      runtime.budget.text(written.length * 16)
      runtime.budget.walk(written.length * 4)
      return strftime(runtime.now(), written)
    },
  }).map(([name, call]) => [name, new Callable(name, call)]),
)

function raise(args: Arguments, runtime: Runtime): never {
  const [message = null] = bind('raise_exception', ['message'], args, 1)
  throw new TemplateFault('refused', str(message, runtime))
}

/** As far as Jinja's sandbox lets a range go. */
const longestRange = 100_000

class Range extends Thing {
  readonly typeName = 'range'
  readonly #start: number
  readonly #step: number
  readonly #length: number

  constructor(start: number, stop: number, step: number) {
    super()
    this.#start = start
    this.#step = step
    this.#length = Math.max(0, Math.ceil((stop - start) / step))
  }

  override get length(): number {
    return this.#length
  }

  override repr(): string {
    const stop = this.#start + this.length * this.#step
    return this.#step === 1 ? `range(${this.#start}, ${stop})` : `range(${this.#start}, ${stop}, ${this.#step})`
  }

  override *iterate(): Iterable<Value> {
    for (let at = 0; at < this.length; at++) yield this.#start + at * this.#step
  }

  override get isSequence(): boolean {
    return true
  }
}

function range(args: Arguments): Value {
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

function makeDict({ positional: [from], named }: Arguments, { budget }: Runtime): Dict {
  const dict = new Dict()
  if (from instanceof Dict) budget.elements(from.size)
  if (from instanceof Dict) for (const [key, value] of from.entries()) dict.set(key, value)
  else if (from !== undefined) {
    let at = 0
    for (const pair of iterateOrFail(from)) {
      budget.spend(1)
      const [key = null, value = null, ...more] = iterateOrFail(pair)
      if (more.length > 0) {
        throw failed(`dictionary update sequence element #${at} has length ${more.length + 2}; 2 is required`)
      }
      at++
      if (!dict.set(key, value)) throw failed(`unhashable type: '${typeName(key)}'`)
    }
  }
  for (const [key, value] of named) dict.set(key, value)
  return dict
}

/** The one thing that a template can change: `{% set ns.found = true %}`. */
export class Namespace extends Thing {
  readonly typeName = 'utils.Namespace'
  readonly #attributes: Dict

  constructor(attributes: Dict) {
    super()
    this.#attributes = attributes
  }

  override attribute(name: string): Value | undefined {
    return this.#attributes.get(name)
  }

  set(name: string, value: Value): void {
    this.#attributes.set(name, value)
  }

  override repr(runtime: Runtime): string {
    return `<Namespace ${repr(this.#attributes, runtime)}>`
  }
}

/** Gives nothing when first called, then the separator. */
function joiner(args: Arguments): Value {
  const [separator = ', '] = bind('joiner', ['sep'], args)
  let isUsed = false
  return new Callable('joiner', () => {
    const result = isUsed ? separator : ''
    isUsed = true
    return result
  })
}

class Cycler extends Thing {
  readonly typeName = 'utils.Cycler'
  readonly #items: readonly Value[]
  #at = 0

  constructor(items: readonly Value[]) {
    super()
    if (items.length === 0) throw failed('at least one item has to be provided')
    this.#items = items
  }

  override repr(): string {
    return '<Cycler>'
  }

  override attribute(name: string): Value | undefined {
    const current = () => this.#items[this.#at] ?? null
    if (name === 'current') return current()
    if (name === 'reset') {
      return new Callable('reset', () => {
        this.#at = 0
        return null
      })
    }
    if (name !== 'next') return undefined
    return new Callable('next', () => {
      const item = current()
      this.#at = (this.#at + 1) % this.#items.length
      return item
    })
  }
}

/** The places of a walk, under the name `loop` in its body. */
export class Loop extends Thing {
  readonly typeName = 'runtime.LoopContext'
  readonly #items: readonly Value[]
  readonly #depth: number
  readonly #recurse: ((items: Value) => Value) | undefined
  at = 0
  /** What `loop.changed` saw last. */
  #seen: string | undefined

  constructor(items: readonly Value[], depth: number, recurse: ((items: Value) => Value) | undefined) {
    super()
    this.#items = items
    this.#depth = depth
    this.#recurse = recurse
  }

  override repr(): string {
    return `<LoopContext ${this.at + 1}/${this.#items.length}>`
  }

  override get length(): number {
    return this.#items.length
  }

  override get callable(): ((args: Arguments) => Value) | undefined {
    return (args) => {
      if (!this.#recurse) throw failed("The loop must have the 'recursive' marker to be called recursively.")
      const [items = null] = bind('loop', ['iterable'], args, 1)
      return this.#recurse(items)
    }
  }

  override attribute(name: string): Value | undefined {
    const count = this.#items.length
    switch (name) {
      case 'index':
        return this.at + 1
      case 'index0':
        return this.at
      case 'revindex':
        return count - this.at
      case 'revindex0':
        return count - this.at - 1
      case 'first':
        return this.at === 0
      case 'last':
        return this.at === count - 1
      case 'length':
        return count
      case 'depth':
        return this.#depth
      case 'depth0':
        return this.#depth - 1
      case 'previtem':
        return orElse(this.#items[this.at - 1], () => new Undefined('there is no previous item'))
      case 'nextitem':
        return orElse(this.#items[this.at + 1], () => new Undefined('there is no next item'))
      case 'cycle':
        return new Callable('cycle', ({ positional }) => {
          if (positional.length === 0) throw failed('no items for cycling given')
          return positional[this.at % positional.length] ?? null
        })
      case 'changed':
        return new Callable('changed', ({ positional }, runtime) => {
          const now = repr(new Tuple(positional), runtime)
          const isChanged = now !== this.#seen
          this.#seen = now
          return isChanged
        })
      default:
        return undefined
    }
  }
}
