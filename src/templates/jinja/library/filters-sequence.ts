import { failed } from '../parse/error.ts'
import { operate } from '../python/arithmetic.ts'
import { item } from '../python/lookup.ts'
import { type Arguments, bind } from '../python/values/arguments.ts'
import { compare, equals, sorted } from '../python/values/compare.ts'
import type { Runtime } from '../python/values/runtime.ts'
import { indexOrFail } from '../python/values/sequence-index.ts'
import { repr, str } from '../python/values/text.ts'
import {
  codePoints,
  isInteger,
  isTrue,
  iterateOrFail,
  textOf,
  typeName,
  undefinedFault,
} from '../python/values/types.ts'
import { Dict, Generator, orElse, Tuple, Undefined, type Value } from '../python/values/values.ts'
import type { Filter } from './filter.ts'
import { predicate } from './tests.ts'

type ApplyFilter = (name: string, value: Value, args: Arguments, runtime: Runtime) => Value

/** Filters for sequences. Those that Python makes generators of are generators here: they cannot be written as JSON, and have no length. */
export const sequenceFilters: Readonly<Record<string, Filter>> = {
  join: (value, args, runtime) => {
    const [separator = '', attribute = null] = bind('do_join', ['d', 'attribute'], args)
    const key = attribute === null ? undefined : attributeGetter(attribute, runtime)
    const parts = elements(value, runtime).map((one) => str(key ? key(one) : one, runtime))
    const between = str(separator, runtime)
    runtime.budget.text(parts.reduce((sum, part) => sum + part.length + between.length, 0))
    return parts.join(between)
  },
  first: (value) => {
    for (const one of iterateOrFail(value)) return one
    return new Undefined('No first item, sequence was empty.')
  },
  last: (value, _, runtime) => {
    if (value instanceof Generator) throw failed("'generator' object is not reversible")
    return orElse(elements(value, runtime).at(-1), () => new Undefined('No last item, sequence was empty.'))
  },
  reverse: (value, _, runtime) => {
    const text = textOf(value)
    runtime.budget.elements(text?.length ?? 0)
    if (text !== undefined) return Array.from(codePoints(text, runtime.budget)).reverse().join('')
    return new Generator('reversed', elements(value, runtime).reverse())
  },
  sort: (value, args, runtime) => {
    const [reverse = false, caseSensitive = false, attribute = null] = bind(
      'do_sort',
      ['reverse', 'case_sensitive', 'attribute'],
      args,
    )
    const items = elements(value, runtime)
    const keyOf = multiGetter(attribute, !isTrue(caseSensitive), runtime)
    // In lists, as Jinja has them: of equal ones Python does not ask for the order, which None has not.
    const keys = items.map((item) => [keyOf(item)])
    return sorted(items, keys, isTrue(reverse), runtime)
  },
  dictsort: (value, args, runtime) => {
    const [caseSensitive = false, by = 'key', reverse = false] = bind(
      'do_dictsort',
      ['case_sensitive', 'by', 'reverse'],
      args,
    )
    if (value instanceof Undefined) throw undefinedFault(value)
    if (!(value instanceof Dict)) throw failed(`'${typeName(value)}' object has no attribute 'items'`)
    const at = by === 'value' ? 1 : by === 'key' ? 0 : undefined
    if (at === undefined) throw failed('You can only sort by either "key" or "value"')
    const entries = [...value.entries()]
    const fold = isTrue(caseSensitive) ? (one: Value) => one : (one: Value) => ignoreCase(one, runtime)
    const keys = entries.map((entry) => fold(entry[at]))
    return sorted(
      entries.map((entry) => new Tuple(entry)),
      keys,
      isTrue(reverse),
      runtime,
    )
  },
  unique: (value, args, runtime) => {
    const [caseSensitive = false, attribute = null] = bind('do_unique', ['case_sensitive', 'attribute'], args)
    return new Generator('sync_do_unique', unique(value, getter(attribute, !isTrue(caseSensitive), runtime), runtime))
  },
  min: (value, args, runtime) => extreme(value, args, -1, runtime),
  max: (value, args, runtime) => extreme(value, args, 1, runtime),
  sum: (value, args, runtime) => {
    const [attribute = null, start = 0] = bind('do_sum', ['attribute', 'start'], args)
    const key = getter(attribute, false, runtime)
    return elements(value, runtime).reduce((sum: Value, one) => operate('+', sum, key(one), runtime), start)
  },
  batch: (value, args, runtime) => {
    const [size = null, filler = null] = bind('do_batch', ['linecount', 'fill_with'], args, 1)
    return new Generator('do_batch', batches(elements(value, runtime), indexOrFail(size), filler, runtime))
  },
  slice: (value, args, runtime) => {
    const [count = null, filler = null] = bind('do_slice', ['slices', 'fill_with'], args, 1)
    return new Generator('sync_do_slice', slices(elements(value, runtime), indexOrFail(count), filler, runtime))
  },
  groupby: (value, args, runtime) => {
    const [attribute = null, otherwise, caseSensitive = false] = bind(
      'do_groupby',
      ['attribute', 'default', 'case_sensitive'],
      args,
      1,
    )
    return groups(value, attribute, otherwise, !isTrue(caseSensitive), runtime)
  },
  select: (value, args, runtime) => chosen('sync_do_select', value, args, false, true, runtime),
  reject: (value, args, runtime) => chosen('sync_do_reject', value, args, false, false, runtime),
  selectattr: (value, args, runtime) => chosen('sync_do_selectattr', value, args, true, true, runtime),
  rejectattr: (value, args, runtime) => chosen('sync_do_rejectattr', value, args, true, false, runtime),
}

