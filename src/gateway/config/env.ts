import { isOwnDialect, isOwnUpstream } from './schema/own-objects.ts'
import type { ConfigPath } from './schema/types.ts'

/** The environment that `${NAME}` is looked up in. */
export type Environment = Readonly<Record<string, string | undefined>>

const reference = /\$\{([^}]*)\}/g
const body = /^([A-Za-z_][A-Za-z0-9_]*)(?::-(.*))?$/s

/**
 * `value` with each `${NAME}` and `${NAME:-default}` in its strings replaced from `env`; the default is used if the
 * variable is unset or empty. It works on the parsed value and replaces once, so the content of a variable is always
 * text: it is neither parsed as YAML nor searched for references. A reference that cannot be replaced is reported and
 * left unchanged. Upstreams and dialects of the program's own are left unchanged.
 */
export function replaceReferences(
  value: unknown,
  env: Environment,
  report: (path: ConfigPath, problem: string) => void,
  path: ConfigPath = [],
): unknown {
  if (typeof value === 'string') {
    return value.replace(reference, (whole: string, inside: string) => {
      const parts = body.exec(inside)
      if (!parts?.[1]) {
        report(path, `expected \${NAME} or \${NAME:-default}, with a name of letters, digits and _`)
        return whole
      }
      const [, name, fallback] = parts
      const found = Object.hasOwn(env, name) ? env[name] : undefined
      if (fallback !== undefined) return found || fallback
      if (found === undefined) {
        report(path, `the environment variable ${name} is not set; set it, or write \${${name}:-default}`)
        return whole
      }
      return found
    })
  }
  if (Array.isArray(value)) return value.map((item, index) => replaceReferences(item, env, report, [...path, index]))
  if (typeof value === 'object' && value !== null && !isOwnUpstream(value) && !isOwnDialect(value)) {
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [key, replaceReferences(item, env, report, [...path, key])]),
    )
  }
  return value
}
