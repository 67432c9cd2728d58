import { AnycallError, argumentError } from '../conversation/index.ts'
import type { Dialect } from './format/dialect.ts'
import { formats } from './formats/index.ts'
import { formatDialect } from './prompt/format-dialect.ts'
import { toolCallJson, universal } from './prompt/tool-call-json.ts'
import { toolify } from './prompt/toolify.ts'

/** The dialects with their own prompt, for models that were trained on no format. The prompts of the others are made from their formats. */
const prompted: readonly Dialect[] = [toolify, toolCallJson]
const names: ReadonlySet<string> = new Set(prompted.map(({ name }) => name))

/**
 * All dialects of the package, the gateway's default first.
 *
 * @example
 * for (const { name, families, example } of dialects) console.log(name, families, example)
 */
export const dialects: readonly Dialect[] = [
  ...prompted,
  ...formats.filter(({ name }) => !names.has(name)).map((format) => formatDialect(format)),
  universal,
]

/**
 * The names of all dialects of the package.
 *
 * @example
 * dialectNames.includes('hermes') // true
 */
export const dialectNames: readonly string[] = dialects.map((dialect) => dialect.name)

/**
 * Returns the dialect of a name, undefined for an unknown one; `dialectNames` has all names. Functions that take the name of a dialect
 * throw an AnycallError for an unknown one.
 *
 * @example
 * const example = getDialect('hermes')?.example
 */
export function getDialect(name: string): Dialect | undefined {
  return dialects.find((dialect) => dialect.name === name)
}

/**
 * Returns the dialect that an option means: an object is one itself, a text is the name of one. Throws an AnycallError for an
 * unknown name.
 */
export function dialectOf(option: string | Dialect): Dialect {
  if (typeof option !== 'string') {
    if (typeof option?.createReader === 'function') return option
    throw argumentError('dialect', 'a dialect or the name of one', option)
  }
  const found = getDialect(option)
  if (found) return found
  const message = `dialect: there is no dialect "${option}"; there are: ${dialectNames.join(', ')}.`
  throw new AnycallError('invalid-request', message, { param: 'dialect' })
}
