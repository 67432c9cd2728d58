import { atOnce, type Steps } from '../../json/index.ts'
import { compileStatements, type Execute } from './execute.ts'
import { globals } from './library/globals.ts'
import type { Statement } from './parse/ast.ts'
import { type FaultReason, TemplateFault } from './parse/error.ts'
import { type Mentions, mentionsOf } from './parse/mentions.ts'
import { parseTemplate } from './parse/statement.ts'
import { attribute, item } from './python/lookup.ts'
import { Budget, type BudgetLimits } from './python/values/budget.ts'
import { fromJs, listFromJs } from './python/values/convert.ts'
import type { Runtime } from './python/values/runtime.ts'
import { Scope } from './scope.ts'
import { findUnset, unsetIn } from './unset-names.ts'

/** A source that cannot be parsed, or a template that failed, as plain data. */
export interface RenderFault {
  type: 'error'
  /** In Python's words, if Python refuses too. */
  message: string
  reason: FaultReason
  /** In the template's source, from 1. */
  line?: number
}

export type Rendering = { type: 'text'; text: string; steps: number } | RenderFault
export type Compiled = { type: 'template'; template: CompiledTemplate } | RenderFault

export interface RenderSettings {
  /** The moment that `strftime_now` writes in local time; now, unless given. */
  now?: Date
  limits?: Partial<BudgetLimits>
  /** Lets templates change lists and dictionaries, as llama.cpp does; Transformers refuses templates that try. */
  mutable?: boolean
}

/** Compiles a template's source; an invalid one is an error with its line. */
export function compileTemplate(source: string): Compiled {
  try {
    return { type: 'template', template: new CompiledTemplate(parseTemplate(source)) }
  } catch (error) {
    return toError(error, undefined)
  }
}

export class CompiledTemplate {
  readonly #run: Execute
  readonly #statements: readonly Statement[]
  #mentions: Mentions | undefined

  constructor(statements: readonly Statement[]) {
    this.#statements = statements
    findUnset(statements)
    this.#run = compileStatements(statements)
  }

  /** The names and texts in the template's source. */
  get mentions(): Mentions {
    this.#mentions ??= mentionsOf(this.#statements)
    return this.#mentions
  }

  /** Renders with these variables. Never throws, and ends within its budget, whatever the template does. */
  render(variables: Readonly<Record<string, unknown>>, settings: RenderSettings = {}): Rendering {
    return atOnce(this.rendering(variables, settings))
  }

  /** The work of `render` in steps: the variables are converted in some, and the template writes its text in one. */
  *rendering(
    variables: Readonly<Record<string, unknown>>,
    { now, limits, mutable = false }: RenderSettings,
  ): Steps<Rendering> {
    const clock = now ?? new Date()
    const runtime: Runtime = {
      budget: new Budget(limits),
      now: () => clock,
      mutable,
      lookup: { attribute, item },
      line: 0,
    }
    try {
      // Variables that a template sets are in a separate scope within these.
      const given = new Scope(runtime, [], new Scope(runtime, [], undefined, globals))
      for (const [name, value] of Object.entries(variables)) {
        if (value !== undefined) given.set(name, Array.isArray(value) ? yield* listFromJs(value) : fromJs(value))
      }
      const scope = given.innerWithUnset(unsetIn(this.#statements), [])
      this.#run(scope)
      return { type: 'text', text: added(scope.output), steps: runtime.budget.steps }
    } catch (error) {
      return toError(error, runtime.line || undefined)
    }
  }
}

function toError(error: unknown, line: number | undefined): RenderFault {
  if (error instanceof TemplateFault) {
    const at = error.line ?? line
    return { type: 'error', message: error.message, reason: error.reason, ...(at !== undefined && { line: at }) }
  }
  // The engine's own stack, or a text or a list beyond the limits of JavaScript: the budget prevents most of these
  // cases, but not all.
  if (error instanceof RangeError) {
    const message = /call stack/i.test(error.message) ? 'maximum recursion depth exceeded' : error.message
    return { type: 'error', message, reason: 'budget', ...(line !== undefined && { line }) }
  }
  const message = `the engine failed: ${error instanceof Error ? error.message : String(error)}`
  return { type: 'error', message, reason: 'failed', ...(line !== undefined && { line }) }
}

/** Added one to the other, which copies nothing: a large text is copied when it is sent. */
function added(texts: readonly string[]): string {
  let text = ''
  for (const one of texts) text += one
  return text
}
