import { failed } from '../../parse/error.ts'
import { type Arguments, bind } from '../values/arguments.ts'
import { equals } from '../values/compare.ts'
import type { Runtime } from '../values/runtime.ts'
import { escapeMarkup, repr, reprAll } from '../values/text.ts'
import { isList, iterateOrFail, textOf } from '../values/types.ts'
import { Callable, Dict, Float, Markup, orElse, Thing, Tuple, type Value } from '../values/values.ts'
import { type StringMethod, stringMethods } from './string-methods.ts'

/** The method of that name of plain data, bound to it. */
export function methodOf(value: Value, name: string): Value | undefined {
  const text = textOf(value)
  if (text !== undefined) {
    const method = stringMethods.get(name)
    return method && new Callable(name, stringCall(method, text, value instanceof Markup), 'builtin_function_or_method')
  }
  if (value instanceof Dict) return method(dictMethods, value, name)
  if (isList(value)) return method(listMethods, value, name)
  if (value instanceof Tuple) {
    const at = value.names?.indexOf(name) ?? -1
    return at < 0 ? method(tupleMethods, value.items, name) : value.items[at]
  }
  if (value instanceof Float) return method(floatMethods, value, name)
  return undefined
}

type Method<Owner> = (owner: Owner, args: Arguments, runtime: Runtime) => Value

function method<Owner>(methods: ReadonlyMap<string, Method<Owner>>, owner: Owner, name: string): Value | undefined {
  const found = methods.get(name)
  return found && new Callable(name, (args, runtime) => found(owner, args, runtime), 'builtin_function_or_method')
}

/** Marks text made of safe text as safe; a value is escaped by the code that inserts it. */
function stringCall(method: StringMethod, text: string, isSafe: boolean): (args: Arguments, runtime: Runtime) => Value {
  return (args, runtime) => {
    if (isSafe && method === stringMethods.get('join')) return joinSafe(text, args, runtime)
    runtime.budget.scan(text.length)
    for (const argument of args.positional) runtime.budget.scan(textOf(argument)?.length ?? 0)
    const result = method(text, args, runtime)
    return isSafe ? marked(result) : result
  }
}

/** Safe text escapes the values that it joins, text or not. */
function joinSafe(text: string, args: Arguments, runtime: Runtime): Value {
  const [values = null] = bind('join', ['iterable'], args, 1)
  const parts = Array.from(iterateOrFail(values), (value) => {
    runtime.budget.spend(1)
    const part = escapeMarkup(value, runtime).text
    runtime.budget.text(part.length + text.length)
    return part
  })
  return new Markup(parts.join(text))
}

function marked(value: Value): Value {
  if (typeof value === 'string') return new Markup(value)
  if (isList(value)) return value.map(marked)
  return value instanceof Tuple ? new Tuple(value.items.map(marked)) : value
}

/** The methods that change their own object: the sandbox forbids them, and Python has them. */
const changing: Readonly<Record<'list' | 'dict', ReadonlySet<string>>> = {
  list: new Set(['append', 'clear', 'pop', 'reverse', 'insert', 'sort', 'extend', 'remove']),
  dict: new Set(['clear', 'pop', 'popitem', 'setdefault', 'update']),
}

export function modifies(value: Value, name: string): boolean {
  if (isList(value)) return changing.list.has(name)
  return value instanceof Dict && changing.dict.has(name)
}

const dictMethods: ReadonlyMap<string, Method<Dict>> = new Map<string, Method<Dict>>([
  ['items', (dict) => new DictView('items', dict)],
  ['keys', (dict) => new DictView('keys', dict)],
  ['values', (dict) => new DictView('values', dict)],
  [
    'copy',
    (dict, _, { budget }) => {
      budget.elements(dict.size)
      return Dict.from(dict.entries())
    },
  ],
  [
    'get',
    (dict, args) => {
      const [key = null, otherwise = null] = bind('get', ['key', 'default'], args, 1)
      return orElse(dict.get(key), () => otherwise)
    },
  ],
])

function countIn(items: readonly Value[], args: Arguments, runtime: Runtime): Value {
  const [wanted = null] = bind('count', ['value'], args, 1)
  return items.filter((item) => equals(item, wanted, runtime)).length
}

function indexIn(items: readonly Value[], args: Arguments, runtime: Runtime): Value {
  const [wanted = null] = bind('index', ['value', 'start', 'stop'], args, 1)
  const found = items.findIndex((item) => equals(item, wanted, runtime))
  if (found < 0) throw failed(`${repr(wanted, runtime)} is not in list`)
  return found
}

const tupleMethods: ReadonlyMap<string, Method<readonly Value[]>> = new Map<string, Method<readonly Value[]>>([
  ['count', countIn],
  ['index', indexIn],
])

const listMethods: ReadonlyMap<string, Method<readonly Value[]>> = new Map<string, Method<readonly Value[]>>([
  ...tupleMethods,
  [
    'copy',
    (items, _, { budget }) => {
      budget.elements(items.length)
      return [...items]
    },
  ],
])

const floatMethods: ReadonlyMap<string, Method<Float>> = new Map<string, Method<Float>>([
  ['is_integer', (float) => Number.isInteger(float.value)],
])

/** The results of a dictionary's `items()`, `keys()` and `values()`. */
class DictView extends Thing {
  readonly typeName: string
  readonly #kind: 'items' | 'keys' | 'values'
  readonly #dict: Dict

  constructor(kind: 'items' | 'keys' | 'values', dict: Dict) {
    super()
    this.typeName = `dict_${kind}`
    this.#kind = kind
    this.#dict = dict
  }

  override iterate(): Iterable<Value> {
    if (this.#kind === 'keys') return this.#dict.keys()
    return this.#kind === 'values' ? this.#dict.values() : pairs(this.#dict)
  }

  override get length(): number {
    return this.#dict.size
  }

  override repr(runtime: Runtime): string {
    return `${this.typeName}([${reprAll(this.iterate(), runtime)}])`
  }
}

export function* pairs(dict: Dict): Iterable<Value> {
  for (const entry of dict.entries()) yield new Tuple(entry)
}
