/**
 * What went wrong, in the vocabulary that all protocols share; each protocol has a table from kind to its own
 * status and type.
 */
export type ErrorKind =
  | 'invalid-request'
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

/** The one error that crosses rooms. Its message names the thing, what is wrong with it and what to do. */
export class AnycallError extends Error {
  override readonly name: string = 'AnycallError'
  readonly kind: ErrorKind
  readonly param: string | undefined
  readonly retryAfter: number | undefined

  constructor(kind: ErrorKind, message: string, detail: ErrorDetail = {}) {
    super(message, detail.cause === undefined ? undefined : { cause: detail.cause })
    this.kind = kind
    this.param = detail.param
    this.retryAfter = detail.retryAfter
  }
}

/** Any thrown value as an AnycallError; what is not one is `internal`, with its own message kept as the cause. */
export function toAnycallError(error: unknown): AnycallError {
  if (error instanceof AnycallError) return error
  return new AnycallError('internal', 'anycall failed inside; its log names the cause under this request id.', {
    cause: error,
  })
}
