import { AnycallError } from './error.ts'

/** Returns the error for an argument of a function, or an option, that is not what it must be. */
export function argumentError(param: string, expected: string, value: unknown): AnycallError {
  const got = value === null ? 'null' : typeof value
  return new AnycallError('invalid-request', `${param}: expected ${expected}, got ${got}.`, { param })
}

/**
 * Returns the error to throw after one in a function that writes tools: a schema that contains itself, or is nested too deeply,
 * is a fault of the tools; any other error is returned as it is.
 */
export function toolsError(tools: unknown, error: unknown): unknown {
  if (!(error instanceof RangeError) && isWritable(tools)) return error
  const message = 'tools: a schema contains itself or is nested too deeply, so it cannot be written.'
  return new AnycallError('invalid-request', message, { param: 'tools', cause: error })
}

function isWritable(value: unknown): boolean {
  try {
    JSON.stringify(value)
    return true
  } catch {
    return false
  }
}
