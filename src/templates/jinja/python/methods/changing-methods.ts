import { failed } from '../../parse/error.ts'
import { type Arguments, bind } from '../values/arguments.ts'
import type { Runtime } from '../values/runtime.ts'
import { indexOrFail } from '../values/sequence-index.ts'
import { repr } from '../values/text.ts'
import { iterateOrFail } from '../values/types.ts'
import { Callable, Dict, orElse, type Value } from '../values/values.ts'

/** The methods that change a list or a dictionary, for templates that may: those that keep a queue of ids, for one. */
export function changingMethodOf(value: Value, name: string): Value | undefined {
  const call = Array.isArray(value)
    ? listMethods(value).get(name)
    : value instanceof Dict
      ? dictMethods(value).get(name)
      : undefined
  return call && new Callable(name, call, 'builtin_function_or_method')
}

type Call = ConstructorParameters<typeof Callable>[1]

function listMethods(list: Value[]): ReadonlyMap<string, Call> {
  return new Map<string, Call>([
    [
      'append',
      (args, { budget }) => {
        const [item = null] = bind('append', ['object'], args, 1)
        budget.spend(1)
        list.push(item)
        return null
      },
    ],
    [
      'extend',
      (args, { budget }) => {
        const [items = null] = bind('extend', ['iterable'], args, 1)
        for (const item of [...iterateOrFail(items)]) {
          budget.spend(1)
          list.push(item)
        }
        return null
      },
    ],
    [
      'insert',
      (args, { budget }) => {
        const [index = 0, item = null] = bind('insert', ['index', 'object'], args, 2)
        budget.scan(list.length)
        list.splice(indexOrFail(index), 0, item)
        return null
      },
    ],
    [
      'pop',
      (args, { budget }) => {
        const [index = -1] = bind('pop', ['index'], args)
        budget.scan(list.length)
        const [item] = list.splice(indexOrFail(index), 1)
        if (item === undefined) throw failed('pop index out of range')
        return item
      },
    ],
    [
      'clear',
      () => {
        list.length = 0
        return null
      },
    ],
    [
      'reverse',
      (_, { budget }) => {
        budget.scan(list.length)
        list.reverse()
        return null
      },
    ],
  ])
}

function dictMethods(dict: Dict): ReadonlyMap<string, Call> {
  return new Map<string, Call>([
    ['update', (args, runtime) => update(dict, args, runtime)],
    [
      'setdefault',
      (args) => {
        const [key = null, otherwise = null] = bind('setdefault', ['key', 'default'], args, 1)
        if (!dict.has(key)) dict.set(key, otherwise)
        return orElse(dict.get(key), () => null)
      },
    ],
    [
      'pop',
      (args, runtime) => {
        const [key = null, otherwise] = bind('pop', ['key', 'default'], args, 1)
        const value = dict.get(key)
        dict.delete(key)
        const found = value === undefined ? otherwise : value
        if (found === undefined) throw failed(repr(key, runtime))
        return found
      },
    ],
  ])
}

function update(dict: Dict, { positional: [from], named }: Arguments, { budget }: Runtime): null {
  if (from instanceof Dict) budget.elements(from.size)
  if (from instanceof Dict) for (const [key, value] of [...from.entries()]) dict.set(key, value)
  for (const [key, value] of named) dict.set(key, value)
  return null
}
