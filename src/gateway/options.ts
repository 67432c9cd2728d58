import { AnycallError } from '../conversation/index.ts'
import { type Dialect, dialectNames } from '../dialects/index.ts'
import type { GatewayHooks } from '../records/index.ts'
import type { ChatTemplate } from '../templates/index.ts'
import type { Log, Upstream } from '../upstreams/index.ts'
import { type ConfigInput, type Environment, type GatewayConfig, parseConfig } from './config/config.ts'
import { createUpstreamsOn, type Runtime, type UpstreamsOptions } from './config/create/upstreams.ts'

/** The options that every gateway has, beside its configuration. */
interface SharedOptions extends UpstreamsOptions, GatewayHooks {
  /** The chat templates that model rules name (`template`), by those names. */
  templates?: ReadonlyMap<string, ChatTemplate>
  /** Dialects of the program's own, which model rules name by their names. */
  dialects?: readonly Dialect[]
  /** Receives the gateway's log. Default: nothing is logged. */
  log?: Log
  /** Writes what `/metrics` answers, in place of this gateway's own metrics: for a program that serves by several processes. */
  metricsText?: () => Promise<string>
  /** The path under which the gateway is mounted, if its requests come with it: `/api/llm` for `/api/llm/v1/messages`. */
  basePath?: string
}

/** A gateway by its configuration, written in the program. */
export interface GatewaySettings extends Omit<ConfigInput, '$schema' | 'listen' | 'log'>, SharedOptions {
  config?: never
  /** Logs each prompt and the model's output, at level `debug`: this includes the text of users. */
  logPrompts?: boolean
  /** The variables for `${NAME}` in the configuration. Default: those of the process. */
  env?: Environment
}

/** A gateway by a configuration that was read before, by `loadConfigFile` or `parseConfig`. */
export interface ConfiguredGateway extends SharedOptions {
  config: GatewayConfig
  /** The upstreams by their names in the configuration. Default: those that it describes. */
  upstreams?: ReadonlyMap<string, Upstream>
}

export type GatewayOptions = GatewaySettings | ConfiguredGateway

/** The options of a gateway with every default filled in. */
export interface ResolvedOptions {
  config: GatewayConfig
  upstreams: ReadonlyMap<string, Upstream>
  templates: ReadonlyMap<string, ChatTemplate>
  log: Log
  hooks: GatewayHooks
  metricsText?: () => Promise<string>
  /** Without a slash at its end; may be empty. */
  basePath: string
}

/** Reads the options of a gateway. Throws a ConfigError with all that is wrong in the configuration. */
export function resolveOptions(options: GatewayOptions, runtime: Runtime): ResolvedOptions {
  const { templates = new Map(), log = () => {}, basePath = '', transport, dialects = [] } = options
  const { onExchange, onReply, onCall, onNotice } = options
  const hooks: GatewayHooks = {
    ...(onExchange && { onExchange }),
    ...(onReply && { onReply }),
    ...(onCall && { onCall }),
    ...(onNotice && { onNotice }),
  }
  checkNames(dialects)
  const { metricsText } = options
  const shared = { templates, log, hooks, basePath: normalPath(basePath), ...(metricsText && { metricsText }) }
  if (options.config !== undefined) {
    const upstreams = options.upstreams ?? createUpstreamsOn(runtime, options.config, transport ? { transport } : {})
    return { ...shared, config: withDialects(options.config, dialects), upstreams }
  }
  const {
    templates: _,
    log: _log,
    basePath: _basePath,
    metricsText: _metricsText,
    transport: _transport,
    dialects: _dialects,
    onExchange: _onExchange,
    onReply: _onReply,
    onCall: _onCall,
    onNotice: _onNotice,
    ...settings
  } = options
  const { logPrompts = false, env, config: _config, ...input } = settings
  const config = parseConfig(
    { ...input, log: { level: logPrompts ? 'debug' : 'info' } },
    { file: 'createGateway', dialects: [...dialectNames, ...dialects.map(({ name }) => name)], ...(env && { env }) },
  )
  return {
    ...shared,
    config: withDialects(config, dialects),
    upstreams: createUpstreamsOn(runtime, config, transport ? { transport } : {}),
  }
}

/** A name must mean one dialect. */
function checkNames(dialects: readonly Dialect[]): void {
  const names = [...dialectNames, ...dialects.map(({ name }) => name)]
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  if (twice === undefined) return
  throw new AnycallError('invalid-request', `dialects: two dialects are named "${twice}"; rename one.`, {
    param: 'dialects',
  })
}

/** Returns the configuration with the dialects that its rules name in place of their names. */
function withDialects(config: GatewayConfig, dialects: readonly Dialect[]): GatewayConfig {
  if (dialects.length === 0) return config
  const models = config.models.map((rule) => {
    const own = dialects.find(({ name }) => name === rule.dialect)
    return own ? { ...rule, dialect: own } : rule
  })
  return { ...config, models }
}

/** Returns the path with one slash before each of its parts: `/api/llm`. */
function normalPath(path: string): string {
  const parts = path.split('/').filter((part) => part !== '')
  return parts.map((part) => `/${part}`).join('')
}