/** `map`, which receives the function that applies the filters that it names. */
export function mapFilter(value: Value, args: Arguments, runtime: Runtime, apply: ApplyFilter): Value {
  return new Generator('sync_do_map', mapped(value, args, runtime, apply))
}

function elements(value: Value, runtime: Runtime): Value[] {
  const items: Value[] = []
  for (const one of iterateOrFail(value)) {
    runtime.budget.spend(1)
    items.push(one)
  }
  return items
}

/** Returns the value that an attribute's name as an argument names: `a.b.0` goes down step by step. */
function attributeGetter(attribute: Value, runtime: Runtime, otherwise?: Value): (value: Value) => Value {
  const steps = isInteger(attribute)
    ? [attribute]
    : str(attribute, runtime)
        .split('.')
        .map((step) => (/^\d+$/.test(step) ? Number(step) : step))
  return (value) => {
    let found = value
    for (const step of steps) {
      found = item(found, step, runtime)
      if (found instanceof Undefined && otherwise !== undefined) found = otherwise
    }
    return found
  }
}

function getter(attribute: Value, isFolded: boolean, runtime: Runtime): (value: Value) => Value {
  const get = attribute === null ? (value: Value) => value : attributeGetter(attribute, runtime)
  return isFolded ? (value) => ignoreCase(get(value), runtime) : get
}

/** Returns the getter of an attribute argument of `sort`: several names, separated by commas. */
function multiGetter(attribute: Value, isFolded: boolean, runtime: Runtime): (value: Value) => Value {
  const names = textOf(attribute)?.split(',')
  if (!names || names.length === 1) return getter(attribute, isFolded, runtime)
  const getters = names.map((name) => getter(name, isFolded, runtime))
  return (value) => getters.map((get) => get(value))
}

function ignoreCase(value: Value, { budget }: Runtime): Value {
  if (typeof value !== 'string') return value
  budget.scan(value.length)
  return value.toLowerCase()
}

function* unique(value: Value, key: (value: Value) => Value, runtime: Runtime): Iterable<Value> {
  const seen = new Dict()
  for (const one of iterateOrFail(value)) {
    runtime.budget.spend(1)
    const found = key(one)
    if (seen.has(found)) continue
    if (!seen.set(found, true)) throw failed(`unhashable type: '${typeName(found)}'`)
    yield one
  }
}

