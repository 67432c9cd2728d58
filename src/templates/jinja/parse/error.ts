/**
 * The reasons why a template gave no text. `syntax`: it is not a valid template; `refused`: it called
 * `raise_exception`; `failed`: an operation failed as it does in Python; `budget`: it exceeded its budget.
 */
export type FaultReason = 'syntax' | 'refused' | 'failed' | 'budget'

/** An error that ends a rendering. It is thrown inside this folder only: callers receive it as a value. */
export class TemplateFault extends Error {
  readonly reason: FaultReason
  /** The line in the template's source, from 1; set by the caller that knows it. */
  line: number | undefined

  constructor(reason: FaultReason, message: string, line?: number) {
    super(message)
    this.reason = reason
    this.line = line
  }
}

/** A fault of an operation, with Python's message, because that can be looked up. */
export function failed(message: string): TemplateFault {
  return new TemplateFault('failed', message)
}
