// Programs may put their own upstreams and dialects into the configuration. They are used as they are.
import { isJsonObject } from '../../../conversation/index.ts'
import { type Dialect, dialects, getDialect } from '../../../dialects/index.ts'
import type { Upstream } from '../../../upstreams/index.ts'
import type { ConfigPath, ModelRule, OwnUpstreamConfig } from './types.ts'

/** Returns true for a value that is meant as an upstream of the program's own: settings have no functions. */
export function isOwnUpstream(value: unknown): value is Upstream {
  return hasFunction(value, 'generate')
}

/** Returns true for a dialect of the program's own. */
export function isOwnDialect(value: unknown): value is Dialect {
  return hasFunction(value, 'createReader') && hasFunction(value, 'describe')
}

/** Returns the name of a rule's dialect. */
export function dialectName(dialect: string | Dialect): string {
  return typeof dialect === 'string' ? dialect : dialect.name
}

/** Returns the dialect in which plan `prompted` serves a rule. Undefined for an unknown name, which checked configurations do not have. */
export function dialectOfRule({ dialect }: Pick<ModelRule, 'dialect'>): Dialect | undefined {
  if (dialect === undefined) return dialects[0]
  return isOwnDialect(dialect) ? dialect : getDialect(dialect)
}

function hasFunction(value: unknown, name: string): boolean {
  return typeof value === 'object' && value !== null && typeof Reflect.get(value, name) === 'function'
}

/** The upstreams of a configuration: the program's own, and the settings of the others. */
export interface SplitUpstreams {
  own: Record<string, OwnUpstreamConfig>
  settings: unknown
}

/** Takes the program's own upstreams out of `upstreams`, and reports those that lack a part. */
export function splitUpstreams(
  upstreams: unknown,
  report: (path: ConfigPath, message: string) => void,
): SplitUpstreams {
  if (!isJsonObject(upstreams)) return { own: {}, settings: upstreams }
  const own: Record<string, OwnUpstreamConfig> = {}
  const settings: Record<string, unknown> = {}
  for (const [name, value] of Object.entries<unknown>(upstreams)) {
    if (!isOwnUpstream(value)) {
      settings[name] = value
      continue
    }
    if (!hasFunction(value, 'models') || !Array.isArray(value.abilities?.requests)) {
      report(['upstreams', name], 'expected an upstream with generate, models and abilities.requests')
    }
    own[name] = { type: 'own', upstream: value }
  }
  return { own, settings }
}
