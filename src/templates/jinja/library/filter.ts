import type { Arguments } from '../python/values/arguments.ts'
import type { Runtime } from '../python/values/runtime.ts'
import type { Value } from '../python/values/values.ts'

export type Filter = (value: Value, args: Arguments, runtime: Runtime) => Value
