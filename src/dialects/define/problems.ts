import { AnycallError } from '../../conversation/index.ts'

/** The kinds of problems that a definition can have. */
export type DefinitionProblemCode =
  /** The definition has no name, or one that is not of letters, digits, `.`, `_` and `-`. */
  | 'invalid-name'
  /** A member of the definition has another type than it must have. */
  | 'invalid-member'
  /** There is no form of calls, or a form without a call in it. */
  | 'missing-call'
  /** A call captures no tool name. */
  | 'missing-name'
  /** A call has no place for arguments. */
  | 'missing-arguments'
  /** A value has no key. */
  | 'missing-key'
  /** Arguments or a call are in a place that cannot be read. */
  | 'misplaced-part'
  /** `captured` refers to something that the call does not capture. */
  | 'unknown-capture'
  /** A form can begin with no text at all. */
  | 'empty-beginning'
  /** A repeated part can be empty. */
  | 'empty-repetition'
  /** A marker is too long, is not a valid set of characters, or can match a text in too many ways. */
  | 'unreadable-marker'
  /** A text written by one alternative is read as another. */
  | 'ambiguous'
  /** A call that the definition writes is not read back. */
  | 'not-read-back'

/** One thing that is wrong in a definition. */
export interface DefinitionProblem {
  code: DefinitionProblemCode
  /** The part of the definition, by the functions that made it: `calls.sequence[1].call[0]`. */
  part: string
  /** The problem, and the remedy. */
  message: string
}

/** Marks the errors of all copies of the package. */
const marker = Symbol.for('anycall.DialectError')

/**
 * Thrown by `defineDialect` for a definition that cannot be used. The message has all problems, one on a line.
 *
 * @example
 * try {
 *   defineDialect({ name: 'alcove', calls: sequence('<call>') })
 * } catch (error) {
 *   if (DialectError.isInstance(error)) for (const { code, part } of error.problems) console.error(code, part)
 * }
 */
export class DialectError extends AnycallError {
  /** All problems of the definition. */
  readonly problems: readonly DefinitionProblem[]

  constructor(name: string, problems: readonly DefinitionProblem[]) {
    const lines = problems.map(({ part, message }) => `dialect ${JSON.stringify(name)}: ${part}: ${message}`)
    const [first] = problems
    super('invalid-request', lines.join('\n'), first ? { param: first.part } : {})
    this.problems = problems
    Object.defineProperty(this, marker, { value: true })
  }

  /** Returns true for a DialectError of any copy of the package, which `instanceof` does not. */
  static override isInstance(error: unknown): error is DialectError {
    return typeof error === 'object' && error !== null && Reflect.get(error, marker) === true
  }
}
