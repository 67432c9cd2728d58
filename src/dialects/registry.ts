import { AnycallError } from '../conversation/index.ts'
import type { Dialect } from './format/dialect.ts'
import { formats } from './formats/index.ts'
import { formatDialect } from './prompt/format-dialect.ts'
import { toolCallJson, universal } from './prompt/tool-call-json.ts'
import { toolify } from './prompt/toolify.ts'

/** Dialects with a prompt of their own, made for models that know none; the others have one that is made from their format. */
const prompted: readonly Dialect[] = [toolify, toolCallJson]
const names: ReadonlySet<string> = new Set(prompted.map(({ name }) => name))

/** All dialects, the gateway's default first. A new one is a format of its own in `formats`. */
export const dialects: readonly Dialect[] = [
  ...prompted,
  ...formats.filter(({ name }) => !names.has(name)).map((format) => formatDialect(format)),
  universal,
]

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
  if (typeof option !== 'string') return option
  const found = getDialect(option)
  if (found) return found
  const message = `dialect: there is no dialect "${option}"; there are: ${dialectNames.join(', ')}.`
  throw new AnycallError('invalid-request', message, { param: 'dialect' })
}
