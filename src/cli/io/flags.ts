import { statSync } from 'node:fs'
import { closest, type ModelRule } from '../../gateway/index.ts'
import type { DialectFacts } from './io.ts'

/** The flags that choose an upstream. */
export interface UpstreamFlags {
  upstream?: string
  /** The type of `upstream`. */
  type?: string
  model?: string
  config?: string
}

/** The flags of `anycall serve`, as the shell passed them. `plan`, `dialect` and `template` apply to all rules. */
export interface ServeFlags extends UpstreamFlags {
  plan?: ModelRule['plan']
  dialect?: string
  template?: string
  port?: string
  host?: string
  workers?: string
  key?: string[]
  logLevel?: string
  inspect?: boolean
}

/** Wrong usage: the message names the flag or the file. */
export class FlagError extends Error {
  override readonly name: string = 'FlagError'
}

/** Collects the values of a flag that may be repeated. */
export function collect(value: string, earlier: string[] | undefined): string[] {
  return [...(earlier ?? []), value]
}

/** Returns the whole number that a flag gives, below 10^9. Throws a FlagError that names the flag. */
export function wholeNumber(text: string, flag: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text)
  throw new FlagError(`${flag}: expected a whole number, got ${JSON.stringify(text)}`)
}

/** Returns the same for a flag that must be at least 1. */
export function positiveNumber(text: string, flag: string): number {
  const number = wholeNumber(text, flag)
  if (number > 0) return number
  throw new FlagError(`${flag}: expected a whole number from 1, got ${JSON.stringify(text)}`)
}

const fileProblems: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EISDIR: 'this is a directory; name a file in it',
  EACCES: 'the file cannot be read; check its permissions',
}

/** Turns a failure to read a file into a FlagError that names the file and the reason. */
export function fileProblem(file: string, error: unknown): FlagError {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'for no known reason'
  return new FlagError(`${file}: ${fileProblems[code] ?? `the file cannot be read (${code})`}`)
}

/** The beginning of a path. Models of a server may have names that end in .gguf, too. */
const pathStart = /^(?:\.{0,2}[\\/]|~|[a-z]:[\\/])/i

/** True for a name that a model file may have. */
export function isModelFileName(name: string): boolean {
  return /\.gguf$/i.test(name)
}

/**
 * Returns the file that `--model` names if this process can run it and no server is named; undefined if `--model` is the name of a
 * server's model. Throws a FlagError for a path without a file.
 */
export function findModelFile({ model, upstream }: Pick<ServeFlags, 'model' | 'upstream'>): string | undefined {
  if (model === undefined || upstream !== undefined || !isModelFileName(model)) return undefined
  if (statSync(model, { throwIfNoEntry: false })?.isFile()) return model
  if (pathStart.test(model)) throw new FlagError(`--model: ${model}: there is no such file`)
  return undefined
}

/** Returns the dialect of that name. Throws a FlagError that suggests a name; `flag` is the flag that gave the wrong one. */
export function findDialect(name: string, dialects: readonly DialectFacts[], flag?: string): DialectFacts {
  const found = dialects.find((dialect) => dialect.name === name)
  if (found) return found
  const names = dialects.map((dialect) => dialect.name)
  throw new FlagError(`${flag === undefined ? '' : `${flag}: `}${unknownDialect(name, names)}`)
}

/** Says that no dialect has that name, and how to find the right one. */
export function unknownDialect(name: string, names: readonly string[]): string {
  const meant = closest(name, names)
  const suggestion = meant === undefined ? '' : `did you mean ${meant}? `
  return `there is no dialect ${JSON.stringify(name)}; ${suggestion}run "anycall dialects" for the list`
}
