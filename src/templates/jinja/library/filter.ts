import type { Arguments } from '../python/arguments.ts'
import type { Runtime } from '../python/runtime.ts'
import type { Value } from '../python/values.ts'

export type Filter = (value: Value, args: Arguments, runtime: Runtime) => Value
