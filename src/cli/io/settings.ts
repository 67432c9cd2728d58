import { existsSync } from 'node:fs'
import {
  type ConfigContext,
  ConfigError,
  type GatewayConfig,
  loadConfigFile,
  parseConfig,
  parseConfigText,
} from '../../gateway/index.ts'
import { FlagError, findModelFile, type ServeFlags } from './flags.ts'
import type { Io } from './io.ts'
import { withNamedFiles } from './named-files.ts'

interface Context extends Pick<ConfigContext, 'dialects'>, Pick<Io, 'env'> {
  /** The text of the configuration, if it was read from standard input. */
  text?: string
}

/** The name of standard input in messages. */
export const stdinName = 'standard input'

/** Returns the configuration file: the one named, else that of ANYCALL_CONFIG. */
export function configFileOf(named: string | undefined, { env }: Pick<Io, 'env'>): string | undefined {
  return named ?? (env.ANYCALL_CONFIG || undefined)
}

/** The name of the upstream that `--upstream` gives. */
export const flagUpstream = 'upstream'

/**
 * Returns the configuration of the file, if there is one, overridden by the flags. `--upstream`, or a `--model` that is a file,
 * replaces all upstreams and rules of the file. Throws a ConfigError for a wrong file, and a FlagError
 * for a missing one and for wrong flags.
 */
export function readSettings(flags: ServeFlags, context: Context): GatewayConfig {
  const file = configFileOf(flags.config, context)
  if (file !== undefined && context.text === undefined && !existsSync(file)) {
    throw new FlagError(`Cannot read ${file}: no such file`)
  }
  const base =
    file === undefined ? parseConfig({}, { ...context, file: 'no file' }) : withNamedFiles(load(file, context), file)
  if (flags.type !== undefined && flags.upstream === undefined) {
    throw new FlagError('--type: it says what kind of server --upstream URL is; give its URL, or leave --type out')
  }
  const keys = flags.key ?? (context.env.ANYCALL_KEY ? [context.env.ANYCALL_KEY] : undefined)
  const modelFile = findModelFile(flags)
  const given =
    flags.upstream !== undefined
      ? { type: flags.type ?? plainType, url: upstreamUrl(flags.upstream, flags.type) }
      : modelFile !== undefined && { type: 'gguf', file: modelFile }
  const over = parseFlags(
    {
      listen: { host: flags.host, port: flags.port, workers: flags.workers },
      ...(keys && { keys }),
      ...(given && { upstreams: { [flagUpstream]: given } }),
      log: { level: flags.logLevel },
    },
    context,
  )
  return {
    ...base,
    listen: {
      ...base.listen,
      ...(flags.host !== undefined && { host: over.listen.host }),
      ...(flags.port !== undefined && { port: over.listen.port }),
      ...(flags.workers !== undefined && { workers: over.listen.workers }),
    },
    keys: keys ? over.keys : base.keys,
    upstreams: given ? over.upstreams : base.upstreams,
    models: given ? [] : base.models,
    log: flags.logLevel === undefined ? base.log : { ...base.log, level: over.log.level },
  }
}

/** The type of an upstream if only its URL is known. */
const plainType = 'openai-chat'

function load(file: string, { text, ...context }: Context): GatewayConfig {
  return text === undefined ? loadConfigFile(file, context) : parseConfigText(text, { ...context, file: stdinName })
}

const flagOfSection: Readonly<Record<string, string>> = {
  'listen.host': '--host',
  'listen.port': '--port',
  'listen.workers': '--workers',
  keys: '--key (or ANYCALL_KEY)',
  upstreams: '--upstream',
  log: '--log-level',
}

function parseFlags(value: unknown, context: Context): GatewayConfig {
  try {
    return parseConfig(value, { dialects: context.dialects, env: {}, file: 'flags' })
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    const lines = error.problems.map(({ path, message }) => {
      const [section = '', field] = path
      return `${flagOfSection[`${section}.${field}`] ?? flagOfSection[section] ?? section}: ${message}`
    })
    throw new FlagError(lines.join('\n'))
  }
}

/** Returns the base URL that a person means: adds a missing scheme, and removes the path after the base of OpenAI's API. */
export function upstreamUrl(text: string, type: string = plainType): string {
  const url = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`
  // The other types have the path of their API.
  if (type !== plainType) return url
  const base = url.replace(/\/+$/, '').replace(/\/(chat\/completions|models)$/, '')
  return URL.canParse(base) && new URL(base).pathname === '/' ? `${base}/v1` : base
}
