import { failed } from '../parse/error.ts'
import { methodOf } from './methods/methods.ts'
import { type Arguments, bind } from './values/arguments.ts'
import type { Runtime } from './values/runtime.ts'
import { failOnUndefined, iterateOrFail, lengthOf, typeName } from './values/types.ts'
import { Callable, Dict, type Value } from './values/values.ts'

/** `dict(…)`: from another one or from pairs, and from named arguments. */
export function makeDict({ positional: [from], named }: Arguments, { budget }: Runtime): Dict {
  const dict = new Dict()
  if (from !== undefined) failOnUndefined(from)
  if (from instanceof Dict) budget.elements(from.size)
  if (from instanceof Dict) for (const [key, value] of from.entries()) dict.set(key, value)
  else if (from !== undefined) {
    let at = 0
    for (const pair of iterateOrFail(from)) {
      budget.spend(1)
      budget.elements(lengthOf(pair) ?? 0)
      const parts = [...iterateOrFail(pair)]
      if (parts.length !== 2) {
        throw failed(`dictionary update sequence element #${at} has length ${parts.length}; 2 is required`)
      }
      const [key = null, value = null] = parts
      at++
      if (!dict.set(key, value)) throw failed(`unhashable type: '${typeName(key)}'`)
    }
  }
  for (const [key, value] of named) dict.set(key, value)
  return dict
}

/** Methods that change a dict: called by its type, no sandbox of Jinja's keeps a template from them. Here they are not there. */
const changing: ReadonlySet<string> = new Set(['clear', 'pop', 'popitem', 'setdefault', 'update'])

/**
 * Python's type of dicts. Its methods take the dict as their first argument; any other name subscripts the type, as for
 * a type hint, and the result makes dicts as well: `dict.from_keys(pairs)` of GigaChat 3.1 is no method of Python's,
 * and works.
 */
class DictType extends Callable {
  constructor() {
    super('dict', makeDict, 'type')
  }

  override repr(): string {
    return "<class 'dict'>"
  }

  override attribute(name: string): Value | undefined {
    if (name.startsWith('__') || changing.has(name)) return undefined
    if (name === 'fromkeys') return new Callable(name, fromKeys, 'builtin_function_or_method')
    if (methodOf(new Dict(), name) === undefined) return new DictAlias(name)
    return new Callable(name, (args, runtime) => callMethod(name, args, runtime), 'method_descriptor')
  }
}

class DictAlias extends Callable {
  constructor(name: string) {
    super(name, makeDict, 'types.GenericAlias')
  }

  override repr(): string {
    return `dict['${this.name}']`
  }
}

function fromKeys(args: Arguments, runtime: Runtime): Value {
  const [keys = null, value = null] = bind('fromkeys', ['iterable', 'value'], args, 1)
  const dict = new Dict()
  for (const key of iterateOrFail(keys)) {
    runtime.budget.spend(1)
    runtime.budget.elements(1)
    if (!dict.set(key, value)) throw failed(`unhashable type: '${typeName(key)}'`)
  }
  return dict
}

function callMethod(name: string, { positional: [owner, ...rest], named }: Arguments, runtime: Runtime): Value {
  if (owner === undefined) throw failed(`unbound method dict.${name}() needs an argument`)
  const method = owner instanceof Dict ? methodOf(owner, name) : undefined
  if (!(method instanceof Callable)) {
    throw failed(`descriptor '${name}' for 'dict' objects doesn't apply to a '${typeName(owner)}' object`)
  }
  return method.callable({ positional: rest, named }, runtime)
}

export const dictType: Callable = new DictType()
