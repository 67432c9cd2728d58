import { assign } from './assign.ts'
import { call, compileArguments, compileExpression } from './evaluate.ts'
import { compileFor } from './for-loop.ts'
import { applyFilter } from './library/filters.ts'
import { compileMacro } from './macro.ts'
import type { AppliedFilter, Statement } from './parse/ast.ts'
import { failed } from './parse/error.ts'
import { str } from './python/values/text.ts'
import { isTrue, textOf } from './python/values/types.ts'
import type { Value } from './python/values/values.ts'
import type { Scope } from './scope.ts'
import { unsetIn } from './unset-names.ts'

/** The outcome of a statement: it ends normally, or leaves the loop or its turn. */
export type Outcome = undefined | 'break' | 'continue'
export type Execute = (scope: Scope) => Outcome

export function compileStatements(nodes: readonly Statement[]): Execute {
  const statements = nodes.map((node) => [compileStatement(node), node.line] as const)
  return (scope) => {
    const { runtime } = scope
    for (const [execute, line] of statements) {
      runtime.budget.spend(1)
      runtime.line = line
      const outcome = execute(scope)
      if (outcome) return outcome
    }
    return undefined
  }
}

function compileStatement(node: Statement): Execute {
  switch (node.type) {
    case 'text': {
      const { text } = node
      return doing((scope) => scope.write(text))
    }
    case 'print': {
      const value = compileExpression(node.value)
      return doing((scope) => scope.write(str(value(scope), scope.runtime)))
    }
    case 'if':
      return compileIf(node)
    case 'for':
      return compileFor(node, compileStatements)
    case 'break':
    case 'continue': {
      const { type } = node
      return () => type
    }
    case 'set': {
      const [value, target] = [compileExpression(node.value), node.target]
      return doing((scope) => assign(target, value(scope), scope))
    }
    case 'set-block': {
      const [text, target] = [compileCaught(node.body, node.filters), node.target]
      return doing((scope) => assign(target, text(scope), scope))
    }
    case 'filter-block': {
      const text = compileCaught(node.body, node.filters)
      return doing((scope) => {
        const filtered = textOf(text(scope))
        // Jinja joins the content of such a block with the text around it, and only text can be joined.
        if (filtered === undefined) throw failed('what a filter block gives must be text')
        scope.write(filtered)
      })
    }
    case 'with':
      return compileWith(node)
    case 'macro': {
      const { name, signature, body } = node
      const make = compileMacro({ name, signature, statements: body, run: compileStatements(body) })
      return doing((scope) => scope.set(name, make(scope)))
    }
    case 'call-block':
      return compileCallBlock(node)
    case 'group': {
      const [body, unset] = [compileStatements(node.body), unsetIn(node.body)]
      return (scope) => body(scope.innerWithUnset(unset))
    }
  }
}

function doing(work: (scope: Scope) => void): Execute {
  return (scope) => {
    work(scope)
    return undefined
  }
}

function compileIf(node: Extract<Statement, { type: 'if' }>): Execute {
  const branches = node.branches.map((branch) => ({
    test: compileExpression(branch.test),
    body: compileStatements(branch.body),
    line: branch.line,
  }))
  const otherwise = compileStatements(node.otherwise)
  return (scope) => {
    for (const { test, body, line } of branches) {
      scope.runtime.line = line
      if (isTrue(test(scope))) return body(scope)
    }
    return otherwise(scope)
  }
}

/** The text of a body, through filters. */
function compileCaught(body: readonly Statement[], applied: readonly AppliedFilter[]): (scope: Scope) => Value {
  const run = compileStatements(body)
  const unset = unsetIn(body)
  const filters = applied.map(({ name, args }) => [name, compileArguments(args)] as const)
  return (scope) => {
    const inner = scope.innerWithUnset(unset, [])
    run(inner)
    return filters.reduce(
      (value: Value, [name, args]) => applyFilter(name, value, args(scope), scope.runtime),
      inner.output.join(''),
    )
  }
}

function compileWith(node: Extract<Statement, { type: 'with' }>): Execute {
  const bindings = node.bindings.map(([target, value]) => [target, compileExpression(value)] as const)
  const body = compileStatements(node.body)
  const unset = unsetIn(node.body)
  return (scope) => {
    const inner = scope.innerWithUnset(unset)
    for (const [target, value] of bindings) assign(target, value(scope), inner)
    return body(inner)
  }
}

/** `{% call macro() %}`: the macro's `caller()` writes the body. */
function compileCallBlock(node: Extract<Statement, { type: 'call-block' }>): Execute {
  const { signature, body, call: called, line } = node
  const caller = compileMacro({ name: 'caller', signature, statements: body, run: compileStatements(body) })
  const [of, args] = [compileExpression(called.of), compileArguments(called.args)]
  return doing((scope) => {
    const { positional, named } = args(scope)
    const withCaller = { positional, named: new Map([...named, ['caller', caller(scope)] as const]) }
    scope.write(str(call(of(scope), withCaller, scope, line), scope.runtime))
  })
}
