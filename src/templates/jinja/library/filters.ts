import { failed } from '../parse/error.ts'
import type { Arguments } from '../python/values/arguments.ts'
import type { Runtime } from '../python/values/runtime.ts'
import { textOf } from '../python/values/types.ts'
import type { Value } from '../python/values/values.ts'
import type { Filter } from './filter.ts'
import { numberFilters } from './filters-number.ts'
import { mapFilter, sequenceFilters } from './filters-sequence.ts'
import { textFilters } from './filters-text.ts'
import { valueFilters } from './filters-value.ts'

/** The filters of `value | name`: all of Jinja's but `random`, which would break stable prompts, `urlize`, `xmlattr` and `pprint`. */
const filters: ReadonlyMap<string, Filter> = new Map<string, Filter>([
  ...Object.entries(valueFilters),
  ...Object.entries(textFilters),
  ...Object.entries(numberFilters),
  ...Object.entries(sequenceFilters),
  ['map', (value, args, runtime) => mapFilter(value, args, runtime, applyFilter)],
])

export function applyFilter(name: string, value: Value, args: Arguments, runtime: Runtime): Value {
  const filter = filters.get(name)
  if (!filter) throw failed(`No filter named '${name}' found.`)
  runtime.budget.spend(1)
  runtime.budget.scan(textOf(value)?.length ?? 0)
  return filter(value, args, runtime)
}
