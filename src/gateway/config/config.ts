import type * as z from 'zod'
import { isJsonObject } from '../../conversation/index.ts'
import { dialectNames } from '../../dialects/index.ts'
import { type Environment, replaceReferences } from './env.ts'
import { ConfigError, type ConfigProblem } from './error.ts'
import type { ConfigInput } from './input.ts'
import { splitUpstreams } from './schema/own-objects.ts'
import { gatewaySchema } from './schema/schema.ts'
import { closest } from './schema/suggest.ts'
import type { ConfigPath, GatewayConfig } from './schema/types.ts'
import { issuesBesideType } from './schema/upstreams.ts'

export type { Environment } from './env.ts'
export { ConfigError, type ConfigProblem } from './error.ts'
export type { ConfigInput, ModelRuleInput, UpstreamInput, UpstreamShareInput } from './input.ts'
export * from './schema/types.ts'

export interface ConfigContext {
  /** The name of the configuration in error messages. Default: `configuration`. */
  file?: string
  /**
   * The variables for `${NAME}` in the values. Default: those of the process, or no variables if there is no process.
   */
  env?: Environment
  /** The names of the known dialects. Default: anycall's own. */
  dialects?: readonly string[] | undefined
  /** Returns the line of a path, for the errors. */
  locate?: (path: ConfigPath) => number | undefined
}

/**
 * A value of type `unknown`, such as parsed YAML. Other values must be a `ConfigInput`, so that an editor completes and
 * checks them.
 */
type Untyped<Input> = unknown extends Input ? unknown : never

/**
 * Checks a configuration that a program wrote, or that was parsed from YAML or JSON, and fills in the defaults. Throws a
 * ConfigError with all that is wrong in it.
 *
 * @example
 * const config = parseConfig({
 *   upstreams: { local: { type: 'openai-chat', url: 'http://127.0.0.1:11434/v1' } },
 *   models: [{ match: '*', upstream: 'local' }],
 * })
 */
export function parseConfig<Input>(input: Input & Untyped<Input>, context?: ConfigContext): GatewayConfig
export function parseConfig(input: ConfigInput, context?: ConfigContext): GatewayConfig
export function parseConfig(input: unknown, context: ConfigContext = {}): GatewayConfig {
  const { file = 'configuration', env = globalThis.process?.env ?? {}, locate } = context
  const problems: ConfigProblem[] = []
  const report = (path: ConfigPath, message: string): void => {
    // A problem inside a value that is wrong as a whole follows from that.
    if (problems.some((problem) => startsWith(path, problem.path))) return
    const line = locate?.(path)
    problems.push(line === undefined ? { path, message } : { path, message, line })
  }

  const replaced = replaceReferences(input ?? {}, env, report)
  const root = isJsonObject(replaced) ? replaced : {}
  const schema = gatewaySchema({
    upstreams: isJsonObject(root.upstreams) ? Object.keys(root.upstreams) : [],
    dialects: context.dialects ?? dialectNames,
    keysAreListed: root.keys === undefined || Array.isArray(root.keys),
  })
  const { own, settings } = splitUpstreams(root.upstreams, report)
  const result = schema.safeParse(root.upstreams === undefined ? replaced : { ...root, upstreams: settings })
  if (result.success && problems.length === 0) {
    const { upstreams, ...others } = result.data
    return { ...others, upstreams: { ...upstreams, ...own } }
  }

  for (const issue of (result.error?.issues ?? []).flatMap(ofMeantOption)) {
    reportIssue(issue, input, replaced, report)
    for (const other of issuesBesideType(issue, replaced)) reportIssue(other, input, replaced, report)
  }
  throw new ConfigError(
    file,
    problems.sort((a, b) => (a.line ?? 0) - (b.line ?? 0)),
  )
}

/** Returns the issues of the union's option that has the kind of the value. Without such an option, returns the issue itself. */
function ofMeantOption(issue: z.core.$ZodIssue): z.core.$ZodIssue[] {
  if (issue.code !== 'invalid_union') return [issue]
  const isOfAnotherKind = ({ code, path }: z.core.$ZodIssue): boolean =>
    path.length === 0 && (code === 'invalid_type' || code === 'invalid_value')
  const meant = issue.errors.find((issues) => !issues.some(isOfAnotherKind))
  return meant?.map((one) => ({ ...one, path: [...issue.path, ...one.path] })) ?? [issue]
}

function reportIssue(
  issue: z.core.$ZodIssue,
  raw: unknown,
  replaced: unknown,
  report: (path: ConfigPath, message: string) => void,
): void {
  const path = written(
    raw,
    issue.path.map((key) => (typeof key === 'symbol' ? String(key) : key)),
  )
  if (issue.code === 'unrecognized_keys') {
    const known = issue.message.split(' ')
    for (const key of issue.keys) {
      const meant = closest(key, known)
      const advice = meant === undefined ? `there is ${known.join(', ')}` : `did you mean ${meant}?`
      report([...path, key], `not a known key; ${advice}`)
    }
    return
  }
  if (issue.code === 'invalid_key') {
    report(path, `expected ${issue.message}`)
    return
  }
  const value = at(replaced, path)
  const meant = typeof value === 'string' ? closest(value, candidatesOf(issue)) : undefined
  const advice = meant === undefined ? '' : `; did you mean ${meant}?`
  report(path, `expected ${issue.message}, got ${describe(at(raw, path), isQuotable(issue, path))}${advice}`)
}

function candidatesOf(issue: z.core.$ZodIssue): string[] {
  const found: unknown =
    issue.code === 'invalid_value'
      ? issue.values
      : issue.code === 'invalid_union' && 'options' in issue
        ? issue.options
        : issue.code === 'custom'
          ? issue.params?.candidates
          : []
  return Array.isArray(found) ? found.filter((value) => typeof value === 'string') : []
}

const secretKeys: ReadonlySet<string | number> = new Set([
  'adminKey',
  'key',
  'keys',
  'secret',
  'headers',
  'url',
  'store',
  'sha256',
])

/**
 * True if a value may be shown because it cannot be a key: not in place of a whole section, nor in the place of keys.
 */
function isQuotable(issue: z.core.$ZodIssue, path: ConfigPath): boolean {
  if (issue.code === 'invalid_type' && ['object', 'array', 'record'].includes(issue.expected)) return false
  return !path.some((key) => secretKeys.has(key))
}

/** `raw` is the value in the file, so that the contents of variables are not shown. */
function describe(raw: unknown, quotable: boolean): string {
  if (raw === undefined) return 'nothing'
  if (raw === null) return 'an empty value'
  if (Array.isArray(raw)) return 'a list'
  if (typeof raw === 'object') return 'an object'
  if (!quotable) return `a ${typeof raw}`
  return typeof raw === 'string' ? JSON.stringify(raw.slice(0, 60)) : String(raw)
}

/**
 * Returns the path as the file has it. A short form means a longer one (a name means an upstream with that name): of
 * its parts, the one in the file is shown.
 */
function written(raw: unknown, path: ConfigPath): ConfigPath {
  const end = path.findIndex((_, index) =>
    ['string', 'number', 'boolean'].includes(typeof at(raw, path.slice(0, index))),
  )
  return end < 0 ? path : path.slice(0, end)
}

function at(value: unknown, path: ConfigPath): unknown {
  let found = value
  for (const key of path) {
    // A single pattern is read as a list of one.
    if (typeof found === 'string' && key === 0) return found
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, key)) return undefined
    found = Reflect.get(found, key)
  }
  return found
}

function startsWith(path: ConfigPath, start: ConfigPath): boolean {
  return start.every((key, index) => path[index] === key)
}
