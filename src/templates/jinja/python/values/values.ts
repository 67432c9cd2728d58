import type { Arguments } from './arguments.ts'
import type { Runtime } from './runtime.ts'

/**
 * A Python value, as templates see it. Whole numbers are `number` if that is exact and `bigint` beyond; a Python float
 * is a `Float`, because 2.0 and 2 are written differently. A list is an array, which no template can change:
 * Transformers renders in Jinja's immutable sandbox. None is `null`, so absence is `undefined` throughout, and tested
 * with `orElse`, not with `??`.
 */
export type Value =
  | null
  | boolean
  | number
  | bigint
  | string
  | Float
  | Markup
  | readonly Value[]
  | Tuple
  | Dict
  | Undefined
  | Thing

/** The value, if there is one; null is one. */
export function orElse(value: Value | undefined, otherwise: () => Value): Value {
  return value === undefined ? otherwise() : value
}

export class Float {
  readonly value: number
  constructor(value: number) {
    this.value = value
  }
}

/** Text marked as safe (`|safe`, `|escape`): text that is added to it is escaped. */
export class Markup {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

export class Tuple {
  readonly items: readonly Value[]
  /** The names of the items, if they have names. */
  readonly names: readonly string[] | undefined
  constructor(items: readonly Value[], names?: readonly string[]) {
    this.items = items
    this.names = names
  }
}

/** The undefined value: it is empty text, an empty sequence and false; all else that is done with it fails with its message. */
export class Undefined {
  readonly #message: string | (() => string)

  /** A function creates the message on first use: templates look up many missing keys, and few lookups need it. */
  constructor(message: string | (() => string)) {
    this.#message = message
  }

  get message(): string {
    return typeof this.#message === 'string' ? this.#message : this.#message()
  }
}

/** Values that are no plain data: functions, generators, views, `loop`, namespaces. */
export abstract class Thing {
  /** Python's name of the type. */
  abstract readonly typeName: string
  /** The text that `repr` returns. */
  abstract repr(runtime: Runtime): string

  attribute(_name: string, _runtime: Runtime): Value | undefined {
    return undefined
  }

  /** Undefined if it cannot be iterated. */
  iterate(): Iterable<Value> | undefined {
    return undefined
  }

  /** Undefined if it has no length. */
  get length(): number | undefined {
    return undefined
  }

  get callable(): ((args: Arguments, runtime: Runtime) => Value) | undefined {
    return undefined
  }
}

/** A function or method of the engine, or a macro. */
export class Callable extends Thing {
  readonly typeName: string
  readonly name: string
  readonly #call: (args: Arguments, runtime: Runtime) => Value
  readonly #attributes: ReadonlyMap<string, Value> | undefined

  constructor(
    name: string,
    call: (args: Arguments, runtime: Runtime) => Value,
    typeName: string = 'function',
    attributes?: ReadonlyMap<string, Value>,
  ) {
    super()
    this.name = name
    this.typeName = typeName
    this.#call = call
    this.#attributes = attributes
  }

  override repr(): string {
    return this.typeName === 'runtime.Macro' ? `<Macro '${this.name}'>` : `<${this.typeName} ${this.name}>`
  }

  override attribute(name: string): Value | undefined {
    return this.#attributes?.get(name)
  }

  override get callable(): (args: Arguments, runtime: Runtime) => Value {
    return this.#call
  }
}

/** A generator of Python, such as most filters on sequences give: it can be walked once, and has no length. */
export class Generator extends Thing {
  readonly typeName = 'generator'
  readonly #name: string
  readonly #iterator: Iterator<Value>

  constructor(name: string, values: Iterable<Value>) {
    super()
    this.#name = name
    this.#iterator = values[Symbol.iterator]()
  }

  override repr(): string {
    return `<generator object ${this.#name} at 0x7f0000000000>`
  }

  override iterate(): Iterable<Value> {
    const iterator = this.#iterator
    // Not the generator itself: leaving a loop over it early would close it, while Python's can be continued.
    return { [Symbol.iterator]: () => ({ next: () => iterator.next() }) }
  }
}

type Key = string | number | bigint | null

/** A dictionary. Keys that are equal in Python (1, 1.0 and true) are one key here. */
export class Dict {
  readonly #values = new Map<Key, Value>()
  /** Keys that are not written as they are looked up. */
  #keys: Map<Key, Value> | undefined
  /** For a value that many renderings share and none can change: its JSON by style, and the steps that it took. */
  written: Map<string, { text: string; steps: number }> | undefined

  static from(entries: Iterable<readonly [Value, Value]>): Dict {
    const dict = new Dict()
    for (const [key, value] of entries) dict.set(key, value)
    return dict
  }

  get size(): number {
    return this.#values.size
  }

  get(key: Value): Value | undefined {
    const found = keyOf(key)
    return found === undefined ? undefined : this.#values.get(found)
  }

  has(key: Value): boolean {
    const found = keyOf(key)
    return found !== undefined && this.#values.has(found)
  }

  /** False if the key has no hash. */
  set(key: Value, value: Value): boolean {
    const found = keyOf(key)
    if (found === undefined) return false
    if (found !== key && !this.#values.has(found)) {
      this.#keys ??= new Map()
      this.#keys.set(found, key)
    }
    this.#values.set(found, value)
    return true
  }

  delete(key: Value): void {
    const found = keyOf(key)
    if (found === undefined) return
    this.#values.delete(found)
    this.#keys?.delete(found)
  }

  *keys(): IterableIterator<Value> {
    for (const key of this.#values.keys()) yield this.#written(key)
  }

  values(): Iterable<Value> {
    return this.#values.values()
  }

  *entries(): IterableIterator<[Value, Value]> {
    for (const [key, value] of this.#values) yield [this.#written(key), value]
  }

  #written(key: Key): Value {
    const own = this.#keys?.get(key)
    return own === undefined ? key : own
  }
}

/** True for a value that Python can hash, and so use as a key. */
export function isHashable(value: Value): boolean {
  return keyOf(value) !== undefined
}

/** The key by which a value is looked up; undefined if it has no hash. */
function keyOf(value: Value): Key | undefined {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint' || value === null)
    return value
  if (typeof value === 'boolean') return value ? 1 : 0
  if (value instanceof Float) return value.value
  if (value instanceof Markup) return value.text
  // All that has no value is equal.
  if (value instanceof Undefined) return '\u0000undefined'
  return value instanceof Tuple ? tupleKey(value) : undefined
}

/** Longer than any key that a template has a use for; tuples that hold one another grow without bound. */
const longestKey = 1000

function tupleKey(tuple: Tuple): string | undefined {
  // Begins as no text of a template does.
  let joined = '\u0000tuple'
  for (const item of tuple.items) {
    const key = keyOf(item)
    if (key === undefined) return undefined
    joined += ` ${typeof key} ${String(key).length} ${key}`
    if (joined.length > longestKey) return undefined
  }
  return joined
}
