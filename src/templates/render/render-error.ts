import { AnycallError } from '../../conversation/index.ts'
import type { FaultReason } from '../jinja/parse/error.ts'
import type { RenderFault } from '../jinja/template.ts'

/** Marks the errors of all copies of the package. */
const marker = Symbol.for('anycall.render-error')

/**
 * A conversation or variables that a template does not render: an AnycallError with the code `invalid-request`. `renderTemplate` and
 * a dialect's `renderPrompt` throw it, `safeRenderTemplate` and `safeRenderPrompt` return it.
 *
 * @example
 * const rendered = safeRenderTemplate(template, { messages: [] })
 * if (RenderError.isInstance(rendered) && rendered.reason === 'refused') console.error(rendered.problem)
 */
export class RenderError extends AnycallError {
  override readonly name: string = 'RenderError'
  /** The same in all results that are errors. */
  readonly type = 'error'
  /** The message of the template or of the engine: in Python's words, if Python refuses too. */
  readonly problem: string
  /** `refused`: the template raised the error; `budget`: a limit was exceeded; `failed`: any other error. */
  readonly reason: FaultReason
  /** The line of the template, from 1. */
  readonly line: number | undefined

  constructor({ message, reason, line }: Pick<RenderFault, 'message' | 'reason' | 'line'>) {
    super(
      'invalid-request',
      `the template cannot be rendered: ${message}${line === undefined ? '' : ` (line ${line})`}`,
    )
    this.problem = message
    this.reason = reason
    this.line = line
    Object.defineProperty(this, marker, { value: true })
  }

  /** Returns true for a RenderError of any copy of the package, which `instanceof` does not. */
  static override isInstance(error: unknown): error is RenderError {
    return typeof error === 'object' && error !== null && Reflect.get(error, marker) === true
  }
}
