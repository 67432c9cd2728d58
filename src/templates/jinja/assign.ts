import { Namespace } from './library/globals.ts'
import type { Target } from './parse/ast.ts'
import { failed } from './parse/error.ts'
import { iterate, typeName } from './python/values/types.ts'
import type { Value } from './python/values/values.ts'
import type { Scope } from './scope.ts'

/** Assigns a value to a name, to each name of a tuple, or to an attribute of a namespace. */
export function assign(target: Target, value: Value, scope: Scope): void {
  if (target.type === 'name') scope.set(target.name, value)
  else if (target.type === 'tuple') unpack(target.items, value, scope)
  else {
    const namespace = scope.get(target.name)
    if (!(namespace instanceof Namespace)) throw failed('cannot assign attribute on non-namespace object')
    namespace.set(target.attribute, value)
  }
}

function unpack(targets: readonly Target[], value: Value, scope: Scope): void {
  const elements = iterate(value)
  if (elements === undefined) throw failed(`cannot unpack non-iterable ${typeName(value)} object`)
  const values = [...elements]
  if (values.length > targets.length) throw failed(`too many values to unpack (expected ${targets.length})`)
  if (values.length < targets.length) {
    throw failed(`not enough values to unpack (expected ${targets.length}, got ${values.length})`)
  }
  for (const [at, target] of targets.entries()) assign(target, values[at] ?? null, scope)
}
