import { assign } from './assign.ts'
import { compileExpression, type Evaluate } from './evaluate.ts'
import type { Execute } from './execute.ts'
import { Loop } from './library/globals.ts'
import { mentions } from './macro.ts'
import type { Statement } from './parse/ast.ts'
import { isTrue, iterateOrFail } from './python/values/types.ts'
import type { Value } from './python/values/values.ts'
import type { Scope } from './scope.ts'
import { unsetIn } from './unset-names.ts'

/** Compiles a loop; `compileStatements` compiles its body, in which there may be loops. */
export function compileFor(
  node: Extract<Statement, { type: 'for' }>,
  compileStatements: (nodes: readonly Statement[]) => Execute,
): Execute {
  const { target, recursive } = node
  const of = compileExpression(node.of)
  const filter = node.filter && compileExpression(node.filter)
  const body = compileStatements(node.body)
  const otherwise = compileStatements(node.otherwise)
  const unset = unsetIn(node.body)
  const usesLoop = recursive || mentions(node.body, 'loop')

  /** The values that pass the filter, one at a time: an iteration may change the condition for the next. */
  function* chosen(values: Iterable<Value>, scope: Scope, test: Evaluate | undefined): Iterable<Value> {
    for (const value of values) {
      scope.runtime.budget.spend(1)
      if (test) {
        const inner = scope.inner()
        assign(target, value, inner)
        if (!isTrue(test(inner))) continue
      }
      yield value
    }
  }

  function run(value: Value, scope: Scope, depth: number): void {
    const values = chosen(iterateOrFail(value), scope, filter)
    // `loop` has the number of values.
    const items = usesLoop ? [...values] : undefined
    const recurse = (more: Value) =>
      scope.runtime.budget.nested(() => {
        const inner = scope.inner([])
        run(more, inner, depth + 1)
        return inner.output.join('')
      })
    const loop = items && new Loop(items, depth, recursive ? recurse : undefined)
    let count = 0
    // Jinja's `else` is for loops in which no turn came to its end, as when the first one leaves.
    let isThrough = false
    for (const one of items ?? values) {
      const turn = scope.innerWithUnset(unset)
      if (loop) {
        loop.at = count
        turn.set('loop', loop)
      }
      assign(target, one, turn)
      count++
      const outcome = body(turn)
      if (outcome === undefined) isThrough = true
      if (outcome === 'break') break
    }
    if (!isThrough) otherwise(scope.innerWithUnset(unsetIn(node.otherwise)))
  }

  return (scope) => {
    run(of(scope), scope, 1)
    return undefined
  }
}
