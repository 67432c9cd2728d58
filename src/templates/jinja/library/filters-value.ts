import { failed } from '../parse/error.ts'
import { fill } from '../python/format/padding.ts'
import { attribute, hasAttribute, missing } from '../python/lookup.ts'
import { pairs } from '../python/methods/methods.ts'
import { type Arguments, bind } from '../python/values/arguments.ts'
import type { Runtime } from '../python/values/runtime.ts'
import { escapeMarkup, str } from '../python/values/text.ts'
import {
  failOnUndefined,
  isList,
  isTrue,
  iterateOrFail,
  lengthOf,
  textOf,
  toIndex,
  typeName,
} from '../python/values/types.ts'
import { Dict, Generator, Markup, Tuple, Undefined, type Value } from '../python/values/values.ts'
import type { Filter } from './filter.ts'
import { dumpJson } from './json.ts'

/** Filters for values of any type. */
export const valueFilters: Readonly<Record<string, Filter>> = {
  default: fallback,
  d: fallback,
  string: (value, _, runtime) => (value instanceof Markup ? value : str(value, runtime)),
  safe: (value, _, runtime) => new Markup(str(value, runtime)),
  e: (value, _, runtime) => escapeMarkup(value, runtime),
  escape: (value, _, runtime) => escapeMarkup(value, runtime),
  forceescape: (value, _, runtime) => escapeMarkup(str(value, runtime), runtime),
  length: count,
  count,
  attr: (value, args, runtime) => {
    const [name = null] = bind('do_attr', ['name'], args, 1)
    const wanted = str(name, runtime)
    failOnUndefined(value)
    return hasAttribute(value, wanted, runtime) ? attribute(value, wanted, runtime) : missing(value, wanted, runtime)
  },
  items: (value) => new Generator('do_items', itemsOf(value)),
  list: (value, _, runtime) => {
    const items = [...iterateOrFail(value)]
    runtime.budget.elements(items.length)
    return items
  },
  tojson: toJson,
}

/** Fails like a generator: when it is iterated. */
function* itemsOf(value: Value): Iterable<Value> {
  if (value instanceof Undefined) return
  if (!(value instanceof Dict)) throw failed('Can only get item pairs from a mapping.')
  yield* pairs(value)
}

function fallback(value: Value, args: Arguments): Value {
  const [otherwise = '', isForFalse = false] = bind('do_default', ['default_value', 'boolean'], args)
  return value instanceof Undefined || (isTrue(isForFalse) && !isTrue(value)) ? otherwise : value
}

function count(value: Value, _: Arguments, runtime: Runtime): Value {
  runtime.budget.scan(textOf(value)?.length ?? 0)
  const length = lengthOf(value)
  if (length === undefined) throw failed(`object of type '${typeName(value)}' has no len()`)
  return length
}

/** Not Jinja's, which escapes for HTML: Transformers has its own, and some templates rely on its parameters. */
function toJson(value: Value, args: Arguments, runtime: Runtime): Value {
  const [ensureAscii = false, indent = null, separators = null, sortKeys = false] = bind(
    'tojson',
    ['ensure_ascii', 'indent', 'separators', 'sort_keys'],
    args,
  )
  const text = textOf(indent)
  const width = toIndex(indent)
  const unit = text ?? (width === undefined ? undefined : fill(' ', width, runtime))
  return dumpJson(
    value,
    {
      ensureAscii: isTrue(ensureAscii),
      indent: unit,
      separators: readSeparators(separators) ?? (unit === undefined ? [', ', ': '] : [',', ': ']),
      sortKeys: isTrue(sortKeys),
    },
    runtime,
  )
}

function readSeparators(value: Value): readonly [string, string] | undefined {
  if (value === null) return undefined
  const [between, after, ...more] = value instanceof Tuple ? value.items : isList(value) ? value : []
  const texts = [textOf(between ?? null), textOf(after ?? null)]
  const [item, key] = texts
  if (item === undefined || key === undefined || more.length > 0) throw failed('separators must be two strings')
  return [item, key]
}
