import { AnycallError } from '../conversation/index.ts'

/** Marks the errors of all copies of the package. */
const marker = Symbol.for('anycall.history-error')

/**
 * Messages or tools that cannot be read: an AnycallError, mostly with the code `invalid-request`, and with the path of the wrong field in
 * `param`: `messages[2].content`. `fromOpenAI` and `fromAnthropic` throw it, `safeFromOpenAI` and `safeFromAnthropic` return it.
 *
 * @example
 * const read = safeFromOpenAI({ messages: 'Hello' })
 * if (HistoryError.isInstance(read)) console.error(read.code, read.param, read.message)
 */
export class HistoryError extends AnycallError {
  override readonly name: string = 'HistoryError'
  /** The same in all results that are errors. */
  readonly type = 'error'

  constructor(cause: AnycallError) {
    const { code, message, param } = cause
    super(code, message, { cause, ...(param !== undefined && { param }) })
    Object.defineProperty(this, marker, { value: true })
  }

  /** Returns true for a HistoryError of any copy of the package, which `instanceof` does not. */
  static override isInstance(error: unknown): error is HistoryError {
    return typeof error === 'object' && error !== null && Reflect.get(error, marker) === true
  }
}
