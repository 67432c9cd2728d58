import { failed, TemplateFault } from '../parse/error.ts'
import { dictType, makeDict } from '../python/dict-type.ts'
import { type Arguments, bind } from '../python/values/arguments.ts'
import { range } from '../python/values/range.ts'
import type { Runtime } from '../python/values/runtime.ts'
import { repr, str } from '../python/values/text.ts'
import { textOf } from '../python/values/types.ts'
import { Callable, type Dict, orElse, Thing, Tuple, Undefined, type Value } from '../python/values/values.ts'
import { strftime } from './strftime.ts'

/** The global variables of templates: Jinja's functions, and those that Transformers adds. */
export const globals: Map<string, Value> = new Map<string, Value>([
  ['dict', dictType],
  ...Object.entries({
    range: (args: Arguments) => range(args),
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
  }).map(([name, call]): [string, Value] => [name, new Callable(name, call)]),
])

function raise(args: Arguments, runtime: Runtime): never {
  const [message = null] = bind('raise_exception', ['message'], args, 1)
  throw new TemplateFault('refused', str(message, runtime))
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
    return '<jinja2.utils.Cycler object at 0x7f0000000000>'
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
  /** The last arguments of `loop.changed`. */
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
