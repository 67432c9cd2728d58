import { compileExpression, type Evaluate } from './evaluate.ts'
import type { Expression, Signature, Statement } from './parse/ast.ts'
import { failed } from './parse/error.ts'
import type { Arguments } from './python/values/arguments.ts'
import type { Runtime } from './python/values/runtime.ts'
import { Callable, Dict, orElse, Tuple, Undefined, type Value } from './python/values/values.ts'
import type { Scope } from './scope.ts'
import { unsetIn } from './unset-names.ts'

export interface MacroBody {
  name: string
  signature: Signature
  statements: readonly Statement[]
  run: (scope: Scope) => unknown
}

/**
 * Returns a function that makes a macro in the scope that defines it: it sees that scope's variables as they are when
 * it is called.
 */
export function compileMacro({ name, signature, statements, run }: MacroBody): (scope: Scope) => Callable {
  const { parameters } = signature
  const missingDefaults = parameters.length - signature.defaults.length
  const defaults = parameters.map((_, at): Evaluate | undefined => {
    const node = signature.defaults[at - missingDefaults]
    return node && compileExpression(node)
  })
  // Jinja takes further arguments only if the macro uses them.
  const [takesMore, takesNamed, usesCaller] = ['varargs', 'kwargs', 'caller'].map((special) =>
    mentions(statements, special),
  )
  const unset = unsetIn(statements)
  const attributes = new Map<string, Value>([
    ['name', name],
    ['arguments', new Tuple([...parameters])],
    ['catch_varargs', takesMore === true],
    ['catch_kwargs', takesNamed === true],
    ['caller', usesCaller === true],
  ])

  const bindInto = (scope: Scope, { positional, named }: Arguments): void => {
    const rest = new Map(named)
    for (const [at, parameter] of parameters.entries()) {
      const value = at < positional.length ? positional[at] : rest.get(parameter)
      if (at >= positional.length) rest.delete(parameter)
      const missing = () => new Undefined(`parameter '${parameter}' was not provided`)
      // Its own default does not see an outer variable of the same name.
      if (value === undefined) scope.set(parameter, missing())
      scope.set(parameter, value === undefined ? orElse(defaults[at]?.(scope), missing) : value)
    }
    if (usesCaller && !parameters.includes('caller')) {
      scope.set(
        'caller',
        orElse(rest.get('caller'), () => new Undefined('No caller defined')),
      )
      rest.delete('caller')
    }
    if (takesNamed) scope.set('kwargs', Dict.from(rest))
    else {
      for (const key of rest.keys()) throw failed(`macro '${name}' takes no keyword argument '${key}'`)
    }
    if (takesMore) scope.set('varargs', new Tuple(positional.slice(parameters.length)))
    else if (positional.length > parameters.length) {
      throw failed(`macro '${name}' takes not more than ${parameters.length} argument(s)`)
    }
  }

  return (definition) =>
    new Callable(
      name,
      (args: Arguments, runtime: Runtime) =>
        runtime.budget.nested(() => {
          const scope = definition.innerWithUnset(unset, [])
          bindInto(scope, args)
          run(scope)
          return scope.output.join('')
        }),
      'runtime.Macro',
      attributes,
    )
}

/** True if a name is used in a tree. */
export function mentions(node: readonly Statement[] | Expression, name: string): boolean {
  return hasName(node, name)
}

function hasName(node: unknown, name: string): boolean {
  if (typeof node !== 'object' || node === null) return false
  if (!Array.isArray(node) && 'type' in node && node.type === 'name' && 'name' in node && node.name === name)
    return true
  return Object.values(node).some((part) => hasName(part, name))
}
