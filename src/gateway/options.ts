import type { ChatTemplate } from '../templates/index.ts'
import type { Log, Upstream } from '../upstreams/index.ts'
import { type ConfigInput, type Environment, type GatewayConfig, parseConfig } from './config/config.ts'
import { createUpstreamsOn, type Runtime, type UpstreamsOptions } from './config/create-upstreams.ts'

/** The options that every gateway has, beside its configuration. */
interface SharedOptions extends UpstreamsOptions {
  /** The chat templates that model rules name (`template`), by those names. */
  templates?: ReadonlyMap<string, ChatTemplate>
  /** Receives what the gateway logs. Default: nothing is logged. */
  log?: Log
  /** The path under which the gateway is mounted, if its requests come with it: `/api/llm` for `/api/llm/v1/messages`. */
  basePath?: string
}

/** A gateway by its configuration, written in the program. */
export interface GatewaySettings extends Omit<ConfigInput, '$schema' | 'listen' | 'log'>, SharedOptions {
  config?: never
  /** Logs each prompt and what the model wrote, at level `debug`: so what users said, too. */
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
  /** Without a slash at its end; empty for none. */
  basePath: string
}

/** Reads the options of a gateway. Throws a ConfigError with all that is wrong in the configuration. */
export function resolveOptions(options: GatewayOptions, runtime: Runtime): ResolvedOptions {
  const { templates = new Map(), log = () => {}, basePath = '', transport } = options
  const shared = { templates, log, basePath: normalPath(basePath) }
  if (options.config !== undefined) {
    const upstreams = options.upstreams ?? createUpstreamsOn(runtime, options.config, transport ? { transport } : {})
    return { ...shared, config: options.config, upstreams }
  }
  const { templates: _, log: _log, basePath: _basePath, transport: _transport, ...settings } = options
  const { logPrompts = false, env, config: _config, ...input } = settings
  const config = parseConfig(
    { ...input, log: { level: logPrompts ? 'debug' : 'info' } },
    { file: 'createGateway', ...(env && { env }) },
  )
  return { ...shared, config, upstreams: createUpstreamsOn(runtime, config, transport ? { transport } : {}) }
}

/** Returns the path with one slash before each of its parts: `/api/llm`. */
function normalPath(path: string): string {
  const parts = path.split('/').filter((part) => part !== '')
  return parts.map((part) => `/${part}`).join('')
}