function extreme(value: Value, args: Arguments, sign: -1 | 1, runtime: Runtime): Value {
  const [caseSensitive = false, attribute = null] = bind('do_min', ['case_sensitive', 'attribute'], args)
  const key = getter(attribute, !isTrue(caseSensitive), runtime)
  let best: [Value, Value] | undefined
  for (const one of elements(value, runtime)) {
    const found = key(one)
    if (!best || sign * compare(found, best[1], runtime) > 0) best = [one, found]
  }
  return best ? best[0] : new Undefined('No aggregated item, sequence was empty.')
}

function* batches(items: readonly Value[], size: number, filler: Value, runtime: Runtime): Iterable<Value> {
  for (let at = 0; at < items.length; at += Math.max(1, size)) {
    const batch = items.slice(at, at + Math.max(1, size))
    const missing = size - batch.length
    if (filler !== null && missing > 0) runtime.budget.elements(missing)
    yield filler !== null && missing > 0 ? [...batch, ...Array.from({ length: missing }, () => filler)] : batch
  }
}

function* slices(items: readonly Value[], count: number, filler: Value, runtime: Runtime): Iterable<Value> {
  if (count === 0) throw failed('integer division or modulo by zero')
  const size = Math.floor(items.length / count)
  const extra = items.length % count
  for (let slice = 0, at = 0; slice < count; slice++) {
    runtime.budget.spend(1)
    const length = size + (slice < extra ? 1 : 0)
    const part = items.slice(at, at + length)
    at += length
    yield filler !== null && slice >= extra ? [...part, filler] : part
  }
}

function groups(
  value: Value,
  attribute: Value,
  otherwise: Value | undefined,
  isFolded: boolean,
  runtime: Runtime,
): Value {
  const get = attributeGetter(attribute, runtime, otherwise)
  const fold = isFolded ? (one: Value) => ignoreCase(get(one), runtime) : get
  const items = elements(value, runtime)
  const found: { key: Value; items: Value[] }[] = []
  for (const one of sorted(items, items.map(fold), false, runtime)) {
    const key = fold(one)
    const last = found.at(-1)
    if (last && equals(last.key, key, runtime)) last.items.push(one)
    else found.push({ key, items: [one] })
  }
  return found.map((group) => new Tuple([get(group.items[0] ?? null), group.items], ['grouper', 'list']))
}

function chosen(
  name: string,
  value: Value,
  { positional, named }: Arguments,
  ofAttribute: boolean,
  wanted: boolean,
  runtime: Runtime,
): Value {
  return new Generator(
    name,
    (function* () {
      if (!isTrue(value)) return
      const [attribute, ...rest] = positional
      if (ofAttribute && attribute === undefined) throw failed('Missing parameter for attribute name')
      const get = ofAttribute ? attributeGetter(attribute ?? null, runtime) : (one: Value) => one
      const holds = predicate(ofAttribute ? rest : positional, named, runtime)
      for (const one of iterateOrFail(value)) {
        runtime.budget.spend(1)
        if (holds(get(one)) === wanted) yield one
      }
    })(),
  )
}

function* mapped(value: Value, args: Arguments, runtime: Runtime, apply: ApplyFilter): Iterable<Value> {
  if (!isTrue(value)) return
  const change = mapping(args, runtime, apply)
  for (const one of iterateOrFail(value)) {
    runtime.budget.spend(1)
    yield change(one)
  }
}

function mapping({ positional, named }: Arguments, runtime: Runtime, apply: ApplyFilter): (value: Value) => Value {
  const [name, ...rest] = positional
  const attribute = named.get('attribute')
  if (name === undefined && attribute !== undefined) {
    for (const key of named.keys()) {
      if (key !== 'attribute' && key !== 'default') throw failed(`Unexpected keyword argument ${repr(key, runtime)}`)
    }
    return attributeGetter(attribute, runtime, named.get('default'))
  }
  if (name === undefined) throw failed('map requires a filter argument')
  const filter = str(name, runtime)
  return (value) => apply(filter, value, { positional: rest, named }, runtime)
}
