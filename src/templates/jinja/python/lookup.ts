import { failed } from '../parse/error.ts'
import { changingMethodOf } from './methods/changing-methods.ts'
import { methodOf, modifies } from './methods/methods.ts'
import { Range } from './values/range.ts'
import type { Runtime } from './values/runtime.ts'
import { bounds, sliceIndexOrFail } from './values/sequence-index.ts'
import { repr } from './values/text.ts'
import {
  codePoints,
  describeType,
  isInteger,
  isList,
  textOf,
  toIndex,
  typeName,
  undefinedFault,
} from './values/types.ts'
import { Dict, isHashable, Markup, orElse, Thing, Tuple, Undefined, type Value } from './values/values.ts'

/** A slice as a key: `[start:stop:step]`. */
export interface Slice {
  start: Value
  stop: Value
  step: Value
}

/**
 * `value.name`: the attribute, or else the item of that name. So `tool.items` is the method, even if a key has that
 * name.
 */
export function attribute(value: Value, name: string, runtime: Runtime): Value {
  if (value instanceof Undefined) throw undefinedFault(value)
  const own = ownAttribute(value, name, runtime)
  return own === undefined ? orElse(ownItem(value, name, runtime), () => missing(value, name, runtime)) : own
}

/** `value[key]`: the item, else the attribute of that name. */
export function item(value: Value, key: Value, runtime: Runtime): Value {
  if (value instanceof Undefined) throw undefinedFault(value)
  runtime.budget.scan(textOf(value)?.length ?? 0)
  const found = ownItem(value, key, runtime)
  if (found !== undefined) return found
  const name = textOf(key)
  const own = name === undefined ? undefined : ownAttribute(value, name, runtime)
  return orElse(own, () => missing(value, key, runtime))
}

/** True if Python's `hasattr` would be. */
export function hasAttribute(value: Value, name: string, runtime: Runtime): boolean {
  return ownAttribute(value, name, runtime) !== undefined
}

/** The value of an attribute that the sandbox forbids; using it fails with that message. */
function ownAttribute(value: Value, name: string, runtime: Runtime): Value | undefined {
  const found = value instanceof Thing ? value.attribute(name, runtime) : methodOf(value, name)
  if (found !== undefined) return found
  if (runtime.mutable && modifies(value, name)) return changingMethodOf(value, name)
  if (modifies(value, name) || dunders.has(name)) {
    return new Undefined(`access to attribute '${name}' of '${typeName(value)}' object is unsafe.`)
  }
  return undefined
}

/**
 * The attributes that every Python object has. Those of JavaScript do not exist: values are not objects with prototypes
 * here.
 */
const dunders: ReadonlySet<string> = new Set(
  `class delattr dict dir doc eq format ge getattribute getstate gt hash init init_subclass le lt module ne new reduce reduce_ex repr
   setattr sizeof str subclasshook`
    .split(/\s+/)
    .map((name) => `__${name}__`),
)

function ownItem(value: Value, key: Value, runtime: Runtime): Value | undefined {
  if (value instanceof Dict) return isHashable(key) ? value.get(key) : undefined
  if (value instanceof Thing && !(value instanceof Range)) return undefined
  const index = isInteger(key) ? toIndex(key) : undefined
  if (index === undefined) return undefined
  if (value instanceof Range) return value.at(index)
  if (isList(value)) return at(value, index)
  if (value instanceof Tuple) return at(value.items, index)
  const text = textOf(value)
  if (text === undefined) return undefined
  const characters = codePoints(text, runtime.budget)
  const character = characters[index < 0 ? characters.length + index : index]
  return character !== undefined && value instanceof Markup ? new Markup(character) : character
}

function at(items: readonly Value[], index: number): Value | undefined {
  return items[index < 0 ? items.length + index : index]
}

const longestName = 200

export function missing(value: Value, key: Value, runtime: Runtime): Undefined {
  const name = textOf(key)
  if (name === undefined) return new Undefined(`${describeType(value)} has no element ${repr(key, runtime)}`)
  const message = (): string => `'${describeType(value)}' has no attribute ${repr(name, runtime)}`
  // A long name counts for the budget now.
  return new Undefined(name.length <= longestName ? message : message())
}

/** `value[start:stop:step]`. */
export function slice(value: Value, { start, stop, step }: Slice, runtime: Runtime): Value {
  if (value instanceof Undefined) throw undefinedFault(value)
  const text = textOf(value)
  const items = text !== undefined ? codePoints(text, runtime.budget) : value instanceof Tuple ? value.items : value
  if (typeof items !== 'string' && !isList(items) && !(items instanceof Range)) {
    throw failed(
      value instanceof Dict ? "unhashable type: 'slice'" : `'${typeName(value)}' object is not subscriptable`,
    )
  }
  runtime.budget.scan(text?.length ?? 0)
  const by = step === null ? 1 : sliceIndexOrFail(step)
  if (by === 0) throw failed('slice step cannot be zero')
  const [from, to] = bounds(items.length, by, start, stop)
  if (items instanceof Range) return items.slice(from, to, by)
  runtime.budget.elements(Math.ceil(Math.max(0, (to - from) / by) / (text === undefined ? 1 : 64)))
  if (by !== 1) runtime.budget.elements(text?.length ?? 0)
  if (typeof items === 'string') {
    const taken =
      by === 1 ? items.slice(from, Math.max(from, to)) : [...taking(Array.from(items), from, to, by)].join('')
    return value instanceof Markup ? new Markup(taken) : taken
  }
  const taken = by === 1 ? items.slice(from, Math.max(from, to)) : [...taking(items, from, to, by)]
  if (text !== undefined) return value instanceof Markup ? new Markup(taken.join('')) : taken.join('')
  return value instanceof Tuple ? new Tuple(taken) : taken
}

function* taking(items: readonly Value[], from: number, to: number, by: number): Iterable<Value> {
  for (let at = from; by > 0 ? at < to : at > to; at += by) yield items[at] ?? null
}
