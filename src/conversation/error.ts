/** The kinds of errors that all protocols share. Each protocol has a table from code to its own status and type. */
export type ErrorCode =
  | 'invalid-request'
  | 'invalid-config'
  | 'context-length'
  | 'authentication'
  | 'permission'
  | 'not-found'
  | 'method-not-allowed'
  | 'too-large'
  | 'unsupported-encoding'
  | 'rate-limit'
  | 'overloaded'
  | 'unavailable'
  | 'timeout'
  | 'upstream'
  | 'cancelled'
  | 'internal'

export interface ErrorDetail {
  /** The request's field that is wrong, as a path: `messages[2].content[0].tool_use_id`. */
  param?: string
  /** Seconds after which it is worth trying again. */
  retryAfter?: number
  cause?: unknown
}

/**
 * The same in every copy of the package: an error of one copy is recognised by another, which `instanceof` cannot do.
 */
const marker: unique symbol = Symbol.for('anycall.error')

/**
 * The error class that anycall throws. Its message names the thing, the fault and the remedy; `code` is for programs.
 *
 * @example
 * try {
 *   createReader({ tools, dialect: 'unknown' })
 * } catch (error) {
 *   if (AnycallError.isInstance(error) && error.code === 'invalid-request') console.error(error.param, error.message)
 * }
 */
export class AnycallError extends Error {
  /** The name of the error's class. */
  override readonly name: string = 'AnycallError'
  /** The kind of the error, for programs. */
  readonly code: ErrorCode
  /** The path of the field or the name of the option that is wrong: `messages[2].content`. */
  readonly param: string | undefined
  /** The number of seconds after which it is worth trying again. */
  readonly retryAfter: number | undefined

  constructor(code: ErrorCode, message: string, detail: ErrorDetail = {}) {
    super(message, detail.cause === undefined ? undefined : { cause: detail.cause })
    this.code = code
    this.param = detail.param
    this.retryAfter = detail.retryAfter
  }

  /** True for an AnycallError of this copy of the package or of another. */
  static isInstance(error: unknown): error is AnycallError {
    return typeof error === 'object' && error !== null && marker in error
  }

  static {
    // On the prototype and not among the members of an error, which logs and tests print.
    Object.defineProperty(AnycallError.prototype, marker, { value: true })
  }
}

/** Returns any thrown value as an AnycallError; any other value becomes `internal`, with the value as the cause. */
export function toAnycallError(error: unknown): AnycallError {
  if (AnycallError.isInstance(error)) return error
  return new AnycallError('internal', 'Internal error; see the log of anycall for this request id.', {
    cause: error,
  })
}
