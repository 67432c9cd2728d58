import { AnycallError } from '../../conversation/index.ts'

/** Marks the errors of all copies of the package. */
const marker = Symbol.for('anycall.load-error')

/**
 * A chat template that cannot be loaded: an AnycallError with the code `invalid-request`. `loadTemplate` and `loadGgufTemplate`
 * throw it, `safeLoadTemplate` and `safeLoadGgufTemplate` return it.
 *
 * @example
 * const loaded = safeLoadTemplate('{% if %}')
 * if (LoadError.isInstance(loaded)) console.error(loaded.line, loaded.problem)
 */
export class LoadError extends AnycallError {
  override readonly name: string = 'LoadError'
  /** The same in all results that are errors. */
  readonly type = 'error'
  /** The message without the line. */
  readonly problem: string
  /** The line of the template, from 1, if the template itself is wrong. */
  readonly line: number | undefined
  /** True if the source is valid and has no template. */
  readonly isMissing: boolean

  constructor(problem: string, { line, isMissing = false }: { line?: number | undefined; isMissing?: boolean } = {}) {
    super('invalid-request', line === undefined ? problem : `${problem} (line ${line})`)
    this.problem = problem
    this.line = line
    this.isMissing = isMissing
    Object.defineProperty(this, marker, { value: true })
  }

  /** Returns true for a LoadError of any copy of the package, which `instanceof` does not. */
  static override isInstance(error: unknown): error is LoadError {
    return typeof error === 'object' && error !== null && Reflect.get(error, marker) === true
  }
}
