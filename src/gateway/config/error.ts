import { AnycallError } from '../../conversation/index.ts'
import type { ConfigPath } from './schema/types.ts'

/** One thing that is wrong in a configuration. */
export interface ConfigProblem {
  path: ConfigPath
  /** The expected value and the actual one. Keys are never shown. */
  message: string
  /** The line of the file, from 1, if it is known. */
  line?: number
}

/** Marks the errors of all copies of this package. */
const marker = Symbol.for('anycall.config-error')

/**
 * A configuration that cannot be used: an AnycallError with the code `invalid-config`. Its message has all problems, a line each:
 * `file:line: path: problem`.
 *
 * @example
 * try {
 *   parseConfig(parse(yaml))
 * } catch (error) {
 *   if (ConfigError.isInstance(error)) for (const { path, message } of error.problems) console.error(path.join('.'), message)
 * }
 */
export class ConfigError extends AnycallError {
  override readonly name: string = 'ConfigError'
  /** The name of the file, as it was given. */
  readonly file: string
  /** All problems, in the order of their lines. */
  readonly problems: readonly ConfigProblem[]

  constructor(file: string, problems: readonly ConfigProblem[]) {
    super('invalid-config', problems.map((problem) => problemLine(file, problem)).join('\n'))
    this.file = file
    this.problems = problems
    Object.defineProperty(this, marker, { value: true })
  }

  /** Returns true for a ConfigError of any copy of this package, which `instanceof` does not. */
  static override isInstance(error: unknown): error is ConfigError {
    return typeof error === 'object' && error !== null && Reflect.get(error, marker) === true
  }
}

function problemLine(file: string, { path, message, line }: ConfigProblem): string {
  const place = line === undefined ? file : `${file}:${line}`
  return path.length === 0 ? `${place}: ${message}` : `${place}: ${pathText(path)}: ${message}`
}

function pathText(path: ConfigPath): string {
  let text = ''
  for (const key of path) {
    if (typeof key === 'number') text += `[${key}]`
    else if (!/^[\w-]+$/.test(key)) text += `[${JSON.stringify(key)}]`
    else text += text === '' ? key : `.${key}`
  }
  return text
}
